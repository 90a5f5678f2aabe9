internal import Mirror

/// The path in an alias of macOS.
///
/// The file has a record for each part of the path: a length, the type 0x0101, the text, aligned to four
/// bytes. Records of other texts follow, so the end of the path is not known.
enum MacAlias {
    /// The possible paths of files, the longest first; `nil` if `bytes` are no such file.
    static func paths(_ bytes: [UInt8]) -> [PathText]? {
        guard bytes.starts(with: Array("book\0\0\0\0mark".utf8)) else { return nil }
        let texts = texts(ByteReader(bytes: bytes))
        return (1...max(1, texts.count)).reversed().map {
            PathText(parts: texts.prefix($0).map { $0[...] })
        }.filter(isFile)
    }

    /// Whether the path ends with a name like that of a file of the mirror: the others may be folders above it.
    private static func isFile(_ path: PathText) -> Bool {
        let name = String(decoding: path.parts.last ?? [], as: UTF8.self).lowercased()
        return (MediaType.allCases.map(\.fileExtension) + ["jpeg", "html", "json"])
            .contains { name.hasSuffix(".\($0)") }
    }

    private static func texts(_ reader: ByteReader) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        var offset = 16
        while offset + 8 <= reader.bytes.count, texts.count < 64 {
            let length = reader.littleEndian32(offset)
            let end = offset + 8 + length
            if reader.littleEndian32(offset + 4) == 0x0101, 1..<1024 ~= length,
                end <= reader.bytes.count
            {
                texts.append(Array(reader.slice(offset + 8, length)))
                offset = (end + 3) / 4 * 4
            } else {
                offset += 4
            }
        }
        return texts
    }
}

/// The file that macOS writes over SMB instead of a symbolic link: `XSym`, a length, a sum, the target.
enum SymlinkFile {
    /// Where it leads, `nil` if `bytes` are no such file.
    static func target(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.starts(with: Array("XSym\n".utf8)), bytes.count <= 2048 else { return nil }
        let lines = bytes.split(
            separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
        guard lines.count == 4, let length = Int(String(decoding: lines[1], as: UTF8.self)),
            length > 0, length <= lines[3].count
        else { return nil }
        return Array(lines[3].prefix(length))
    }
}
