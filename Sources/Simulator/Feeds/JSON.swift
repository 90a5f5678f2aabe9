/// A JSON value whose members keep their order, written as PHP and Flask write it: in ASCII.
enum JSON: Sendable {
    case string(String)
    case number(Int)
    /// What WordPress sends where it has no text.
    case absent
    case array([JSON])
    case object([(name: String, value: JSON)])

    /// `text`, or what WordPress sends in place of none.
    static func text(_ text: String?) -> JSON {
        text.map { .string($0) } ?? .absent
    }

    var text: String {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .string(let text): Self.write(text, to: &bytes)
        case .number(let number): bytes += Array("\(number)".utf8)
        case .absent: bytes += Array("false".utf8)
        case .array(let values):
            Self.write(values, between: "[]", to: &bytes) { $0.write(to: &$1) }
        case .object(let members):
            Self.write(members, between: "{}", to: &bytes) { member, bytes in
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
        }
    }

    private static func write<Element>(
        _ elements: [Element], between brackets: String, to bytes: inout [UInt8],
        _ body: (Element, inout [UInt8]) -> Void
    ) {
        bytes += brackets.utf8.prefix(1)
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            body(element, &bytes)
        }
        bytes += brackets.utf8.suffix(1)
    }

    /// Writes a string literal; see RFC 8259, section 7.
    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for unit in text.utf16 {
            switch unit {
            case 0x22, 0x5c: bytes += [UInt8(ascii: "\\"), UInt8(unit)]
            case 0x0a: bytes += Array("\\n".utf8)
            case 0x20..<0x7f: bytes.append(UInt8(unit))
            default:
                let digits = String(unit, radix: 16)
                bytes += Array(("\\u" + String(repeating: "0", count: 4 - digits.count)).utf8)
                bytes += digits.utf8
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
