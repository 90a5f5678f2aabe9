internal import APOD
internal import Mirror

extension GalleryDay {
    /// The card of the day in a grid: a link with a small picture and the title.
    ///
    /// `base` is the relative path from the page to the root of the mirror, empty or `../`.
    func card(to link: String, base: HTML, date: String, identifier: HTML? = nil) -> HTML {
        """
        <a class="card"\(identifier.map { " id=\"\($0)\"" }) href="\(link)"><span class="tile">\
        \(tile(base))\(isFavorite ? Self.favoriteBadge : nil)\(isVideo ? Self.videoBadge : nil)</span>\
        <span class="name">\(title)</span> \
        <time datetime="\(day)">\(date)</time></a>
        """
    }

    private func tile(_ base: HTML) -> HTML {
        guard let cover else { return Self.emptyTile(emptyTileLabel) }
        // The title is beside it; the alternative text comes with the opened day.
        return """
            <img src="\(base)\(cover.percentEncodedPath)" alt=""\(sizeAttributes) loading="lazy" decoding="async">
            """
    }

    static func emptyTile(_ text: String) -> HTML { "<span class=\"none\">\(text)</span>" }

    static let favoriteBadge: HTML =
        "<span class=\"star\" role=\"img\" aria-label=\"favorite\">★</span>"
    private static let videoBadge: HTML =
        "<span class=\"film\" role=\"img\" aria-label=\"video\">▶</span>"
    static let watchLabel: HTML = "<span class=\"watch\">▶ Watch the video</span>"

    /// The size of the original as attributes, also of its renditions: browsers use only the ratio, to keep the place of
    /// a picture that is not loaded yet.
    var sizeAttributes: HTML? {
        guard let picture, picture.width > 0, picture.height > 0 else { return nil }
        return " width=\"\(picture.width)\" height=\"\(picture.height)\""
    }
}

extension HTML {
    /// A section with a grid of cards, and the address `more` of a page with all of them; `nil` without any card.
    static func shelf(
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

    /// The card of a group of days: a link to its page with a picture of one of the days, else the title of one, the title of the
    /// group and the count; `base` is the relative path from the page to the root of the mirror.
    static func groupCard(
        _ title: String, _ count: Int, at page: String, cover: GalleryDay?, base: HTML
    ) -> HTML {
        let image = cover?.cover.map { path -> HTML in
            "<img src=\"\(base)\(path.percentEncodedPath)\" alt=\"\" loading=\"lazy\" decoding=\"async\">"
        }
        return """
            <a class="card" href="\(page)"><span class="tile">\
            \(image ?? GalleryDay.emptyTile(cover?.title ?? ""))</span>\
            <span class="name">\(title)</span> \
            <span class="count">\(count) \(count == 1 ? "day" : "days")</span></a>

            """
    }
}
