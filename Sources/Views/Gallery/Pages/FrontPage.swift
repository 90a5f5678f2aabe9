internal import APOD
internal import Mirror

/// The front page: the newest picture, the last weeks, favorites and the years.
struct FrontPage {
    /// The number of days after the newest.
    static let recent = 24
    /// The maximum number of favorites.
    static let favorites = 12
    /// Newest first.
    let days: [GalleryDay]
    /// Newest first.
    let favorites: [GalleryDay]
    /// Newest first.
    let years: [(year: Int, count: Int, cover: String?)]

    var page: [UInt8] {
        let content: HTML = """
            \(days.first.map(hero) ?? Self.invitation)\
            \(HTML.shelf("The last weeks", "recent", days.dropFirst().map(card)))\
            \(HTML.shelf("Favorites", "favorites", favorites.map(card), more: "gallery/favorites.html"))\
            \(HTML.shelf("Years", "years", years.map(Self.card)))
            """
        return PageFrame(title: nil).page(content)
    }

    private static let invitation: HTML =
        "<p class=\"empty\">There are no pictures yet. They appear here as they are downloaded.</p>\n"

    private func hero(_ galleryDay: GalleryDay) -> HTML {
        let link = Self.link(galleryDay.day)
        return """
            <section class="newest" aria-label="The newest picture">
            \(heroPicture(galleryDay, link))
            <div class="words">
            <p class="date"><time datetime="\(galleryDay.day)">\(galleryDay.day.formatted)</time>\
            \(galleryDay.isFavorite ? GalleryDay.favoriteBadge : nil)</p>
            <h2><a href="\(link)">\(galleryDay.title)</a></h2>
            \(galleryDay.credits)\(galleryDay.explanation("\(PageFrame.folder)/"))</div>
            </section>

            """
    }

    private func heroPicture(_ galleryDay: GalleryDay, _ link: String) -> HTML {
        let image = heroImage(galleryDay)
        // It would be blurred at the width of a screen.
        let isSmall = galleryDay.picture.map { 1..<1000 ~= $0.width } ?? false
        let kind: HTML = image == nil ? " blank" : isSmall ? " small" : ""
        var target: HTML = "href=\"\(link)\""
        var text = ""
        switch galleryDay.content {
        case .nothing(let reason): text = reason
        case .picture: text = "Open the picture"
        case .video: break
        case .externalVideo(let address):
            target = "href=\"\(address)\" target=\"_blank\" rel=\"noopener noreferrer\""
        }
        return """
            <a class="picture\(kind)" \(target)>\(image ?? GalleryDay.emptyTile(text))\
            \(galleryDay.isVideo ? GalleryDay.watchLabel : nil)</a>
            """
    }

    private func heroImage(_ galleryDay: GalleryDay) -> HTML? {
        let original = galleryDay.picture.flatMap { picture in
            picture.isShownByBrowsers && !Rendition.isNecessary(of: picture) ? picture.path : nil
        }
        return (galleryDay.rendition ?? original ?? galleryDay.cover).map { path in
            """
            <img src="\(path.percentEncodedPath)" alt="\(galleryDay.alternative)"\(galleryDay.sizes) decoding="async">
            """
        }
    }

    private func card(_ galleryDay: GalleryDay) -> HTML {
        galleryDay.card(to: Self.link(galleryDay.day), base: "", date: galleryDay.day.formatted)
    }

    private static func card(_ year: Int, _ count: Int, _ cover: String?) -> HTML {
        .group(
            "\(year)", count, at: "gallery/\(year).html", cover: cover?.percentEncodedPath)
    }

    private static func link(_ day: Day) -> String { "\(PageFrame.folder)/\(day.link)" }
}
