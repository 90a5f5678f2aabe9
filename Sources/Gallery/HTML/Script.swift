/// A line of a script file with text of NASA's in it, written so that it is text whatever it holds.
struct Script {
    private(set) var bytes: [UInt8] = []

    init(_ code: String = "") { bytes = Array(code.utf8) }

    /// Makes room for so many bytes in all.
    mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }

    /// Adds code, ours.
    mutating func append(code: String) { bytes += code.utf8 }

    /// Adds a string as JSON has it, without `<`, which could end a script, and without the line ends
    /// that JSON allows and older browsers do not; see RFC 8259, section 7.
    mutating func append(string text: String) {
        bytes.append(UInt8(ascii: "\""))
        // U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
        var last = (UInt8(0), UInt8(0))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): bytes += "\\\"".utf8
            case UInt8(ascii: "\\"): bytes += "\\\\".utf8
            case UInt8(ascii: "\n"): bytes += "\\n".utf8
            case UInt8(ascii: "<"): bytes += "\\u003c".utf8
            case ..<0x20, 0x7F: bytes.append(UInt8(ascii: " "))
            case 0xA8 where last == (0xE2, 0x80): replaceLastTwo(with: "\\u2028")
            case 0xA9 where last == (0xE2, 0x80): replaceLastTwo(with: "\\u2029")
            default: bytes.append(byte)
            }
            last = (last.1, byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func replaceLastTwo(with escape: String) {
        bytes.removeLast(2)
        bytes += escape.utf8
    }
}
