internal import APOD
internal import Mirror
internal import Platform

/// The cards of the gallery: a card is a link with a small picture, the *tile*, and a name below it.
///
/// `root` is always the relative path from the page to the root of the mirror: empty or `../`.
extension GalleryDay {
    /// The card of the day, a link to `address`; `date` is the text of the date.
    func card(to address: String, root: HTML, date: String, identifier: HTML? = nil) -> HTML {
        """
        <a class="card"\(identifier.map { " id=\"\($0)\"" }) href="\(address)"><span class="tile">\
        \(tile(root))\(isFavorite ? Self.favoriteBadge : nil)\(isVideo ? Self.videoBadge : nil)</span>\
        <span class="name">\(title)</span> \
        <time datetime="\(day)">\(date)</time></a>
        """
    }

    private func tile(_ root: HTML) -> HTML {
        guard let cover else { return Self.emptyTile(emptyTileLabel) }
        return .tile(cover, root: root, attributes: sizeAttributes)
    }

    /// A tile with `text` in place of a picture.
    static func emptyTile(_ text: String) -> HTML { "<span class=\"none\">\(text)</span>" }

    // MARK: Signs

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
    /// The card of a group of days, such as a year: a link to `address`, the page of the group.
    ///
    /// It shows the picture of `coverDay`, or if that has none, the title of that day.
    static func groupCard(
        _ title: String, dayCount: Int, to address: String, coverDay: GalleryDay?, root: HTML
    ) -> HTML {
        let tile: HTML =
            if let cover = coverDay?.cover {
                .tile(cover, root: root)
            } else {
                GalleryDay.emptyTile(coverDay?.title ?? "")
            }
        let days = dayCount == 1 ? "day" : "days"
        return """
            <a class="card" href="\(address)"><span class="tile">\
            \(tile)</span>\
            <span class="name">\(title)</span> \
            <span class="count">\(dayCount) \(days)</span></a>

            """
    }

    /// The picture at `path` in the mirror; it has no alternative text, because a name is below it.
    fileprivate static func tile(_ path: String, root: HTML, attributes: HTML? = nil) -> HTML {
        """
        <img src="\(root)\(path.percentEncodedPath)" alt=""\(attributes) loading="lazy" decoding="async">
        """
    }

    /// A section with a heading and a grid of `cards`; `nil` if there are no cards.
    ///
    /// If there is a page with all cards of this kind, the heading is a link to its address, `addressOfAll`.
    static func shelf(
        _ title: HTML, id identifier: HTML, cards: [HTML], addressOfAll: HTML? = nil
    ) -> HTML? {
        guard !cards.isEmpty else { return nil }
        var heading = title
        if let addressOfAll { heading = "<a href=\"\(addressOfAll)\">\(title)</a>" }
        return """
            <section id="\(identifier)">
            <h2>\(heading)</h2>
            <div class="grid">
            \(cards)</div>
            </section>

            """
    }
}
