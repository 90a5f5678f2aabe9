internal import APOD
internal import Mirror

/// The first page: the newest picture, those of the last weeks, favorites, and the years.
struct FrontPage {
    /// How many days there are beside the newest.
    static let recent = 24
    /// How many favorites there are.
    static let favorites = 12
    /// Newest first.
    let days: [GalleryDay]
    /// The path of the ``Rendition`` of the newest day, `nil` where there is none.
    let rendition: String?
    /// Newest first.
    let favorites: [GalleryDay]
    /// Newest first.
    let years: [(year: Int, summary: YearPage.Summary)]

    var page: [UInt8] {
        let content: HTML = """
            \(days.first.map(hero) ?? Self.invitation)\
            \(shelf("The last weeks", "recent", days.dropFirst().map(card)))\
            \(shelf("Favorites", "favorites", favorites.map(card), more: "gallery/favorites.html"))\
            \(shelf("Years", "years", years.map(Self.card)))
            """
        return PageFrame(title: "Astronomy Picture of the Day", isFront: true).page(content)
    }

    private static let invitation: HTML =
        "<p class=\"empty\">There are no pictures yet. They appear here as they come.</p>\n"

    private func hero(_ exhibit: GalleryDay) -> HTML {
        let link = Self.link(exhibit.day)
        return """
            <section class="newest" aria-label="The newest picture">
            \(heroPicture(exhibit, link))
            <div class="words">
            <p class="date"><time datetime="\(exhibit.day)">\(exhibit.day.inWords)</time>\
            \(exhibit.isFavorite ? GalleryDay.star : nil)</p>
            <h2><a href="\(link)">\(exhibit.title)</a></h2>
            \(exhibit.credits)\(exhibit.explanation)</div>
            </section>

            """
    }

    private func heroPicture(_ exhibit: GalleryDay, _ link: String) -> HTML {
        let image = heroImage(exhibit)
        let kind: HTML = image == nil ? " blank" : isSmall(exhibit) ? " small" : ""
        return switch exhibit.work {
        case .nothing(let reason):
            "<a class=\"picture\(kind)\" href=\"\(link)\">\(image ?? GalleryDay.blank(reason))</a>"
        case .picture:
            "<a class=\"picture\(kind)\" href=\"\(link)\">\(image ?? GalleryDay.blank("Open the picture"))</a>"
        case .film:
            "<a class=\"picture\(kind)\" href=\"\(link)\">\(image ?? GalleryDay.blank(""))\(GalleryDay.watch)</a>"
        case .filmElsewhere(let address):
            """
            <a class="picture\(kind)" href="\(address)" target="_blank" rel="noopener noreferrer">\
            \(image ?? GalleryDay.blank(""))\(GalleryDay.watch)</a>
            """
        }
    }

    /// Whether it would be blurred in the width of a screen.
    private func isSmall(_ exhibit: GalleryDay) -> Bool {
        exhibit.picture.map { 1..<1000 ~= $0.width } ?? false
    }

    private func heroImage(_ exhibit: GalleryDay) -> HTML? {
        let original = exhibit.picture.flatMap { picture in
            picture.isShownByBrowsers && !Rendition.isWanted(of: picture) ? picture.path : nil
        }
        return (original ?? rendition ?? exhibit.cover).map { path in
            """
            <img src="\(path.asLink)" alt="\(exhibit.alternative)"\(exhibit.sizes) decoding="async">
            """
        }
    }

    private func card(_ exhibit: GalleryDay) -> HTML {
        exhibit.card(to: Self.link(exhibit.day), base: "", date: exhibit.day.inWords)
    }

    private static func card(_ year: Int, _ summary: YearPage.Summary) -> HTML {
        .group(
            "\(year)", summary.count, at: "gallery/\(year).html", cover: summary.cover?.asLink)
    }

    private func shelf(
        _ title: HTML, _ identifier: HTML, _ cards: [HTML], more: HTML? = nil
    ) -> HTML? {
        guard !cards.isEmpty else { return nil }
        return """
            <section id="\(identifier)">
            <h2>\(more.map { "<a href=\"\($0)\">\(title)</a>" } ?? title)</h2>
            <div class="grid">
            \(cards)</div>
            </section>

            """
    }

    private static func link(_ day: Day) -> String { "gallery/\(day.year).html#\(day)" }
}
