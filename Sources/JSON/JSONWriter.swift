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

    /// Writes the value: on one line if `indent` is `nil`.
    private func write(to text: inout [UInt8], indent: String?) {
        switch self {
        case .null: text += "null".utf8
        case .bool(let bool): text += (bool ? "true" : "false").utf8
        case .integer(let integer): text += String(integer).utf8
        // JSON has no infinity; see RFC 8259, section 6.
        case .number(let number): text += (number.isFinite ? String(number) : "null").utf8
        case .string(let string): Self.quote(string, to: &text)
        case .array(let elements):
            Self.bracket("[", "]", elements, to: &text, indent) { $0.write(to: &$1, indent: $2) }
        case .object(let members):
            Self.bracket("{", "}", members, to: &text, indent) { member, text, indent in
                Self.quote(member.key, to: &text)
                text += (indent == nil ? ":" : ": ").utf8
                member.value.write(to: &text, indent: indent)
            }
        }
    }

    private static func bracket<Element>(
        _ open: String, _ close: String, _ elements: [Element], to text: inout [UInt8],
        _ indent: String?, _ write: (Element, inout [UInt8], String?) -> Void
    ) {
        text += open.utf8
        let inner = indent.map { $0 + "  " }
        for (index, element) in elements.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            if let inner { text += "\n\(inner)".utf8 }
            write(element, &text, inner)
        }
        if let indent, !elements.isEmpty { text += "\n\(indent)".utf8 }
        text += close.utf8
    }

    private static func quote(_ string: String, to text: inout [UInt8]) {
        let bytes = Array(string.utf8)
        text.append(UInt8(ascii: "\""))
        // What needs no escape is appended in runs.
        var run = 0
        for index in bytes.indices {
            guard let (escape, length) = escape(bytes, at: index) else { continue }
            text += bytes[run..<index]
            text += escape.utf8
            run = index + length
        }
        text += bytes[run...]
        text.append(UInt8(ascii: "\""))
    }

    /// The escape of a character that a string cannot contain, or that some readers take for a line feed, and
    /// the number of its bytes.
    private static func escape(_ bytes: [UInt8], at index: Int) -> (escape: String, length: Int)? {
        switch bytes[index] {
        case UInt8(ascii: "\""): return ("\\\"", 1)
        case UInt8(ascii: "\\"): return ("\\\\", 1)
        case UInt8(ascii: "\n"): return ("\\n", 1)
        case UInt8(ascii: "\r"): return ("\\r", 1)
        case UInt8(ascii: "\t"): return ("\\t", 1)
        case ..<0x20, 0x7F:
            let digits = String(bytes[index], radix: 16)
            return ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits, 1)
        case 0xE2 where bytes[index...].starts(with: "\u{2028}".utf8): return ("\\u2028", 3)
        case 0xE2 where bytes[index...].starts(with: "\u{2029}".utf8): return ("\\u2029", 3)
        default: return nil
        }
    }
}
