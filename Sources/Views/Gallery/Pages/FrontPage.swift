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
    private let years: [YearCover]

    private struct YearCover {
        let year: Int
        let dayCount: Int
        let day: GalleryDay?
    }

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
            YearCover(
                year: year.year, dayCount: year.days.count,
                day: try reader.cover(of: year.listedDays))
        }
    }

    var page: [UInt8] {
        let newestDay = days.first.map { NewestDay(galleryDay: $0).section }
        let anniversaryShelf = HTML.shelf(
            "On this day in earlier years", id: "anniversaries", cards: anniversaries.map(card),
            addressOfAll: days.first.map { "\(PageFrame.folder)/anyday.html#on-\($0.day)" })
        let recentShelf = HTML.shelf(
            "The last weeks", id: "recent", cards: days.dropFirst().map(card))
        let favoritesShelf = HTML.shelf(
            "Favorites", id: "favorites", cards: favorites.map(card),
            addressOfAll: "\(PageFrame.folder)/favorites.html")
        let yearCards = years.map { cover in
            HTML.groupCard(
                "\(cover.year)", dayCount: cover.dayCount,
                to: "\(PageFrame.folder)/\(cover.year).html", coverDay: cover.day, root: "")
        }
        return PageFrame(title: nil).page(
            """
            \(newestDay ?? Self.invitation)\
            \(anniversaryShelf)\
            \(recentShelf)\
            \(favoritesShelf)\
            \(HTML.shelf("Years", id: "years", cards: yearCards))
            """)
    }

    private static let invitation: HTML =
        "<p class=\"empty\">There are no pictures yet. They appear here as they are downloaded.</p>\n"

    private func card(_ galleryDay: GalleryDay) -> HTML {
        galleryDay.card(
            to: galleryDay.addressOnFrontPage, root: "", date: galleryDay.day.formatted)
    }
}

/// The section with the newest day and its whole text.
private struct NewestDay {
    let galleryDay: GalleryDay

    var section: HTML {
        """
        <section class="newest" aria-label="The newest picture">
        \(picture)
        <div class="words">
        <p class="date"><time datetime="\(galleryDay.day)">\(galleryDay.day.formatted)</time>\
        \(galleryDay.isFavorite ? GalleryDay.favoriteBadge : nil)</p>
        <h2><a href="\(galleryDay.addressOnFrontPage)">\(galleryDay.title)</a></h2>
        \(galleryDay.credits)\(galleryDay.explanation(base: "\(PageFrame.folder)/"))</div>
        </section>

        """
    }

    private var picture: HTML {
        """
        <a class="picture\(styleClass)" \(target)>\(image ?? GalleryDay.emptyTile(textWithoutImage))\
        \(galleryDay.isVideo ? GalleryDay.watchLabel : nil)</a>
        """
    }

    /// The second class of the picture, after a blank; empty for a picture that is enlarged to the width of the screen.
    private var styleClass: HTML {
        if image == nil { return " blank" }
        // The width 0 is unknown.
        guard let width = galleryDay.picture?.width, 1..<1000 ~= width else { return "" }
        return " small"
    }

    /// Where a click on the picture leads, as attributes of the link.
    private var target: HTML {
        switch galleryDay.content {
        case .picture, .video, .nothing: "href=\"\(galleryDay.addressOnFrontPage)\""
        case .externalVideo(let address):
            "href=\"\(address)\" target=\"_blank\" rel=\"noopener noreferrer\""
        }
    }

    /// A video needs no text, because it has a label.
    private var textWithoutImage: String {
        switch galleryDay.content {
        case .nothing(let reason): reason
        case .picture: "Open the picture"
        case .video, .externalVideo: ""
        }
    }

    /// The best copy of the picture that loads in a moment.
    private var image: HTML? {
        let original = galleryDay.isOriginalTooLarge ? nil : galleryDay.original
        return (galleryDay.rendition ?? original ?? galleryDay.cover).map { path in
            """
            <img src="\(path.percentEncodedPath)" alt="\(galleryDay.alternative)"\(galleryDay.sizeAttributes) \
            decoding="async">
            """
        }
    }
}

extension GalleryDay {
    /// The address of the opened day, relative to the front page.
    fileprivate var addressOnFrontPage: String { "\(PageFrame.folder)/\(day.galleryLink)" }
}
