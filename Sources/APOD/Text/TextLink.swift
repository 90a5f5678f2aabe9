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
        let visible =
            VisibleText(ofOwnMarkup: html)
            ?? VisibleText(HTMLDocument.nodes(of: html).withScriptCharacters)
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
struct VisibleText {
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
            case .text(let text): append(text)
            case .opening, .closing: break
            }
        }
    }

    private mutating func append(_ text: String) {
        for scalar in text.unicodeScalars where TextNormalizer.isVisible(scalar) {
            bytes += scalar.utf8
        }
    }

    /// Reads markup as ``ExplanationMarkup`` writes it, without libxml2, which would take a third of the time of a page of
    /// the gallery.
    ///
    /// - Returns: `nil` for any other markup, for tags in links, for superscripts and subscripts, for addresses with a
    ///   reference or outside of ASCII, and for characters of Windows-1252, which become others.
    init?(ofOwnMarkup html: String) {
        var rest = Array(html.utf8)[...]
        var openLink: (start: Int, address: String)?
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "<"):
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
                let tag = rest[..<end].dropFirst()
                rest = rest[(end + 1)...]
                if let link = openLink {
                    guard tag.elementsEqual("/a".utf8) else { return nil }
                    links.append((link.start..<bytes.count, link.address))
                    openLink = nil
                } else if let address = Self.address(inTag: tag) {
                    openLink = (bytes.count, address)
                } else if !Self.plainTags.contains(where: tag.elementsEqual) {
                    return nil
                }
            case UInt8(ascii: "&"):
                let reference = Self.references.first { rest.starts(with: $0.text) }
                guard let (text, character) = reference else { return nil }
                bytes.append(character)
                rest = rest.dropFirst(text.count)
            case 0x80...:
                let characters = rest.prefix { $0 >= 0x80 }
                let text = String(decoding: characters, as: UTF8.self)
                guard text == text.withWindowsCharacters else { return nil }
                append(text)
                rest = rest[characters.endIndex...]
            default:
                let characters = rest.prefix {
                    $0 < 0x80 && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&")
                }
                // White space and control characters are left out.
                for byte in characters where 0x21...0x7E ~= byte { bytes.append(byte) }
                rest = rest[characters.endIndex...]
            }
        }
        guard openLink == nil else { return nil }
    }

    /// The tags without a meaning for the text and its links.
    private static let plainTags =
        ["b", "strong", "i", "em", "u", "s", "tt", "code", "small"]
        .flatMap { [Array($0.utf8), Array("/\($0)".utf8)] } + [Array("br".utf8)]
    private static let references: [(text: [UInt8], character: UInt8)] = [
        ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
        ("&quot;", UInt8(ascii: "\"")),
    ].map { (Array($0.utf8), $1) }

    /// The address in a tag such as `a href="https://a.gov"`; `nil` in another, and for an address with a reference
    /// or outside of ASCII.
    private static func address(inTag tag: ArraySlice<UInt8>) -> String? {
        let (start, quote) = ("a href=\"".utf8, UInt8(ascii: "\""))
        let address = tag.dropFirst(start.count).dropLast()
        guard tag.starts(with: start), tag.last == quote, !address.isEmpty,
            address.allSatisfy({ 0x20..<0x7F ~= $0 && $0 != quote && $0 != UInt8(ascii: "&") })
        else { return nil }
        return String(decoding: address, as: UTF8.self)
    }

    /// Returns the first offset of `text`, a whole explanation, which does not occur twice.
    func offset(of text: [UInt8]) -> Int? {
        guard text.count <= bytes.count else { return nil }
        return (0...bytes.count - text.count).first { bytes[$0...].starts(with: text) }
    }
}
