extension VisibleText {
    /// Reads simple markup that ``ExplanationMarkup`` wrote, without libxml2, which would slow down the gallery.
    ///
    /// This fails for markup that needs libxml2: other tags, tags in links, superscripts and subscripts, addresses with a
    /// reference such as `&amp;` or outside of ASCII, and characters of Windows-1252.
    init?(ofOwnMarkup html: String) {
        var reader = OwnMarkupReader(rest: Array(html.utf8)[...])
        guard reader.readAll() else { return nil }
        self = reader.text
    }
}

/// Reads markup from its start to its end; each of its functions returns `false` for markup that needs libxml2.
private struct OwnMarkupReader {
    /// The tags that change neither the text nor its links, as they are between `<` and `>`.
    private static let plainTags =
        ["b", "strong", "i", "em", "u", "s", "tt", "code", "small"]
        .flatMap { [Array($0.utf8), Array("/\($0)".utf8)] } + [Array("br".utf8)]

    private static let references: [(text: [UInt8], character: UInt8)] = [
        ("&amp;", UInt8(ascii: "&")), ("&lt;", UInt8(ascii: "<")), ("&gt;", UInt8(ascii: ">")),
        ("&quot;", UInt8(ascii: "\"")),
    ].map { (Array($0.utf8), $1) }

    /// The bytes that were not read yet.
    var rest: ArraySlice<UInt8>
    private(set) var text = VisibleText()

    init(rest: ArraySlice<UInt8>) { self.rest = rest }

    mutating func readAll() -> Bool {
        while let byte = rest.first {
            let wasRead =
                switch byte {
                case UInt8(ascii: "<"): readTag()
                case UInt8(ascii: "&"): readReference()
                case 0x80...: readNonASCII()
                default: readASCII()
                }
            guard wasRead else { return false }
        }
        return !text.hasOpenLink
    }

    private mutating func readTag() -> Bool {
        guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
        let tag = rest[..<end].dropFirst()
        rest = rest[(end + 1)...]
        if text.hasOpenLink {
            guard tag.elementsEqual("/a".utf8) else { return false }
            text.endLink()
        } else if let address = Self.address(inTag: tag) {
            text.beginLink(to: address)
        } else {
            return Self.plainTags.contains(where: tag.elementsEqual)
        }
        return true
    }

    private mutating func readReference() -> Bool {
        let reference = Self.references.first { rest.starts(with: $0.text) }
        guard let reference else { return false }
        text.append(reference.character)
        rest = rest.dropFirst(reference.text.count)
        return true
    }

    private mutating func readNonASCII() -> Bool {
        let bytes = rest.prefix { $0 >= 0x80 }
        let characters = String(decoding: bytes, as: UTF8.self)
        guard characters == characters.withWindowsCharacters else { return false }
        text.append(characters)
        rest = rest[bytes.endIndex...]
        return true
    }

    private mutating func readASCII() -> Bool {
        let bytes = rest.prefix {
            $0 < 0x80 && $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: "&")
        }
        for byte in bytes { text.append(byte) }
        rest = rest[bytes.endIndex...]
        return true
    }

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
