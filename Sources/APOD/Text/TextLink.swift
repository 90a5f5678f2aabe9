/// A link in a plain text, such as an explanation, whose HTML has it.
package struct TextLink: Hashable, Sendable {
    /// The range of its UTF-8 bytes.
    package let range: Range<Int>
    /// The unchecked value of `href`.
    package let address: String

    /// Finds the links of `html` in the plain text that was derived from it.
    ///
    /// The HTML may have more text around, such as the label "Explanation:", and other white space; if the texts
    /// differ otherwise, no link is returned. Both are compared without white space.
    package static func all(in text: String, from html: String) -> [TextLink] {
        guard html.utf8.contains(UInt8(ascii: "<")) else { return [] }
        let visible =
            VisibleText(ofOwnMarkup: html)
            ?? VisibleText(HTMLDocument.nodes(of: html).withScriptCharacters)
        guard !visible.links.isEmpty else { return [] }
        let text = Array(text.utf8)
        // Normalized text has no other white space than blanks and line feeds, and no invisible characters.
        let visibleOffsets = text.indices.filter { text[$0] > 0x20 }
        guard let start = visible.offset(of: visibleOffsets.map { text[$0] }) else { return [] }
        return visible.links.compactMap { link in
            // In the text without white space, of the first and the last byte of the link.
            let (first, last) = (link.range.lowerBound - start, link.range.upperBound - start - 1)
            guard 0 <= first, first <= last, last < visibleOffsets.count else { return nil }
            let range = visibleOffsets[first]..<visibleOffsets[last] + 1
            // A line feed separates paragraphs: such a link is an error in the markup.
            guard !text[range].contains(UInt8(ascii: "\n")) else { return nil }
            return TextLink(range: range, address: link.address)
        }
    }
}
