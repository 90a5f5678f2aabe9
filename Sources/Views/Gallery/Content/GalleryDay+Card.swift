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
        guard let cover else {
            return Self.emptyTile(isVideo ? "" : record?.removed == nil ? "No picture" : "Removed")
        }
        // The title is beside it; the alternative text comes with the opened day.
        return
            "<img src=\"\(base)\(cover.percentEncodedPath)\" alt=\"\"\(sizes) loading=\"lazy\" decoding=\"async\">"
    }

    /// The tile without a picture.
    static func emptyTile(_ text: String) -> HTML { "<span class=\"none\">\(text)</span>" }

    static let favoriteBadge: HTML =
        "<span class=\"star\" role=\"img\" aria-label=\"favorite\">★</span>"
    private static let videoBadge: HTML =
        "<span class=\"film\" role=\"img\" aria-label=\"video\">▶</span>"
    /// The label on the poster of a video.
    static let watchLabel: HTML = "<span class=\"watch\">▶ Watch the video</span>"

    /// The size of the picture, so that the layout does not change when it is loaded.
    var sizes: HTML? {
        guard let picture = picture, picture.width > 0, picture.height > 0 else { return nil }
        return " width=\"\(picture.width)\" height=\"\(picture.height)\""
    }
}
