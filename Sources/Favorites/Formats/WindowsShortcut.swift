/// The paths in a Windows `.lnk` file, see [MS-SHLLINK].
struct WindowsShortcut {
    private let reader: ByteReader
    private let flags: Int

    /// `nil` if `bytes` are no such file.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 76, bytes.starts(with: [0x4C, 0, 0, 0, 0x01, 0x14, 0x02, 0]) else {
            return nil
        }
        reader = ByteReader(bytes: bytes)
        flags = reader.littleEndian32(20)
    }

    /// The paths, those of LinkInfo first.
    var paths: [PathText] {
        candidates.map { PathText($0[...], separator: UInt8(ascii: "\\")) }.filter {
            !$0.parts.isEmpty
        }
    }

    private var candidates: [[UInt8]] {
        var found: [[UInt8]] = []
        var offset = 76
        if flags & 0x01 != 0 { offset += 2 + reader.littleEndian16(offset) }
        if flags & 0x02 != 0 {
            found += locations(at: offset)
            offset += reader.littleEndian32(offset)
        }
        // NAME_STRING, then RELATIVE_PATH, each as flagged.
        for flag in [0x04, 0x08] where flags & flag != 0 {
            let count = reader.littleEndian16(offset)
            if flag == 0x08 { found.append(string(at: offset + 2, count)) }
            offset += 2 + count * (isWide ? 2 : 1)
        }
        return found
    }

    private var isWide: Bool { flags & 0x80 != 0 }

    private func string(at offset: Int, _ count: Int) -> [UInt8] {
        isWide ? reader.wideText(offset, count: count) : Array(reader.slice(offset, count))
    }

    /// The paths of the LinkInfo structure: of a share, and of a disk.
    private func locations(at start: Int) -> [[UInt8]] {
        let header = reader.littleEndian32(start + 4)
        let kinds = reader.littleEndian32(start + 8)
        let suffix = text(start, narrow: 24, wide: 32, header)
        var found: [[UInt8]] = []
        if kinds & 2 != 0 {
            let network = start + reader.littleEndian32(start + 20)
            found.append(
                reader.text(network + reader.littleEndian32(network + 8)) + [0x5C] + suffix)
        }
        let base = kinds & 1 != 0 ? text(start, narrow: 16, wide: 28, header) : []
        return found + [base + [0x5C] + suffix]
    }

    private func text(_ start: Int, narrow: Int, wide: Int, _ header: Int) -> [UInt8] {
        if header >= 0x24, reader.littleEndian32(start + wide) > 0 {
            return reader.wideText(start + reader.littleEndian32(start + wide))
        }
        return reader.text(start + reader.littleEndian32(start + narrow))
    }
}
