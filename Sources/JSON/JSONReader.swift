/// Parses JSON in one pass; see RFC 8259.
struct JSONReader {
    let bytes: ArraySlice<UInt8>
    var position: Int
    private var depth = 0
    /// Whether control characters in strings are accepted, and invalid escapes become U+FFFD.
    private let repairsStrings: Bool

    /// Each level of nesting needs a part of the stack, and a thread may have only 512 KiB.
    private static let depthLimit = 512

    /// Begins to read `bytes`, JSON in UTF-8; a byte order mark before it is skipped.
    init(_ bytes: ArraySlice<UInt8>, repairsStrings: Bool = false) {
        self.bytes = bytes
        self.repairsStrings = repairsStrings
        position = bytes.startIndex + (bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    }

    /// Parses a document of one value.
    mutating func document() throws(JSON.Malformed) -> JSON {
        let value = try value()
        try end()
        return value
    }

    /// - Throws: ``JSON/Malformed`` unless only white space is left.
    mutating func end() throws(JSON.Malformed) {
        skipWhiteSpace()
        guard byte == nil else { throw malformed }
    }

    var malformed: JSON.Malformed { JSON.Malformed(position: position - bytes.startIndex) }

    var byte: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    mutating func skipWhiteSpace() {
        while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    /// Skips white space and `expected`; returns false where another character follows.
    mutating func take(_ expected: Unicode.Scalar) -> Bool {
        skipWhiteSpace()
        guard byte == UInt8(ascii: expected) else { return false }
        position += 1
        return true
    }

    private mutating func value() throws(JSON.Malformed) -> JSON {
        skipWhiteSpace()
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard depth < Self.depthLimit else { throw malformed }
            depth += 1
            defer { depth -= 1 }
            let isObject = byte == UInt8(ascii: "{")
            position += 1
            return isObject ? try object() : try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func object() throws(JSON.Malformed) -> JSON {
        var members: [JSON.Member] = []
        if take("}") { return .object(members) }
        repeat {
            skipWhiteSpace()
            let key = try string()
            guard take(":") else { throw malformed }
            members.append(JSON.Member(key: key, value: try value()))
        } while take(",")
        guard take("}") else { throw malformed }
        return .object(members)
    }

    private mutating func array() throws(JSON.Malformed) -> JSON {
        var elements: [JSON] = []
        if take("]") { return .array(elements) }
        repeat { elements.append(try value()) } while take(",")
        guard take("]") else { throw malformed }
        return .array(elements)
    }

    private mutating func word(_ word: String, _ value: JSON) throws(JSON.Malformed) -> JSON {
        guard bytes[position...].starts(with: word.utf8) else { throw malformed }
        position += word.utf8.count
        return value
    }

    // MARK: Numbers

    /// Parses the number that begins here.
    ///
    /// A large integer loses digits, as in JavaScript; a number that is larger than any `Double` is rejected.
    private mutating func number() throws(JSON.Malformed) -> JSON {
        let start = position
        if byte == UInt8(ascii: "-") { position += 1 }
        let whole = position
        try digits()
        guard bytes[whole] != UInt8(ascii: "0") || position == whole + 1 else { throw malformed }
        var isInteger = true
        if byte == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            try digits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            isInteger = false
            position += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let integer = Int(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw malformed }
        return .number(number)
    }

    private mutating func digits() throws(JSON.Malformed) {
        let start = position
        while let byte, 0x30...0x39 ~= byte { position += 1 }
        guard position > start else { throw malformed }
    }

    // MARK: Strings

    /// Parses the string whose opening quote is here.
    private mutating func string() throws(JSON.Malformed) -> String {
        guard byte == UInt8(ascii: "\"") else { throw malformed }
        position += 1
        let start = position
        skipUnescaped()
        guard byte == UInt8(ascii: "\"") else { return try escaped(from: start) }
        let content = bytes[start..<position]
        position += 1
        // ASCII is valid UTF-8; the validation would take longer.
        let isASCII = content.allSatisfy { $0 < 0x80 }
        return isASCII ? String(decoding: content, as: UTF8.self) : try validated(content)
    }

    /// Skips to the next quote, escape or control character in a string.
    private mutating func skipUnescaped() {
        let mayHaveControls = repairsStrings
        position =
            bytes[position...].firstIndex {
                $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
                    || $0 < 0x20 && !mayHaveControls
            } ?? bytes.endIndex
    }

    private func validated(_ content: some Collection<UInt8>) throws(JSON.Malformed) -> String {
        guard let text = String(validating: content, as: UTF8.self) else { throw malformed }
        return text
    }

    /// Decodes a string whose content begins at `start` and whose first escape is next.
    private mutating func escaped(from start: Int) throws(JSON.Malformed) -> String {
        var content = Array(bytes[start..<position])
        while byte == UInt8(ascii: "\\") {
            position += 1
            let character = try escape()
            // Nearly all are quotes and line feeds.
            if character.isASCII {
                content.append(UInt8(ascii: character))
            } else {
                content += character.utf8
            }
            let run = position
            skipUnescaped()
            content += bytes[run..<position]
        }
        guard byte == UInt8(ascii: "\"") else { throw malformed }
        position += 1
        return try validated(content)
    }

    private mutating func escape() throws(JSON.Malformed) -> Unicode.Scalar {
        guard let byte else { throw malformed }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try scalar()
        case _ where repairsStrings: return "\u{FFFD}"
        default: throw malformed
        }
    }

    /// Decodes the four digits after `\u`, or a surrogate pair of two such escapes; half of a pair is no character.
    private mutating func scalar() throws(JSON.Malformed) -> Unicode.Scalar {
        let unit = try fourDigits()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let end = position
        if UTF16.isLeadSurrogate(unit), bytes[position...].starts(with: [0x5C, 0x75]) {
            position += 2
            let trail = try fourDigits()
            if UTF16.isTrailSurrogate(trail) {
                return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
            }
        }
        guard repairsStrings else { throw malformed }
        position = end
        return "\u{FFFD}"
    }

    private mutating func fourDigits() throws(JSON.Malformed) -> UInt16 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.first != UInt8(ascii: "+"),
            digits.first != UInt8(ascii: "-"),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else {
            guard repairsStrings else { throw malformed }
            // Half of a pair, which stands for no character.
            return 0xD800
        }
        position += 4
        return unit
    }
}
