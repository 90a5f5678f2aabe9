extension JSON {
    /// The value as a document in UTF-8 for a file: indented by two spaces, with a line feed at the end.
    package var document: [UInt8] {
        var writer = JSONWriter(isIndented: true)
        writer.write(self)
        return writer.text + [UInt8(ascii: "\n")]
    }

    /// The value on one line, for logs and pages.
    package var line: String {
        var writer = JSONWriter(isIndented: false)
        writer.write(self)
        return String(decoding: writer.text, as: UTF8.self)
    }
}

/// Writes one JSON value as UTF-8.
private struct JSONWriter {
    /// Whether each element and each member has a line of its own.
    let isIndented: Bool
    private(set) var text: [UInt8] = []
    /// How many lists and objects around the end of ``text`` have not ended yet.
    private var depth = 0

    init(isIndented: Bool) { self.isIndented = isIndented }

    mutating func write(_ value: JSON) {
        switch value {
        case .null: text += "null".utf8
        case .bool(let bool): text += (bool ? "true" : "false").utf8
        case .integer(let integer): text += String(integer).utf8
        // JSON has no infinity, see RFC 8259, section 6. JavaScript writes null for it, too.
        case .number(let number): text += (number.isFinite ? String(number) : "null").utf8
        case .string(let string): write(quoted: string)
        case .array(let elements): write(elements)
        case .object(let members): write(members)
        }
    }

    private mutating func write(_ elements: [JSON]) {
        begin("[")
        for (index, element) in elements.enumerated() {
            separate(isFirst: index == 0)
            write(element)
        }
        end("]", isEmpty: elements.isEmpty)
    }

    private mutating func write(_ members: [JSON.Member]) {
        begin("{")
        for (index, member) in members.enumerated() {
            separate(isFirst: index == 0)
            write(quoted: member.key)
            text += (isIndented ? ": " : ":").utf8
            write(member.value)
        }
        end("}", isEmpty: members.isEmpty)
    }

    // MARK: Lists and objects

    private mutating func begin(_ bracket: Unicode.Scalar) {
        text.append(UInt8(ascii: bracket))
        depth += 1
    }

    /// Writes what comes before an element or member.
    private mutating func separate(isFirst: Bool) {
        if !isFirst { text.append(UInt8(ascii: ",")) }
        beginLine()
    }

    private mutating func end(_ bracket: Unicode.Scalar, isEmpty: Bool) {
        depth -= 1
        if !isEmpty { beginLine() }
        text.append(UInt8(ascii: bracket))
    }

    private mutating func beginLine() {
        guard isIndented else { return }
        text.append(UInt8(ascii: "\n"))
        text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    // MARK: Strings

    private mutating func write(quoted string: String) {
        let bytes = Array(string.utf8)
        text.append(UInt8(ascii: "\""))
        // The bytes between two escapes are appended together, which is faster.
        var start = 0
        for index in bytes.indices {
            guard let escape = Self.escapeSequence(for: bytes[index]) else { continue }
            text += bytes[start..<index]
            text += escape.utf8
            start = index + 1
        }
        text += bytes[start...]
        text.append(UInt8(ascii: "\""))
    }

    /// The escape of a quotation mark, a backslash or a control character; `nil` for other bytes.
    private static func escapeSequence(for byte: UInt8) -> String? {
        switch byte {
        case UInt8(ascii: "\""): return "\\\""
        case UInt8(ascii: "\\"): return "\\\\"
        case UInt8(ascii: "\n"): return "\\n"
        case UInt8(ascii: "\r"): return "\\r"
        case UInt8(ascii: "\t"): return "\\t"
        case ..<0x20, 0x7F:
            let digits = String(byte, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: return nil
        }
    }
}
