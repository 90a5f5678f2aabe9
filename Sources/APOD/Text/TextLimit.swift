/// The maximum lengths of the texts of an entry, in bytes, against broken or hostile servers and damaged records.
///
/// No text of the archive is nearly as long. A longer field of an entry is left out; a longer text in a record is cut.
package enum TextLimit {
    /// A title, an alternative text, a date.
    package static let line = 4 << 10
    /// A credit or a copyright, with its markup.
    package static let credit = 16 << 10
    /// The explanation, with or without its markup, or the HTML of the article without the pictures that it contains.
    package static let article = 32 << 10
    /// The HTML of the article as NASA sends it, which may contain whole pictures as `data:` URLs.
    package static let page = 1 << 20
    /// A URL as NASA writes it.
    package static let address = 2 << 10
    /// A percent-encoded URL, in which a byte may take three bytes.
    package static let encodedAddress = 3 * address
}

extension String {
    /// The first `limit` bytes; a character that would be cut in two is left out.
    package func cut(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }

    /// The text, or `nil` if it is longer than `limit` bytes: for URLs and other texts whose beginning alone is useless.
    package func unlessLonger(than limit: Int) -> String? { utf8.count > limit ? nil : self }
}
