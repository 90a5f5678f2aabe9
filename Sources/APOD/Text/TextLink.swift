/// A link in a plain text.
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
        let visible = VisibleText(HTMLDocument.nodes(of: html).withScriptCharacters)
        guard !visible.links.isEmpty else { return [] }
        let text = Array(text.utf8)
        // Normalized text has no other white space than blanks and line feeds, and no invisible characters.
        let visibleOffsets = text.indices.filter { text[$0] > 0x20 }
        guard let start = visible.offset(of: visibleOffsets.map { text[$0] }) else { return [] }
        return visible.links.compactMap { link in
            let (first, last) = (link.range.lowerBound - start, link.range.upperBound - start - 1)
            guard 0 <= first, first <= last, last < visibleOffsets.count else { return nil }
            let range = visibleOffsets[first]..<visibleOffsets[last] + 1
            // A line feed separates paragraphs: such a link is an error in the markup.
            guard !text[range].contains(UInt8(ascii: "\n")) else { return nil }
            return TextLink(range: range, address: link.address)
        }
    }
}

/// The text of an HTML fragment without white space, and its links.
private struct VisibleText {
    private var bytes: [UInt8] = []
    /// The ranges refer to ``bytes``.
    private(set) var links: [(range: Range<Int>, address: String)] = []

    init(_ nodes: [HTMLNode]) {
        var openLink: (start: Int, address: String)?
        for node in nodes {
            switch node {
            case .opening("a", let attributes):
                openLink = attributes["href"].map { (bytes.count, $0) }
            case .closing("a"):
                if let openLink { links.append((openLink.start..<bytes.count, openLink.address)) }
                openLink = nil
            case .text(let text):
                for scalar in text.unicodeScalars where TextNormalizer.isVisible(scalar) {
                    bytes += scalar.utf8
                }
            case .opening, .closing: break
            }
        }
    }

    /// Returns the first offset of `text`, a whole explanation, which does not occur twice.
    func offset(of text: [UInt8]) -> Int? {
        guard text.count <= bytes.count else { return nil }
        return (0...bytes.count - text.count).first { bytes[$0...].starts(with: text) }
    }
}
