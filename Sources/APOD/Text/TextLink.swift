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
        let visible =
            VisibleText(ofOwnMarkup: html)
            ?? VisibleText(HTMLDocument.nodes(of: html).withScriptCharacters)
        guard !visible.links.isEmpty else { return [] }
        let bytes = Array(text.utf8)
        // Normalized text has no other white space than blanks and line feeds, and no invisible characters.
        let visibleOffsets = bytes.indices.filter { bytes[$0] > UInt8(ascii: " ") }
        guard let start = visible.offset(of: visibleOffsets.map { bytes[$0] }) else { return [] }
        return visible.links.compactMap { link in
            // The first and the last byte of the link, counted in the text without white space.
            let first = link.range.lowerBound - start
            let last = link.range.upperBound - start - 1
            guard 0 <= first, first <= last, last < visibleOffsets.count else { return nil }
            let range = visibleOffsets[first]..<visibleOffsets[last] + 1
            // A line feed separates paragraphs. A link across two paragraphs is an error in the markup.
            guard !bytes[range].contains(UInt8(ascii: "\n")) else { return nil }
            return TextLink(range: range, address: link.address)
        }
    }
}

/// The visible text of an HTML fragment without white space, and its links, whose ranges are those of this text.
struct VisibleText {
    /// The text in UTF-8.
    private var bytes: [UInt8] = []
    private(set) var links: [TextLink] = []
    /// The link whose end tag was not read yet.
    private var openLink: (start: Int, address: String)?

    init(_ nodes: [HTMLNode]) {
        for node in nodes {
            switch node {
            case .opening("a", let attributes):
                openLink = attributes["href"].map { (bytes.count, $0) }
            case .closing("a"): endLink()
            case .text(let text): append(text)
            case .opening, .closing: break
            }
        }
    }

    /// The offset of `text` in this text; `nil` if this text does not contain it.
    func offset(of text: [UInt8]) -> Int? {
        guard text.count <= bytes.count else { return nil }
        return (0...bytes.count - text.count).first { bytes[$0...].starts(with: text) }
    }

    private mutating func append(_ text: String) {
        for scalar in text.unicodeScalars where TextNormalizer.isVisible(scalar) {
            bytes += scalar.utf8
        }
    }

    private mutating func endLink() {
        if let openLink {
            links.append(
                TextLink(range: openLink.start..<bytes.count, address: openLink.address))
        }
        openLink = nil
    }

    // MARK: This program's own markup

    /// Reads simple markup that ``ExplanationMarkup`` wrote, without libxml2, which would slow down the gallery.
    ///
    /// This fails for markup that needs libxml2: other tags, tags in links, superscripts and subscripts, addresses with a
    /// reference such as `&amp;` or outside of ASCII, and characters of Windows-1252.
    init?(ofOwnMarkup html: String) {
        var rest = Array(html.utf8)[...]
        while let byte = rest.first {
            let isSimple =
                switch byte {
                case UInt8(ascii: "<"): readTag(&rest)
                case UInt8(ascii: "&"): readReference(&rest)
                case 0x80...: readNonASCII(&rest)
                default: readASCII(&rest)
                }
            guard isSimple else { return nil }
        }
        guard openLink == nil else { return nil }
    }

    // Each of these functions removes what it reads from `rest`, and returns `false` for markup that needs libxml2.

    private mutating func readTag(_ rest: inout ArraySlice<UInt8>) -> Bool {
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
        let tag = rest[..<end].dropFirst()
        rest = rest[(end + 1)...]
        if openLink != nil {
            guard tag.elementsEqual("/a".utf8) else { return false }
            endLink()
        } else if let address = Self.address(inTag: tag) {
            openLink = (bytes.count, address)
        } else {
            return Self.plainTags.contains(where: tag.elementsEqual)
        }
        return true
    }

    private mutating func readReference(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let reference = Self.references.first { rest.starts(with: $0.text) }
        guard let (text, character) = reference else { return false }
        bytes.append(character)
        rest = rest.dropFirst(text.count)
        return true
    }

    private mutating func readNonASCII(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let characters = rest.prefix { $0 >= 0x80 }
        let text = String(decoding: characters, as: UTF8.self)
        guard text == text.withWindowsCharacters else { return false }
        append(text)
        rest = rest[characters.endIndex...]
        return true
    }

    private mutating func readASCII(_ rest: inout ArraySlice<UInt8>) -> Bool {
        let characters = rest.prefix {
            $0 < 0x80 && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&")
        }
        // White space and control characters are left out.
        for byte in characters where 0x21...0x7E ~= byte { bytes.append(byte) }
        rest = rest[characters.endIndex...]
        return true
    }

    /// The tags that change neither the text nor its links, as they are between `<` and `>`.
    private static let plainTags =
        ["b", "strong", "i", "em", "u", "s", "tt", "code", "small"]
        .flatMap { [Array($0.utf8), Array("/\($0)".utf8)] } + [Array("br".utf8)]

    private static let references: [(text: [UInt8], character: UInt8)] = [
        ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
        ("&quot;", UInt8(ascii: "\"")),
    ].map { (Array($0.utf8), $1) }

    /// The address in a tag such as `a href="https://a.gov"`; `nil` for other tags and for other addresses.
    private static func address(inTag tag: ArraySlice<UInt8>) -> String? {
        let start = "a href=\"".utf8
        let address = tag.dropFirst(start.count).dropLast()
        guard tag.starts(with: start), tag.last == UInt8(ascii: "\""), !address.isEmpty,
            address.allSatisfy({ 0x20..<0x7F ~= $0 && !"\"&".utf8.contains($0) })
        else { return nil }
        return String(decoding: address, as: UTF8.self)
    }
}
