/// A link in a plain text.
package struct TextLink: Hashable, Sendable {
    /// The range of its UTF-8 bytes.
    package let range: Range<Int>
    /// The unchecked value of `href`.
    package let address: String

    /// Finds the links of `html` in the plain text that was derived from it.
    ///
    /// The HTML may have additional text around, such as labels, and other white space; if the texts
    /// differ otherwise, no link is returned.
    package static func all(in text: String, from html: String) -> [TextLink] {
        guard html.utf8.contains(UInt8(ascii: "<")) else { return [] }
        let visible = VisibleText(HTMLDocument.nodes(of: html))
        guard !visible.links.isEmpty else { return [] }
        let text = Array(text.utf8)
        let offsets = text.indices.filter { text[$0] > 0x20 }
        guard let start = visible.offset(of: offsets.map { text[$0] }) else { return [] }
        return visible.links.compactMap { link in
            let (first, last) = (link.range.lowerBound - start, link.range.upperBound - start - 1)
            guard 0 <= first, first <= last, last < offsets.count else { return nil }
            let range = offsets[first]..<offsets[last] + 1
            // A link across paragraphs is an error in the markup.
            guard !text[range].contains(UInt8(ascii: "\n")) else { return nil }
            return TextLink(range: range, address: link.address)
        }
    }
}

/// The text of an HTML fragment without white space, and its links.
private struct VisibleText {
    private var letters: [UInt8] = []
    /// The ranges refer to ``letters``.
    private(set) var links: [TextLink] = []

    init(_ nodes: [HTMLNode]) {
        var open: (start: Int, address: String)?
        for node in nodes {
            switch node {
            case .opening("a", let attributes):
                open = attributes["href"].map { (letters.count, $0) }
            case .closing("a"):
                if let open {
                    links.append(TextLink(range: open.start..<letters.count, address: open.address))
                }
                open = nil
            case .text(let text):
                for scalar in text.unicodeScalars where TextNormalizer.isVisible(scalar) {
                    letters += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
                }
            case .opening, .closing: break
            }
        }
    }

    /// Returns the first offset of `bytes`.
    func offset(of bytes: [UInt8]) -> Int? {
        guard bytes.count <= letters.count else { return nil }
        return (0...letters.count - bytes.count).first { letters[$0...].starts(with: bytes) }
    }
}
