internal import APOD
internal import Mirror
internal import Platform

extension GalleryDay {
    /// The card of the day in a grid: a small picture and the title, which are a link to the address `link`.
    ///
    /// `base` is the relative path from the page to the root of the mirror: empty or `../`. `date` is the text of the date.
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
        // The title is beside the picture; the alternative text comes with the opened day.
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

    /// The size of the original as attributes of `img`, by which browsers leave room for a picture before it is loaded.
    var sizeAttributes: HTML? {
        guard let picture, picture.width > 0, picture.height > 0 else { return nil }
        return " width=\"\(picture.width)\" height=\"\(picture.height)\""
    }
}

extension HTML {
    /// A section with a heading and a grid of `cards`; `nil` if there are no cards.
    ///
    /// The heading is a link to `pageOfAll`, the address of a page with all cards of this kind, if there is one.
    static func shelf(
        _ title: HTML, id identifier: HTML, cards: [HTML], pageOfAll: HTML? = nil
    ) -> HTML? {
        guard !cards.isEmpty else { return nil }
        return """
            <section id="\(identifier)">
            <h2>\(pageOfAll.map { "<a href=\"\($0)\">\(title)</a>" } ?? title)</h2>
            <div class="grid">
            \(cards)</div>
            </section>

            """
    }

    /// The card of a group of days, such as a year: a link to the address `page` of the group.
    ///
    /// It shows the picture of the day `cover`, or else the title of that day. `base` is the path from this page to the root.
    static func groupCard(
        _ title: String, dayCount count: Int, page: String, cover: GalleryDay?, base: HTML
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

/// The grid of days on one page, newest first, with links from each day to its neighbors.
struct PictureGrid {
    let days: [Day]
    /// The day on another page that is next to the first of ``days``; `nil` if there is no newer day.
    var newer: NeighborLink?
    /// The day on another page that is next to the last of ``days``; `nil` if there is no older day.
    var older: NeighborLink?

    /// Appends the card and the opened view of each day to `page`, with one record at a time in memory.
    func append(
        to page: inout HTML, date: (Day) -> String, from reader: DayReader
    ) throws(SystemError) {
        for (index, day) in days.enumerated() {
            let galleryDay = try reader.galleryDay(of: day)
            let newer = index > 0 ? .onThisPage(days[index - 1]) : newer
            let older = index + 1 < days.count ? .onThisPage(days[index + 1]) : older
            page += """
                <article class="day" id="\(day)">
                \(galleryDay.card(to: "#\(day)", base: "../", date: date(day), identifier: "at-\(day)"))\
                \(galleryDay.opened(newer: newer, older: older))</article>

                """
        }
    }
}

/// A link from the opened view of a day to the next newer or older day.
struct NeighborLink {
    let address: HTML
    let day: Day

    fileprivate static func onThisPage(_ day: Day) -> Self { Self(address: "#\(day)", day: day) }
}
