internal import APOD
internal import Mirror

/// The front page, `index.html` in the root: the newest picture, the same date of earlier years, the last weeks, favorites and
/// years.
struct FrontPage {
    /// The number of days after the newest.
    static let recentDays = 24
    static let maximumFavorites = 12
    static let maximumAnniversaries = 5
    // All are newest first.
    let days: [GalleryDay]
    /// Days of the same date as the newest one, in earlier years.
    let anniversaries: [GalleryDay]
    let favorites: [GalleryDay]
    let years: [(year: Int, count: Int, cover: GalleryDay?)]

    var page: [UInt8] {
        let anniversaries = HTML.shelf(
            "On this day in earlier years", "anniversaries", anniversaries.map(card),
            more: days.first.map { "\(PageFrame.folder)/anyday.html#on-\($0.day)" })
        let recent = HTML.shelf("The last weeks", "recent", days.dropFirst().map(card))
        let favorites = HTML.shelf(
            "Favorites", "favorites", favorites.map(card),
            more: "\(PageFrame.folder)/favorites.html")
        let years = years.map { year, count, cover in
            HTML.groupCard(
                "\(year)", count, at: "\(PageFrame.folder)/\(year).html", cover: cover, base: "")
        }
        return PageFrame(title: nil).page(
            """
            \(days.first.map(hero) ?? Self.invitation)\
            \(anniversaries)\
            \(recent)\
            \(favorites)\
            \(HTML.shelf("Years", "years", years))
            """)
    }

    private static let invitation: HTML =
        "<p class=\"empty\">There are no pictures yet. They appear here as they are downloaded.</p>\n"

    /// The newest day, with its whole text.
    private func hero(_ galleryDay: GalleryDay) -> HTML {
        let link = Self.link(galleryDay.day)
        return """
            <section class="newest" aria-label="The newest picture">
            \(heroPicture(galleryDay, link))
            <div class="words">
            <p class="date"><time datetime="\(galleryDay.day)">\(galleryDay.day.formatted)</time>\
            \(galleryDay.isFavorite ? GalleryDay.favoriteBadge : nil)</p>
            <h2><a href="\(link)">\(galleryDay.title)</a></h2>
            \(galleryDay.credits)\(galleryDay.explanation(base: "\(PageFrame.folder)/"))</div>
            </section>

            """
    }

    private func heroPicture(_ galleryDay: GalleryDay, _ link: String) -> HTML {
        let image = heroImage(galleryDay)
        // At the width of a screen, a picture of fewer pixels would be blurred; 0 is an unknown width.
        let isSmall = galleryDay.picture.map { 1..<1000 ~= $0.width } ?? false
        let kind: HTML = image == nil ? " blank" : isSmall ? " small" : ""
        var target: HTML = "href=\"\(link)\""
        // Shown in place of the image.
        var text = ""
        switch galleryDay.content {
        case .nothing(let reason): text = reason
        case .picture: text = "Open the picture"
        case .video: break  // Has a label.
        case .externalVideo(let address):
            target = "href=\"\(address)\" target=\"_blank\" rel=\"noopener noreferrer\""
        }
        return """
            <a class="picture\(kind)" \(target)>\(image ?? GalleryDay.emptyTile(text))\
            \(galleryDay.isVideo ? GalleryDay.watchLabel : nil)</a>
            """
    }

    /// The best copy that loads in a moment.
    private func heroImage(_ galleryDay: GalleryDay) -> HTML? {
        let isTooLarge = galleryDay.picture.map(Rendition.isNecessary) ?? false
        let original = isTooLarge ? nil : galleryDay.original
        return (galleryDay.rendition ?? original ?? galleryDay.cover).map { path in
            """
            <img src="\(path.percentEncodedPath)" alt="\(galleryDay.alternative)"\(galleryDay.sizeAttributes) \
            decoding="async">
            """
        }
    }

    private func card(_ galleryDay: GalleryDay) -> HTML {
        galleryDay.card(to: Self.link(galleryDay.day), base: "", date: galleryDay.day.formatted)
    }

    private static func link(_ day: Day) -> String { "\(PageFrame.folder)/\(day.galleryLink)" }
}
