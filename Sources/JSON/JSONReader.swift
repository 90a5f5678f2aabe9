/// Parses JSON in one pass, for ``JSON`` and ``RawJSON``; see RFC 8259.
struct JSONReader {
    let bytes: ArraySlice<UInt8>
    /// The index in ``bytes`` of the next byte to read.
    var position: Int
    /// How many lists and objects around the position have not ended yet.
    private var depth = 0
    /// Whether strings may have control characters, and U+FFFD replaces each invalid escape.
    ///
    /// `"a\qb"`, which is invalid, is then read as `a\u{FFFD}b`.
    private let repairsStrings: Bool

    /// Each level takes a part of the stack, and a thread may have only 512 KiB.
    private static let depthLimit = 512
    private static let byteOrderMark = "\u{FEFF}".utf8

    /// Begins to read `bytes`, JSON in UTF-8; a byte order mark before it is skipped.
    init(_ bytes: ArraySlice<UInt8>, repairsStrings: Bool = false) {
        self.bytes = bytes
        self.repairsStrings = repairsStrings
        let hasMark = bytes.starts(with: Self.byteOrderMark)
        position = bytes.startIndex + (hasMark ? Self.byteOrderMark.count : 0)
    }

    /// Parses a document of one value.
    mutating func document() throws(JSON.Malformed) -> JSON {
        let root = try value()
        try checkEnd()
        return root
    }

    /// - Throws: ``JSON/Malformed`` unless only white space is left.
    mutating func checkEnd() throws(JSON.Malformed) {
        skipWhiteSpace()
        guard byte == nil else { throw malformed }
    }

    /// The error that the bytes are no JSON from the position on.
    var malformed: JSON.Malformed { JSON.Malformed(position: position - bytes.startIndex) }

    /// The next byte; `nil` at the end.
    var byte: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    mutating func skipWhiteSpace() {
        // The blank, the tab, the line feed and the carriage return.
        while let byte, byte == 0x20 || 0x09...0x0A ~= byte || byte == 0x0D { position += 1 }
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
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
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

    /// Skips `text`, which stands for `json`: `true`, `false` or `null`.
    private mutating func literal(_ text: String, _ json: JSON) throws(JSON.Malformed) -> JSON {
        guard bytes[position...].starts(with: text.utf8) else { throw malformed }
        position += text.utf8.count
        return json
    }

    // MARK: Numbers

    /// Parses the number that begins here.
    ///
    /// An integer too large for `Int` loses digits, as in JavaScript. `1e999` is rejected: no `Double` is so large.
    private mutating func number() throws(JSON.Malformed) -> JSON {
        let start = position
        if byte == UInt8(ascii: "-") { position += 1 }
        let firstDigit = position
        try skipDigits()
        // `0` and `0.5` are numbers, but `05` is none.
        let startsWithZero = bytes[firstDigit] == UInt8(ascii: "0")
        guard !startsWithZero || position == firstDigit + 1 else { throw malformed }
        var isInteger = true
        if byte == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            try skipDigits()
        }
        if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            isInteger = false
            position += 1
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isInteger, let integer = Int(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw malformed }
        return .number(number)
    }

    /// Skips one digit or more.
    private mutating func skipDigits() throws(JSON.Malformed) {
        let start = position
        while let byte, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { position += 1 }
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
        let end = bytes[position...].firstIndex {
            // All bytes below the blank are control characters.
            $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
                || ($0 < UInt8(ascii: " ") && !mayHaveControls)
        }
        position = end ?? bytes.endIndex
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
            let unescaped = position
            skipUnescaped()
            content += bytes[unescaped..<position]
        }
        guard byte == UInt8(ascii: "\"") else { throw malformed }
        position += 1
        return try validated(content)
    }

    /// Decodes the escape whose backslash was before the position: `n` is a line feed.
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
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: return try replacement()
        }
    }

    /// Decodes what follows `\u`: four digits, or a surrogate pair of two escapes.
    ///
    /// `\u00e9` is é, and `\ud83d\ude80` is 🚀. One half of a pair is no character; what follows is read by itself.
    private mutating func unicodeEscape() throws(JSON.Malformed) -> Unicode.Scalar {
        guard let unit = fourDigits() else { return try replacement() }
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let afterUnit = position
        if UTF16.isLeadSurrogate(unit), bytes[position...].starts(with: #"\u"#.utf8) {
            position += 2
            if let trail = fourDigits(), UTF16.isTrailSurrogate(trail) {
                return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
            }
        }
        let replacementCharacter = try replacement()
        position = afterUnit
        return replacementCharacter
    }

    /// Skips the four hexadecimal digits of a UTF-16 code unit; `nil`, and nothing is skipped, if there are fewer.
    private mutating func fourDigits() -> UInt16? {
        let digits = bytes[position...].prefix(4)
        // `UInt16` would accept a sign.
        guard digits.count == 4, digits.first != UInt8(ascii: "+"),
            digits.first != UInt8(ascii: "-"),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        position += 4
        return unit
    }

    /// U+FFFD in place of an escape that stands for no character.
    ///
    /// - Throws: ``JSON/Malformed`` if strings are not repaired.
    private func replacement() throws(JSON.Malformed) -> Unicode.Scalar {
        guard repairsStrings else { throw malformed }
        return "\u{FFFD}"
    }
}
