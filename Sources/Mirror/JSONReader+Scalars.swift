extension JSONReader {
    // MARK: Numbers

    mutating func number() throws(JSON.Malformed) -> JSON {
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

    mutating func string() throws(JSON.Malformed) -> String {
        guard byte == UInt8(ascii: "\"") else { throw malformed }
        position += 1
        let start = position
        var all: UInt8 = 0
        while let byte, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
            all |= byte
            position += 1
        }
        guard byte == UInt8(ascii: "\"") else { return try escaped(from: start) }
        guard all < 0x80 else { return try text(bytes[start..<position]) }
        // ASCII needs no look whether it is UTF-8, which takes longer.
        position += 1
        return String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
    }

    /// Ends a string at the quote that comes now.
    private mutating func text(
        _ content: some Collection<UInt8>
    ) throws(JSON.Malformed) -> String {
        guard let text = String(validating: content, as: UTF8.self) else { throw malformed }
        position += 1
        return text
    }

    /// Reads on where a string that began at `start` has its first escape.
    private mutating func escaped(from start: Int) throws(JSON.Malformed) -> String {
        var content = Array(bytes[start..<position])
        while let byte, byte >= 0x20 {
            if byte == UInt8(ascii: "\"") { return try text(content) }
            position += 1
            if byte == UInt8(ascii: "\\") {
                content += try String(escape()).utf8
            } else {
                content.append(byte)
            }
        }
        throw malformed
    }

    private mutating func escape() throws(JSON.Malformed) -> Character {
        guard let byte else { throw malformed }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            return Character(Unicode.Scalar(byte))
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return Character(try scalar())
        default: throw malformed
        }
    }

    /// A scalar in four digits, or in twice four as UTF-16 has it.
    private mutating func scalar() throws(JSON.Malformed) -> Unicode.Scalar {
        let unit = try fourDigits()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard UTF16.isLeadSurrogate(unit), bytes[position...].starts(with: [0x5C, 0x75]) else {
            throw malformed
        }
        position += 2
        let trail = try fourDigits()
        guard UTF16.isTrailSurrogate(trail) else { throw malformed }
        return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
    }

    private mutating func fourDigits() throws(JSON.Malformed) -> UInt16 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4, digits.first != UInt8(ascii: "+"),
            digits.first != UInt8(ascii: "-"),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw malformed }
        position += 4
        return unit
    }
}
