internal import CXML
internal import Glibc

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
        var scanner = HTMLLinkScanner(html)
        scanner.scan()
        guard !scanner.links.isEmpty else { return [] }
        let text = Array(text.utf8)
        var letters: [UInt8] = []
        var offsets: [Int] = []
        letters.reserveCapacity(text.count)
        offsets.reserveCapacity(text.count)
        for (offset, byte) in text.enumerated() where byte > 0x20 {
            letters.append(byte)
            offsets.append(offset)
        }
        guard let start = scanner.letters.firstOffset(of: letters) else { return [] }
        return scanner.links.compactMap { link in
            let (first, last) = (link.range.lowerBound - start, link.range.upperBound - start - 1)
            guard 0 <= first, first <= last, last < offsets.count else { return nil }
            let range = offsets[first]..<offsets[last] + 1
            // A link across paragraphs is an error in the markup.
            guard !text[range].contains(UInt8(ascii: "\n")) else { return nil }
            return TextLink(range: range, address: link.address)
        }
    }
}

/// Scans well-formed HTML for its links and its visible text.
private struct HTMLLinkScanner {
    private let html: [UInt8]
    private var position = 0
    /// The text without white space.
    private(set) var letters: [UInt8] = []
    /// The links; ranges refer to ``letters``.
    private(set) var links: [TextLink] = []
    private var open: (start: Int, address: String)?

    init(_ html: String) {
        self.html = Array(html.utf8)
        letters.reserveCapacity(self.html.count)
    }

    private var rest: ArraySlice<UInt8> { html[position...] }

    mutating func scan() {
        while position < html.count {
            let byte = html[position]
            switch byte {
            case UInt8(ascii: "<"): readTag()
            case UInt8(ascii: "&"): readReference()
            case ..<0x21, 0x7F: position += 1
            case ..<0x80: readLetters()
            default: readScalar()
            }
        }
    }

    // MARK: Characters

    private mutating func readLetters() {
        var end = position + 1
        while end < html.count, 0x21..<0x7F ~= html[end], html[end] != UInt8(ascii: "<"),
            html[end] != UInt8(ascii: "&")
        {
            end += 1
        }
        letters += html[position..<end]
        position = end
    }

    private mutating func readScalar() {
        let length = (~html[position]).leadingZeroBitCount
        append(String(decoding: rest.prefix(length), as: UTF8.self).unicodeScalars.first)
        position += length
    }

    private mutating func readReference() {
        let reference = Self.reference(rest)
        append(reference?.scalar ?? "&")
        position += reference?.length ?? 1
    }

    private mutating func append(_ scalar: Unicode.Scalar?) {
        guard let scalar, TextNormalizer.isVisible(scalar) else { return }
        letters += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
    }

    /// Decodes the character reference at the beginning of `bytes`.
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
        position += 1
        guard let first = rest.first, Self.isLetter(first) || "/!?".utf8.contains(first) else {
            return letters.append(UInt8(ascii: "<"))
        }
        guard !rest.starts(with: "!--".utf8) else { return skipComment() }
        let tag = rest.prefix(Self.length(ofTag: rest))
        position = min(position + tag.count + 1, html.count)
        if Self.isNamedA(tag) {
            close()
            open = Self.address(in: tag).map { (letters.count, $0) }
        } else if first == UInt8(ascii: "/"), Self.isNamedA(tag.dropFirst()) {
            close()
        }
    }

    private mutating func skipComment() {
        while position < html.count, !rest.starts(with: "-->".utf8) { position += 1 }
        position = min(position + 3, html.count)
    }

    private mutating func close() {
        if let open {
            links.append(.init(range: open.start..<letters.count, address: open.address))
        }
        open = nil
    }

    /// Returns the number of bytes before the unquoted `>` that ends a tag.
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

    /// Decodes the character references in the value of an attribute.
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
    /// Returns the first offset of `bytes`; neither array may contain a zero; see strstr(3).
    fileprivate func firstOffset(of bytes: [UInt8]) -> Int? {
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
