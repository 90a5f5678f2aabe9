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

    /// Reads markup as ``ExplanationMarkup`` writes it, without libxml2, which takes ten times as long.
    ///
    /// - Returns: `nil` for any other markup, and for scripts and characters of Windows-1252, which are replaced.
    init?(ofOwnMarkup html: String) {
        var rest = Array(html.utf8)[...]
        var openTags: [ArraySlice<UInt8>] = []
        var openLink: (start: Int, address: String)?
        while let byte = rest.first {
            switch byte {
            case UInt8(ascii: "<"):
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
                let tag = rest[..<end].dropFirst()
                rest = rest[(end + 1)...]
                if tag.first == UInt8(ascii: "/") {
                    guard let name = openTags.popLast(), tag.dropFirst() == name else { return nil }
                    if name.elementsEqual("a".utf8), let link = openLink {
                        links.append((link.start..<bytes.count, link.address))
                        openLink = nil
                    }
                } else if let address = Self.address(inTag: tag), openLink == nil {
                    openTags.append(tag.prefix(1))
                    openLink = (bytes.count, address)
                } else if Self.plainElements.contains(where: tag.elementsEqual) {
                    openTags.append(tag)
                } else if !tag.elementsEqual("br".utf8) {
                    return nil
                }
            case UInt8(ascii: "&"):
                guard let character = Self.popReference(from: &rest) else { return nil }
                bytes.append(character)
            case 0x80...:
                let characters = rest.prefix { $0 >= 0x80 }
                let text = String(decoding: characters, as: UTF8.self)
                guard text == text.withWindowsCharacters else { return nil }
                append(text)
                rest = rest[characters.endIndex...]
            default:
                // White space and control characters are left out.
                if 0x21...0x7E ~= byte { bytes.append(byte) }
                rest = rest.dropFirst()
            }
        }
        guard openTags.isEmpty else { return nil }
    }

    /// The elements without a meaning for the text and its links.
    private static let plainElements = [
        "b", "strong", "i", "em", "u", "s", "tt", "code", "small",
    ].map { Array($0.utf8) }
    private static let references: [(text: [UInt8], character: UInt8)] = [
        ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
        ("&quot;", UInt8(ascii: "\"")),
    ].map { (Array($0.utf8), $1) }

    /// Removes the reference at the start of `html`, and returns the character that it stands for.
    private static func popReference(from html: inout ArraySlice<UInt8>) -> UInt8? {
        guard let reference = references.first(where: { html.starts(with: $0.text) }) else {
            return nil
        }
        html = html.dropFirst(reference.text.count)
        return reference.character
    }

    /// The decoded address in a tag such as `a href="https://a.gov"`; `nil` in another.
    private static func address(inTag tag: ArraySlice<UInt8>) -> String? {
        let (start, quote) = ("a href=\"".utf8, UInt8(ascii: "\""))
        guard tag.starts(with: start), tag.count > start.count + 1, tag.last == quote else {
            return nil
        }
        var rest = tag.dropFirst(start.count).dropLast()
        var address: [UInt8] = []
        while let byte = rest.first {
            if byte == UInt8(ascii: "&") {
                guard let character = popReference(from: &rest) else { return nil }
                address.append(character)
            } else {
                guard 0x20..<0x7F ~= byte, byte != quote else { return nil }
                address.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: address, as: UTF8.self)
    }

    /// Returns the first offset of `text`, a whole explanation, which does not occur twice.
    func offset(of text: [UInt8]) -> Int? {
        guard text.count <= bytes.count else { return nil }
        return (0...bytes.count - text.count).first { bytes[$0...].starts(with: text) }
    }
}
