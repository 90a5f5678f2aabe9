/// The visible text of an HTML fragment without white space, and its links, so that ``TextLink`` finds them in a plain text.
struct VisibleText {
    /// UTF-8.
    private var bytes: [UInt8] = []
    /// The ranges refer to ``bytes``.
    private(set) var links: [(range: Range<Int>, address: String)] = []
    /// The link whose end was not read yet.
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

    /// Returns the first offset of `text`, a whole explanation, which does not occur twice.
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
        if let openLink { links.append((openLink.start..<bytes.count, openLink.address)) }
        openLink = nil
    }

    // MARK: This program's own markup

    /// Reads markup as ``ExplanationMarkup`` writes it, without libxml2, which would take a third of the time of a page of
    /// the gallery.
    ///
    /// - Returns: `nil` for any other markup, for tags in links, for superscripts and subscripts, for addresses with a
    ///   reference or outside of ASCII, and for characters of Windows-1252, which become others.
    init?(ofOwnMarkup html: String) {
        var rest = Array(html.utf8)[...]
        while let byte = rest.first {
            let isRead =
                switch byte {
                case UInt8(ascii: "<"): readTag(&rest)
                case UInt8(ascii: "&"): readReference(&rest)
                case 0x80...: readCharacters(&rest)
                default: readASCII(&rest)
                }
            guard isRead else { return nil }
        }
        guard openLink == nil else { return nil }
    }

    /// Each of these reads the beginning of `rest`; it returns `false` where that is none of the own markup.
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

    private mutating func readCharacters(_ rest: inout ArraySlice<UInt8>) -> Bool {
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
}
