import Glibc

@testable import Favorites

/// Files in the formats that other systems write.
enum Samples {
    static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func wide(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    /// 1,067 bytes, as macOS writes them.
    static func xsym(_ target: String) -> [UInt8] {
        let digits = String(target.utf8.count)
        let length = String(repeating: "0", count: 4 - digits.count) + digits
        let head = text("XSym\n\(length)\n\(String(repeating: "a", count: 32))\n\(target)\n")
        return head + [UInt8](repeating: 0x20, count: 1067 - head.count)
    }

    /// A shortcut of Windows to a file of a network share, without its numbers.
    static func shellLink(share: String, suffix: String) -> [UInt8] {
        let header: [UInt8] = [0x4C, 0, 0, 0, 0x01, 0x14, 0x02, 0]
        return header + text("\(share)\0?\0") + wide(suffix) + wide("\0")
    }

    /// A dictionary with one string, as Safari writes it, without its tables.
    static func binaryWebloc(_ address: String) -> [UInt8] {
        let length: [UInt8] = [0x5F, 0x10, UInt8(address.utf8.count)]
        return text("bplist00\u{1}\u{2}SURL") + length + text(address) + text("\u{8}\u{B}\u{F}\0")
    }
}
