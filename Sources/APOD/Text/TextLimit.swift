/// The maximum lengths of the texts of an entry, in bytes; each is far above the longest text of the archive.
///
/// A field of NASA's answer that is longer is left out. Of a longer text in a record, the beginning is used.
package enum TextLimit {
    /// A title, an alternative text, a date.
    package static let line = 4 << 10
    /// A credit or a copyright, with its markup.
    package static let credit = 16 << 10
    /// The explanation, also with its markup, and the HTML of the article without pictures in it.
    package static let article = 32 << 10
    /// The HTML of the article as NASA sends it, perhaps with pictures in it.
    package static let page = 1 << 20
    /// A URL as NASA writes it; percent-encoding makes three bytes of one.
    package static let address = 2 << 10
    package static let encodedAddress = 3 * address
}

extension String {
    /// The first `limit` bytes, or less, so that no character is cut in two.
    package func cut(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }

    /// The text; `nil` if it is longer than `limit` bytes, for texts whose beginning is useless, such as URLs.
    package func ifShort(_ limit: Int) -> String? { utf8.count > limit ? nil : self }
}
