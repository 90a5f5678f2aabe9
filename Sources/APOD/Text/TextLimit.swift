/// The maximum lengths of the texts of an entry, in bytes; each is far above the longest of the archive.
///
/// NASA's answers are checked against them, and so are records when they are read: a record with a longer
/// text is used with the beginning of it.
package enum TextLimit {
    /// A title, an alternative text, a date.
    package static let line = 4 << 10
    /// A credit or a copyright, with its markup.
    package static let credit = 16 << 10
    /// The explanation, also with its markup, and the HTML of the article without pictures in it.
    package static let article = 32 << 10
    /// The HTML of the article as NASA sends it, perhaps with pictures in it.
    package static let page = 1 << 20
    /// A URL as NASA spells it; percent-encoding makes three bytes of one.
    package static let address = 2 << 10
    package static let encodedAddress = 3 * address
}

extension String {
    /// The first `limit` bytes, without a part of a character.
    package func cut(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: limit)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end])
    }

    /// The text; `nil` if it is longer than `limit` bytes, because its beginning would be useless.
    package func ifShort(_ limit: Int) -> String? { utf8.count > limit ? nil : self }
}
