internal import Platform

/// A link in an explanation: the words of the plain text that are a link in its HTML, and the address.
package struct TextLink: Hashable, Sendable {
    /// The range of the words, in UTF-8 bytes of the plain text.
    package let range: Range<Int>
    /// The value of `href` as it is in the HTML; it was not checked, and may be no URL.
    package let address: String

    /// Finds the links of `html` in `text`, the plain text that was made of it.
    ///
    /// The text "A star." and the HTML `Explanation: A <a href="b">star</a>.` have a link with the range 2..<6. White space
    /// is not compared, and the HTML may have more text at its ends. If the texts differ otherwise, no link is returned.
    package static func all(in text: String, from html: String) -> [TextLink] {
        guard html.utf8.contains(UInt8(ascii: "<")) else { return [] }
        let visible = VisibleText(HTMLDocument.nodes(of: html).withScriptCharacters)
        guard !visible.links.isEmpty else { return [] }
        let bytes = Array(text.utf8)
        // The offsets in `text` of its visible bytes: it is normalized, and so has no other white space than blanks and line
        // feeds, and no invisible characters.
        let offsets = bytes.indices.filter { bytes[$0] > UInt8(ascii: " ") }
        let visibleBytes = offsets.map { bytes[$0] }
        guard !visibleBytes.isEmpty,
            let start = visible.bytes.range(of: visibleBytes)?.lowerBound
        else { return [] }
        return visible.links.compactMap { link in
            // The first and the last byte of the link, counted in the visible bytes of `text`.
            let first = link.range.lowerBound - start
            let last = link.range.upperBound - start - 1
            guard 0 <= first, first <= last, last < offsets.count else { return nil }
            let range = offsets[first]..<offsets[last] + 1
            // A line feed separates paragraphs. A link across two paragraphs is an error in the markup.
            guard !bytes[range].contains(UInt8(ascii: "\n")) else { return nil }
            return TextLink(range: range, address: link.address)
        }
    }
}

/// The visible text of an HTML fragment without white space, and its links, whose ranges are those of this text.
private struct VisibleText {
    /// The text in UTF-8.
    private(set) var bytes: [UInt8] = []
    private(set) var links: [TextLink] = []
    /// The link whose end tag was not read yet.
    private var openLink: (start: Int, address: String)?

    init(_ nodes: [HTMLNode]) {
        for node in nodes {
            switch node {
            case .opening("a", let attributes):
                openLink = attributes["href"].map { (bytes.count, $0) }
            case .closing("a"):
                guard let (start, address) = openLink.take() else { continue }
                links.append(TextLink(range: start..<bytes.count, address: address))
            case .text(let text): append(text)
            case .opening, .closing: break
            }
        }
    }

    private mutating func append(_ text: String) {
        for scalar in text.unicodeScalars where TextNormalizer.isVisible(scalar) {
            // Most scalars are ASCII, and this is faster.
            if scalar.isASCII { bytes.append(UInt8(ascii: scalar)) } else { bytes += scalar.utf8 }
        }
    }
}
