/// Writes JSON values, on many lines for files and on one line for logs and pages.
extension JSON {
    /// The value as a document in UTF-8 for a file: indented by two spaces, with a line feed at the end.
    package var document: [UInt8] {
        var text: [UInt8] = []
        write(to: &text, indent: "")
        return text + [UInt8(ascii: "\n")]
    }

    /// The value on one line.
    package var line: String {
        var text: [UInt8] = []
        write(to: &text, indent: nil)
        return String(decoding: text, as: UTF8.self)
    }

    /// Writes the value to the end of `text`; `indent` is the white space of the line, or `nil` to write on one line.
    private func write(to text: inout [UInt8], indent: String?) {
        switch self {
        case .null: text += "null".utf8
        case .bool(let bool): text += (bool ? "true" : "false").utf8
        case .integer(let integer): text += String(integer).utf8
        // JSON has no infinity, see RFC 8259, section 6. JavaScript writes null for it, too.
        case .number(let number): text += (number.isFinite ? String(number) : "null").utf8
        case .string(let string): Self.quote(string, to: &text)
        case .array(let elements):
            let items = elements.map { (key: String?.none, value: $0) }
            Self.write(items, between: "[", and: "]", to: &text, indent: indent)
        case .object(let members):
            let items = members.map { (key: String?.some($0.key), value: $0.value) }
            Self.write(items, between: "{", and: "}", to: &text, indent: indent)
        }
    }

    /// Writes the elements of an array, which have no key, or the members of an object.
    private static func write(
        _ items: [(key: String?, value: JSON)], between opening: String, and closing: String,
        to text: inout [UInt8], indent: String?
    ) {
        text += opening.utf8
        let innerIndent = indent.map { $0 + "  " }
        for (index, item) in items.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            if let innerIndent { text += "\n\(innerIndent)".utf8 }
            if let key = item.key {
                quote(key, to: &text)
                text += (indent == nil ? ":" : ": ").utf8
            }
            item.value.write(to: &text, indent: innerIndent)
        }
        if let indent, !items.isEmpty { text += "\n\(indent)".utf8 }
        text += closing.utf8
    }

    private static func quote(_ string: String, to text: inout [UInt8]) {
        let bytes = Array(string.utf8)
        text.append(UInt8(ascii: "\""))
        // The bytes between two escapes are appended together, which is faster.
        var start = 0
        for index in bytes.indices {
            guard let escape = escapeSequence(for: bytes[index]) else { continue }
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
