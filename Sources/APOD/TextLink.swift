internal import CXML
internal import Glibc

/// A part of a text that leads somewhere.
package struct TextLink: Hashable, Sendable {
    /// The bytes of it in UTF-8.
    package let range: Range<Int>
    /// As NASA writes it, which may be anything.
    package let address: String

    /// The links in `html`, in the plain text that was made of it.
    ///
    /// Markup has more text than the plain one, such as labels, and other white space; all else must be
    /// the same, or nothing is a link.
    package static func all(in text: String, from html: String) -> [TextLink] {
        var reader = LinkReader(html)
        reader.read()
        guard !reader.links.isEmpty else { return [] }
        let text = Array(text.utf8)
        var letters: [UInt8] = []
        var places: [Int] = []
        letters.reserveCapacity(text.count)
        places.reserveCapacity(text.count)
        for (place, byte) in text.enumerated() where byte > 0x20 {
            letters.append(byte)
            places.append(place)
        }
        guard let start = reader.letters.firstPlace(of: letters) else { return [] }
        return reader.links.compactMap { link in
            let (first, last) = (link.range.lowerBound - start, link.range.upperBound - start - 1)
            guard 0 <= first, first <= last, last < places.count else { return nil }
            let range = places[first]..<places[last] + 1
            // Two paragraphs are no link.
            guard !text[range].contains(UInt8(ascii: "\n")) else { return nil }
            return TextLink(range: range, address: link.address)
        }
    }
}

/// Reads the links of a fragment of HTML and the letters around them; a browser shows the same of it
/// where it is well-formed.
private struct LinkReader {
    private let html: [UInt8]
    private var place = 0
    /// The text but for white space.
    private(set) var letters: [UInt8] = []
    /// Each with its place in ``letters``.
    private(set) var links: [TextLink] = []
    private var open: (start: Int, address: String)?

    init(_ html: String) {
        self.html = Array(html.utf8)
        letters.reserveCapacity(self.html.count)
    }

    private var rest: ArraySlice<UInt8> { html[place...] }

    mutating func read() {
        while place < html.count {
            let byte = html[place]
            switch byte {
            case UInt8(ascii: "<"): readTag()
            case UInt8(ascii: "&"): readReference()
            case ..<0x21, 0x7F: place += 1
            case ..<0x80: readLetters()
            default: readScalar()
            }
        }
    }

    // MARK: Characters

    private mutating func readLetters() {
        var end = place + 1
        while end < html.count, 0x21..<0x7F ~= html[end], html[end] != UInt8(ascii: "<"),
            html[end] != UInt8(ascii: "&")
        {
            end += 1
        }
        letters += html[place..<end]
        place = end
    }

    private mutating func readScalar() {
        let length = (~html[place]).leadingZeroBitCount
        append(String(decoding: rest.prefix(length), as: UTF8.self).unicodeScalars.first)
        place += length
    }

    private mutating func readReference() {
        let reference = Self.reference(rest)
        append(reference?.scalar ?? "&")
        place += reference?.length ?? 1
    }

    private mutating func append(_ scalar: Unicode.Scalar?) {
        guard let scalar, TextNormalizer.isSeen(scalar) else { return }
        letters += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
    }

    /// The character that a reference at the start of `bytes` stands for.
    private static func reference(
        _ bytes: ArraySlice<UInt8>
    ) -> (scalar: Unicode.Scalar, length: Int)? {
        let name = bytes.dropFirst().prefix(10).prefix { $0 != UInt8(ascii: ";") }
        guard !name.isEmpty, name.endIndex < bytes.endIndex,
            bytes[name.endIndex] == UInt8(ascii: ";")
        else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        let code: UInt32? =
            if text.hasPrefix("#x") || text.hasPrefix("#X") {
                UInt32(text.dropFirst(2), radix: 16)
            } else if text.hasPrefix("#") {
                UInt32(text.dropFirst())
            } else {
                unsafe htmlEntityLookup(text).map { unsafe $0.pointee.value }
            }
        return code.flatMap(Unicode.Scalar.init).map { ($0, name.count + 2) }
    }

