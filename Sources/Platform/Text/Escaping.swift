// Escapes text for URLs, HTML and shell commands, decodes text in URLs, and trims text in headers and settings.

extension Collection<UInt8> {
    /// These bytes percent-encoded, except those that `isKept` accepts; see RFC 3986, section 2.1.
    package func percentEncoded(where isKept: (UInt8) -> Bool) -> String {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(count)
        for byte in self {
            if isKept(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append((byte >> 4).hexDigit)
                encoded.append((byte & 15).hexDigit)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Decodes `%C3%A4` to two bytes.
    ///
    /// The result need not be UTF-8. A percent sign without two digits after it stays.
    package var percentDecoded: [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(self)[...]
        while let byte = rest.popFirst() {
            let next = byte == UInt8(ascii: "%") ? rest.prefix(2) : []
            let digits = next.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            if digits.count == 2 {
                bytes.append(UInt8(digits[0] << 4 | digits[1]))
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without blanks, tabs and carriage returns at both ends.
    package var withoutBlanks: Self {
        func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D].contains(byte) }
        let rest = drop(while: isBlank)
        guard let last = rest.lastIndex(where: { !isBlank($0) }) else { return [] }
        return rest[...last]
    }
}

extension UInt8 {
    /// The digit of this number below 16, in upper case.
    fileprivate var hexDigit: UInt8 { self < 10 ? 0x30 + self : 0x41 + self - 10 }

    /// The reference for a special character of HTML, such as `&amp;`; `nil` for other characters.
    fileprivate var htmlEscape: String? {
        switch self {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        default: nil
        }
    }

    /// Whether the byte is a letter of ASCII, upper or lower case, or a digit.
    package var isASCIIWord: Bool { 0x30...0x39 ~= self || 0x61...0x7A ~= self | 0x20 }
}

extension String {
    /// Encodes all bytes but ASCII letters, digits and `marks`, so that `a b` becomes `a%20b`.
    ///
    /// By default, the marks are those that need no encoding in a URL; see RFC 3986, section 2.3.
    package func percentEncoded(keeping marks: String = "-._~") -> String {
        let marks = Array(marks.utf8)
        let isKept = { (byte: UInt8) in byte.isASCIIWord || marks.contains(byte) }
        return utf8.allSatisfy(isKept) ? self : utf8.percentEncoded(where: isKept)
    }

    /// Replaces each `scalar`, even where it forms one character with a combining mark after it.
    package func replacing(_ scalar: Unicode.Scalar, by text: String) -> String {
        guard contains(bytes: String(scalar)) else { return self }
        return unicodeScalars.map { $0 == scalar ? text : String($0) }.joined()
    }

    /// The text with the special characters of HTML escaped, for use as content and in attributes in double quotes.
    package var htmlEscaped: String {
        guard utf8.contains(where: { $0.htmlEscape != nil }) else { return self }
        var escaped: [UInt8] = []
        for byte in utf8 {
            if let escape = byte.htmlEscape { escaped += escape.utf8 } else { escaped.append(byte) }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    /// The text as one word for sh(1): `pictures/2026`, `'my picture.jpg'`.
    package var shellWord: String {
        let isPlain = utf8.allSatisfy { $0.isASCIIWord || "/._-+=:@%,".utf8.contains($0) }
        return isPlain && !isEmpty ? self : "'\(replacing("'", by: "'\\''"))'"
    }
}
