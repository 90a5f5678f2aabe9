import Glibc

@testable import Favorites

/// Files in the formats that other systems write.
enum Samples {
    static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    static func wide(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    static func little(_ numbers: Int...) -> [UInt8] {
        numbers.flatMap { number in (0..<4).map { UInt8(number >> ($0 * 8) & 0xFF) } }
    }

    /// 1,067 bytes, as macOS writes them.
    static func xsym(_ target: String) -> [UInt8] {
        let digits = String(target.utf8.count)
        let length = String(repeating: "0", count: 4 - digits.count) + digits
        let head = text("XSym\n\(length)\n\(String(repeating: "a", count: 32))\n\(target)\n")
        return head + [UInt8](repeating: 0x20, count: 1067 - head.count)
    }

    /// A shortcut to a file of a network share, with a relative path.
    static func shellLink(share: String, suffix: String, relative: String?) -> [UInt8] {
        let flags = 0x02 | 0x80 | (relative == nil ? 0 : 0x08)
        var header: [UInt8] = [0x4C, 0, 0, 0, 0x01, 0x14, 0x02, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0]
        header += [0, 0, 0, 0x46] + little(flags, 0x20) + [UInt8](repeating: 0, count: 48)
        let name = text(share) + [0]
        let network = little(20 + name.count, 2, 20, 0, 0x20000) + name
        let narrow = text("?") + [0]
        let start = 0x24 + network.count
        let info =
            little(
                start + narrow.count + suffix.utf16.count * 2 + 2, 0x24, 2, 0, 0, 0x24, start, 0,
                start + narrow.count) + network + narrow + wide(suffix) + [0, 0]
        let string = relative.map { [UInt8($0.utf16.count), 0] + wide($0) } ?? []
        return header + info + string + little(0)
    }

    /// A dictionary with one string, as Safari writes it.
    static func binaryWebloc(_ address: String) -> [UInt8] {
        let count = UInt8(address.utf8.count)
        let objects: [UInt8] =
            [0xD1, 1, 2, 0x53] + text("URL") + [0x5F, 0x10, count] + text(address)
        let table: [UInt8] = [8, 11, 15]
        let trailer: [UInt8] =
            [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0, count: 15)
            + [UInt8(8 + objects.count)]
        return text("bplist00") + objects + table + trailer
    }
}
