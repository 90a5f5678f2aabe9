internal import Platform
internal import Transfer

/// An opening tag in the HTML of an article, for ``MediaMarkup``: the URLs in its attributes, and whether it is shown.
struct MediaTag {
    let name: String
    let attributes: [String: String]
    /// The URL to which those of the attributes are relative.
    let base: WebURL

    /// The URL in an attribute; in an attribute such as `srcset`, which lists sizes of a picture, that of the largest one.
    func url(_ attribute: String) -> WebURL? {
        guard let value = attributes[attribute] else { return nil }
        let isList = attribute.hasSuffix("srcset")
        return WebURL(ofMedia: isList ? Self.largest(in: value) : value, relativeTo: base)
    }

    /// The file that the element shows: the first one in NASA's archive of pictures, else the first one; `other` is the last.
    ///
    /// A script may load the picture from another attribute than `src`, which has a generic picture until then.
    func source(or other: WebURL? = nil) -> WebURL? {
        let sources = (HTMLNode.sources.map(url) + [other]).compactMap(\.self)
        return sources.first(where: \.isArchived) ?? sources.first
    }

    /// The page or file that an `<iframe>`, `<embed>`, `<object>` or `<param>` embeds.
    var embedded: WebURL? {
        switch name {
        case "object": return url("data")
        case "param":
            let isMedia = ["movie", "src"].contains(attributes["name"]?.lowercased())
            return isMedia ? url("value") : nil
        default: return url("src") ?? url("data-src")
        }
    }

    /// Whether the article marks the element as the picture of the day.
    var isPrimary: Bool {
        attributes["class"]?.contains(bytes: "rollover__image--primary") ?? false
    }

    /// Whether a side has fewer than 16 pixels, as pictures have that count readers; WordPress writes 0 if it is unknown.
    var isTiny: Bool {
        ["width", "height"].contains {
            attributes[$0].flatMap { Int($0) }.map { 1..<16 ~= $0 } ?? false
        }
    }

    /// Whether a browser with scripts does not show the element, such as the frame of a service that counts readers.
    var isHidden: Bool {
        let style = (attributes["style"] ?? "").lowercased().filter { !$0.isWhitespace }
        return name == "noscript" || attributes["hidden"] != nil
            || ["display:none", "visibility:hidden"].contains { style.contains(bytes: $0) }
            || ["width", "height"].contains { ["0", "1"].contains(attributes[$0]) }
    }

    /// The URL of the largest picture in a `srcset`: `b.jpg` in `a.jpg 300w, b.jpg 1024w`.
    ///
    /// A URL may contain commas; only a comma at its end separates it from the next. See the HTML standard, 4.8.4.2.
    private static func largest(in srcset: String) -> String? {
        var pictures: [(url: Substring, size: Double)] = []
        /// A URL whose size may be the next word.
        var urlWithoutSize: Substring?
        for word in srcset.split(whereSeparator: \.isWhitespace) {
            let text = word.hasSuffix(",") ? word.dropLast() : word
            if let url = urlWithoutSize.take() {
                // The size is a number and a letter.
                pictures.append((url, Double(text.dropLast()) ?? 1))
            } else if word.hasSuffix(",") {
                pictures.append((text, 1))
            } else {
                urlWithoutSize = word
            }
        }
        if let urlWithoutSize { pictures.append((urlWithoutSize, 1)) }
        return pictures.max { $0.size < $1.size }.map { String($0.url) }
    }
}
