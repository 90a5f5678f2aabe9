internal import APOD
internal import Mirror

extension GalleryDay {
    /// The day among others: its picture, small, and its title, that lead to the day itself.
    ///
    /// - Parameters:
    ///   - link: Where it leads.
    ///   - base: The way from the page to the root of the mirror, empty or `../`.
    ///   - date: The day in words.
    ///   - identifier: Of the card, for links that come back to it.
    /// - Returns: A link.
    func card(to link: String, base: HTML, date: String, identifier: HTML? = nil) -> HTML {
        """
        <a class="card"\(identifier.map { " id=\"\($0)\"" }) href="\(link)"><span class="tile">\
        \(tile(base))\(badge)</span><span class="name">\(title)</span> \
        <time datetime="\(day)">\(date)</time></a>

        """
    }

    private func tile(_ base: HTML) -> HTML {
        guard let cover else { return isFilm ? Self.blank("") : Self.blank("No picture") }
        // The title beside it says all there is to say: the picture in words comes with the day.
        return
            "<img src=\"\(base)\(cover.asLink)\" alt=\"\"\(sizes) loading=\"lazy\" decoding=\"async\">"
    }

    /// What is in the place of a picture where there is none.
    static func blank(_ text: String) -> HTML { "<span class=\"none\">\(text)</span>" }

    private var badge: HTML {
        switch (isFavorite, isFilm) {
        case (true, true): "\(Self.star)\(Self.film)"
        case (true, false): Self.star
        case (false, true): Self.film
        case (false, false): ""
        }
    }

    static let star: HTML = "<span class=\"star\" role=\"img\" aria-label=\"favorite\">★</span>"
    private static let film: HTML =
        "<span class=\"film\" role=\"img\" aria-label=\"video\">▶</span>"
    /// Above the still of a video, or where there is none.
    static let watch: HTML = "<span class=\"watch\">▶ Watch the video</span>"

    /// The proportions of the picture, so that nothing moves when it comes.
    var sizes: HTML? {
        guard let picture = picture, picture.width > 0, picture.height > 0 else { return nil }
        return " width=\"\(picture.width)\" height=\"\(picture.height)\""
    }
}
