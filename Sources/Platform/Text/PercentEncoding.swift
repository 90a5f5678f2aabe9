/// Encodes and decodes bytes in URLs, such as `%C3%A4` for ä; see RFC 3986, section 2.1.
extension Collection<UInt8> {
    /// These bytes percent-encoded, except those that `isKept` accepts.
    package func percentEncoded(where isKept: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        encoded.reserveCapacity(count)
        for byte in self {
            if isKept(byte) {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
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

extension String {
    /// Encodes all bytes but ASCII letters, digits and `marks`, so that `a b` becomes `a%20b`.
    ///
    /// By default, the marks are those that need no encoding in a URL; see RFC 3986, section 2.3.
    package func percentEncoded(keeping marks: String = "-._~") -> String {
        let marks = Array(marks.utf8)
        let isKept = { (byte: UInt8) in byte.isASCIIWord || marks.contains(byte) }
        return utf8.allSatisfy(isKept) ? self : utf8.percentEncoded(where: isKept)
    }
}

extension UInt8 {
    /// Whether the byte is a letter of ASCII, upper or lower case, or a digit.
    package var isASCIIWord: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
