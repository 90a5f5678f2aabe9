internal import APOD
internal import Mirror
internal import Platform

/// The front page, `index.html` in the root of the mirror.
///
/// It shows the newest picture, the same date in earlier years, the last weeks, favorites and years.
struct FrontPage {
    /// The number of days in “The last weeks”, which follow the newest day.
    static let recentDays = 24
    private static let maximumFavorites = 12
    private static let maximumAnniversaries = 5

    // All lists are newest first.

    /// The newest day and the last weeks.
    private let days: [GalleryDay]
    /// The days with the date of the newest day, in earlier years.
    private let anniversaries: [GalleryDay]
    private let favorites: [GalleryDay]
    private let years: [(year: Int, count: Int, cover: GalleryDay?)]

    /// Reads the records that the page shows; `days` are all days with a record, newest first.
    init(
        of days: [Day], favorites: [Day], years: [GalleryYear], from reader: DayReader
    ) throws(SystemError) {
        let newest = days.prefix(1 + Self.recentDays)
        let first = newest.first ?? .first
        let anniversaries = days.dropFirst().lazy
            .filter { ($0.month, $0.day) == (first.month, first.day) }
            .prefix(Self.maximumAnniversaries)
        self.days = try newest.map(reader.galleryDay)
        self.anniversaries = try Array(anniversaries).map(reader.galleryDay)
        var shown: [GalleryDay] = []
        for day in favorites where shown.count < Self.maximumFavorites {
            let galleryDay = try reader.galleryDay(of: day)
            if galleryDay.record != nil { shown.append(galleryDay) }
        }
        self.favorites = shown
        self.years = try years.map { year throws(SystemError) in
            (year.year, year.days.count, try reader.cover(of: year.listedDays))
        }
    }

    var page: [UInt8] {
        let anniversaryShelf = HTML.shelf(
            "On this day in earlier years", id: "anniversaries", cards: anniversaries.map(card),
            addressOfAll: days.first.map { "\(PageFrame.folder)/anyday.html#on-\($0.day)" })
        let recentShelf = HTML.shelf(
            "The last weeks", id: "recent", cards: days.dropFirst().map(card))
        let favoritesShelf = HTML.shelf(
            "Favorites", id: "favorites", cards: favorites.map(card),
            addressOfAll: "\(PageFrame.folder)/favorites.html")
        let yearCards = years.map { year, count, cover in
            HTML.groupCard(
                "\(year)", dayCount: count, to: "\(PageFrame.folder)/\(year).html",
                coverDay: cover, root: "")
        }
        return PageFrame(title: nil).page(
            """
            \(days.first.map(hero) ?? Self.invitation)\
            \(anniversaryShelf)\
            \(recentShelf)\
            \(favoritesShelf)\
            \(HTML.shelf("Years", id: "years", cards: yearCards))
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
        let kind: HTML =
            if image == nil {
                " blank"
            } else if isSmall(galleryDay.picture) {
                " small"
            } else {
                ""
            }
        let pageOfDay: HTML = "href=\"\(link)\""
        // The text is shown if there is no image. A video has a label instead.
        let (target, text): (HTML, String) =
            switch galleryDay.content {
            case .nothing(let reason): (pageOfDay, reason)
            case .picture: (pageOfDay, "Open the picture")
            case .video: (pageOfDay, "")
            case .externalVideo(let address):
                ("href=\"\(address)\" target=\"_blank\" rel=\"noopener noreferrer\"", "")
            }
        return """
            <a class="picture\(kind)" \(target)>\(image ?? GalleryDay.emptyTile(text))\
            \(galleryDay.isVideo ? GalleryDay.watchLabel : nil)</a>
            """
    }

    /// Whether the picture is not to be enlarged to the width of the screen; `false` if its width, 0, is unknown.
    private func isSmall(_ picture: PictureRecord?) -> Bool {
        if let picture { 1..<1000 ~= picture.width } else { false }
    }

    /// The best copy of the picture that loads in a moment.
    private func heroImage(_ galleryDay: GalleryDay) -> HTML? {
        let original = galleryDay.isOriginalTooLarge ? nil : galleryDay.original
        return (galleryDay.rendition ?? original ?? galleryDay.cover).map { path in
            """
            <img src="\(path.percentEncodedPath)" alt="\(galleryDay.alternative)"\(galleryDay.sizeAttributes) \
            decoding="async">
            """
        }
    }

    private func card(_ galleryDay: GalleryDay) -> HTML {
        galleryDay.card(to: Self.link(galleryDay.day), root: "", date: galleryDay.day.formatted)
    }

    private static func link(_ day: Day) -> String { "\(PageFrame.folder)/\(day.galleryLink)" }
}
