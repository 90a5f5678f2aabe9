internal import Platform
internal import Transfer

/// An opening tag in the HTML of an article, for ``MediaMarkup``: the URLs in its attributes, and whether it is shown.
struct MediaTag {
    let name: String
    let attributes: [String: String]
    /// The URL to which those of the attributes are relative.
    let base: WebURL

    /// The URL in an attribute; if the attribute lists several sizes of one picture, as `srcset` does, that of the largest one.
    func url(in attribute: String) -> WebURL? {
        guard let value = attributes[attribute] else { return nil }
        let isList = attribute.hasSuffix("srcset")
        return WebURL(ofMedia: isList ? SourceSet(value).largest : value, relativeTo: base)
    }

    /// The file that the element shows; `other` is one more URL that it may come from.
    ///
    /// A URL in NASA's archive of pictures comes before all others, because a script may load the picture from another
    /// attribute than `src`, which has a generic picture until then. Otherwise, the first URL wins, and `other` is the last.
    func source(or other: WebURL? = nil) -> WebURL? {
        let sources = (HTMLNode.sources.map(url(in:)) + [other]).compactMap(\.self)
        return sources.first(where: \.isArchived) ?? sources.first
    }

    /// The page or file that an `<iframe>`, `<embed>`, `<object>` or `<param>` embeds.
    var embedded: WebURL? {
        switch name {
        case "object": return url(in: "data")
        case "param":
            let isMedia = ["movie", "src"].contains(attributes["name"]?.lowercased())
            return isMedia ? url(in: "value") : nil
        default: return url(in: "src") ?? url(in: "data-src")
        }
    }

    /// Whether the article marks the element as the picture of the day.
    var isPrimary: Bool {
        attributes["class"]?.contains(bytes: "rollover__image--primary") == true
    }

    /// Whether a side has from 1 to 15 pixels, as pictures have that only count readers.
    ///
    /// WordPress writes 0 if it does not know the size of a picture.
    var isTiny: Bool { sides.contains { 1..<16 ~= $0 } }

    /// Whether a browser with scripts does not show the element, such as the frame of a service that counts readers.
    ///
    /// A side of 0 means here that nobody is to see the element, because frames have no unknown sides.
    var isHidden: Bool {
        let style = (attributes["style"] ?? "").lowercased().filter { !$0.isWhitespace }
        return name == "noscript" || attributes["hidden"] != nil
            || ["display:none", "visibility:hidden"].contains { style.contains(bytes: $0) }
            || sides.contains { 0...1 ~= $0 }
    }

    /// The width and the height in pixels, as far as the attributes have them as numbers.
    private var sides: [Int] {
        ["width", "height"].compactMap { attributes[$0].flatMap { Int($0) } }
    }
}