    // MARK: Tags

    private mutating func readTag() {
        place += 1
        guard let first = rest.first, Self.isLetter(first) || "/!?".utf8.contains(first) else {
            return letters.append(UInt8(ascii: "<"))
        }
        guard !rest.starts(with: "!--".utf8) else { return skipComment() }
        let tag = rest.prefix(Self.length(ofTag: rest))
        place = min(place + tag.count + 1, html.count)
        if Self.isNamedA(tag) {
            close()
            open = Self.address(in: tag).map { (letters.count, $0) }
        } else if first == UInt8(ascii: "/"), Self.isNamedA(tag.dropFirst()) {
            close()
        }
    }

    private mutating func skipComment() {
        while place < html.count, !rest.starts(with: "-->".utf8) { place += 1 }
        place = min(place + 3, html.count)
    }

    private mutating func close() {
        if let open {
            links.append(.init(range: open.start..<letters.count, address: open.address))
        }
        open = nil
    }

    /// How far it is to the end of a tag, which stands in no quotes.
    private static func length(ofTag bytes: ArraySlice<UInt8>) -> Int {
        var quote: UInt8?
        let end = bytes.firstIndex { byte in
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
            return quote == nil && byte == UInt8(ascii: ">")
        }
        return (end ?? bytes.endIndex) - bytes.startIndex
    }

    private static func isNamedA(_ tag: ArraySlice<UInt8>) -> Bool {
        guard let first = tag.first, first | 0x20 == UInt8(ascii: "a") else { return false }
        return tag.dropFirst().first.map(isWhite) ?? true
    }

    private static func address(in tag: ArraySlice<UInt8>) -> String? {
        var rest = tag.dropFirst()
        while !rest.isEmpty {
            rest = rest.drop(while: isWhite)
            let name = rest.prefix { !isWhite($0) && $0 != UInt8(ascii: "=") }
            rest = rest.dropFirst(name.count).drop(while: isWhite)
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop(while: isWhite)
            let value: ArraySlice<UInt8>
            if let quote = rest.first, "\"'".utf8.contains(quote) {
                value = rest.dropFirst().prefix { $0 != quote }
                rest = rest.dropFirst(value.count + 2)
            } else {
                value = rest.prefix { !isWhite($0) }
                rest = rest.dropFirst(value.count)
            }
            let isAddress = name.lazy.map { $0 | 0x20 }.elementsEqual("href".utf8)
            if isAddress { return resolved(value) }
        }
        return nil
    }

    /// What the value of an attribute means.
    private static func resolved(_ value: ArraySlice<UInt8>) -> String {
        var (text, rest) = ("", value)
        while let end = rest.firstIndex(of: UInt8(ascii: "&")) {
            text += String(decoding: rest[..<end], as: UTF8.self)
            let reference = reference(rest[end...])
            text.unicodeScalars.append(reference?.scalar ?? "&")
            rest = rest[(end + (reference?.length ?? 1))...]
        }
        return text + String(decoding: rest, as: UTF8.self)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }

    private static func isWhite(_ byte: UInt8) -> Bool {
        byte == 0x20 || 0x09...0x0D ~= byte
    }
}

extension [UInt8] {
    /// Where `bytes` begin in it, neither of which has a zero; see strstr(3).
    fileprivate func firstPlace(of bytes: [UInt8]) -> Int? {
        unsafe (self + [0]).withCString { all in
            unsafe (bytes + [0]).withCString { part in
                unsafe strstr(all, part).map { unsafe UnsafePointer($0) - all }
            }
        }
    }

    private func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result?) -> Result? {
        unsafe withUnsafeBytes { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { text in
                unsafe text.baseAddress.flatMap { unsafe body($0) }
            }
        }
    }
}
