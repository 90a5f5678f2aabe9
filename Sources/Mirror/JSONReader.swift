/// Reads JSON from bytes in one pass; see RFC 8259.
///
/// Made for the many small files of a tree: ten thousand of them are read at every start.
struct JSONReader {
    let bytes: [UInt8]
    var position: Int
    private var depth = 0

    /// The deepest nesting that is read: more is no document of ours.
    private static let deepest = 512

    /// Reads the one value that `bytes` are.
    static func value(of bytes: [UInt8]) throws(JSON.Malformed) -> JSON {
        var reader = JSONReader(bytes)
        let value = try reader.value()
        reader.skipBlanks()
        guard reader.byte == nil else { throw reader.malformed }
        return value
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // An editor may have put a byte order mark before the text.
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    var malformed: JSON.Malformed { JSON.Malformed(position: position) }

    var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    /// Goes past `expected`, blanks before it left out; false where something else comes.
    private mutating func take(_ expected: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard byte == UInt8(ascii: expected) else { return false }
        position += 1
        return true
    }

    private mutating func value() throws(JSON.Malformed) -> JSON {
        skipBlanks()
        switch byte {
        case UInt8(ascii: "{"):
            return try nested { reader throws(JSON.Malformed) in try reader.object() }
        case UInt8(ascii: "["):
            return try nested { reader throws(JSON.Malformed) in try reader.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func nested(
        _ read: (inout JSONReader) throws(JSON.Malformed) -> JSON
    ) throws(JSON.Malformed) -> JSON {
        guard depth < Self.deepest else { throw malformed }
        depth += 1
        defer { depth -= 1 }
        position += 1
        return try read(&self)
    }

    private mutating func object() throws(JSON.Malformed) -> JSON {
        var members: [JSON.Member] = []
        if take("}") { return .object(members) }
        repeat {
            skipBlanks()
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

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSON.Malformed) -> JSON {
        let text = "\(word)"
        guard bytes[position...].starts(with: text.utf8) else { throw malformed }
        position += text.utf8.count
        return value
    }
}
