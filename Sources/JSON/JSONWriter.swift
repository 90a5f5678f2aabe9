extension JSON {
    /// The value as a UTF-8 document: indented by two spaces, with a line feed at the end.
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

    /// Writes the value with `indent` before its inner lines, or on one line if `indent` is `nil`.
    private func write(to text: inout [UInt8], indent: String?) {
        switch self {
        case .null: text += "null".utf8
        case .bool(let bool): text += (bool ? "true" : "false").utf8
        case .integer(let integer): text += String(integer).utf8
        // JSON has no infinity, see RFC 8259, section 6. JavaScript writes null for it, too.
        case .number(let number): text += (number.isFinite ? String(number) : "null").utf8
        case .string(let string): Self.quote(string, to: &text)
        case .array(let elements):
            Self.write(elements.map { (nil, $0) }, between: "[", "]", to: &text, indent: indent)
        case .object(let members):
            Self.write(
                members.map { ($0.key, $0.value) }, between: "{", "}", to: &text, indent: indent)
        }
    }

    private static func write(
        _ items: [(key: String?, value: JSON)], between open: String, _ close: String,
        to text: inout [UInt8], indent: String?
    ) {
        text += open.utf8
        let inner = indent.map { $0 + "  " }
        for (index, item) in items.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            if let inner { text += "\n\(inner)".utf8 }
            if let key = item.key {
                quote(key, to: &text)
                text += (indent == nil ? ":" : ": ").utf8
            }
            item.value.write(to: &text, indent: inner)
        }
        if let indent, !items.isEmpty { text += "\n\(indent)".utf8 }
        text += close.utf8
    }

    private static func quote(_ string: String, to text: inout [UInt8]) {
        let bytes = Array(string.utf8)
        text.append(UInt8(ascii: "\""))
        // Bytes without an escape are appended in runs.
        var run = 0
        for index in bytes.indices {
            guard let escape = escape(bytes[index]) else { continue }
            text += bytes[run..<index]
            text += escape.utf8
            run = index + 1
        }
        text += bytes[run...]
        text.append(UInt8(ascii: "\""))
    }

    /// The escape of a quotation mark, a backslash or a control character; `nil` for other bytes.
    private static func escape(_ byte: UInt8) -> String? {
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
