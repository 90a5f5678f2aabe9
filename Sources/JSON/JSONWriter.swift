extension JSON {
    /// The value as a UTF-8 document: indented by two spaces, with a line feed at the end.
    package var document: [UInt8] {
        var text = ""
        write(to: &text, indent: "", pretty: true)
        return Array((text + "\n").utf8)
    }

    /// The value on one line.
    package var line: String {
        var text = ""
        write(to: &text, indent: "", pretty: false)
        return text
    }

    private func write(to text: inout String, indent: String, pretty: Bool) {
        switch self {
        case .null: text += "null"
        case .bool(let bool): text += bool ? "true" : "false"
        case .integer(let integer): text += String(integer)
        // JSON has no infinity; see RFC 8259, section 6.
        case .number(let number): text += number.isFinite ? String(number) : "null"
        case .string(let string): Self.quote(string, to: &text)
        case .array(let elements):
            Self.bracket("[", "]", elements, to: &text, indent, pretty) { element, text, indent in
                element.write(to: &text, indent: indent, pretty: pretty)
            }
        case .object(let members):
            Self.bracket("{", "}", members, to: &text, indent, pretty) { member, text, indent in
                Self.quote(member.key, to: &text)
                text += pretty ? ": " : ":"
                member.value.write(to: &text, indent: indent, pretty: pretty)
            }
        }
    }

    private static func bracket<Element>(
        _ open: String, _ close: String, _ elements: [Element], to text: inout String,
        _ indent: String, _ pretty: Bool, _ write: (Element, inout String, String) -> Void
    ) {
        text += open
        let inner = indent + "  "
        for (index, element) in elements.enumerated() {
            if index > 0 { text += "," }
            if pretty { text += "\n" + inner }
            write(element, &text, inner)
        }
        if pretty, !elements.isEmpty { text += "\n" + indent }
        text += close
    }

    private static func quote(_ string: String, to text: inout String) {
        text += "\""
        let scalars = string.unicodeScalars
        // What needs no escape is appended in runs, because appending single scalars is slow.
        var run = scalars.startIndex
        for index in scalars.indices {
            guard let escape = escape(scalars[index]) else { continue }
            text += Substring(scalars[run..<index])
            text += escape
            run = scalars.index(after: index)
        }
        text += Substring(scalars[run...])
        text += "\""
    }

    /// The escape of a scalar that a string cannot contain, or that some readers take for a line feed.
    private static func escape(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "\"": return "\\\""
        case "\\": return "\\\\"
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        case ..<" ", "\u{7f}", "\u{2028}", "\u{2029}":
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: return nil
        }
    }
}
