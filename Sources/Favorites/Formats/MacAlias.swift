/// The path that an alias of macOS names, as far as its text shows it.
///
/// The file holds the parts of the path as records: a length, the type 0x0101, the text, all aligned to
/// four bytes; other texts follow the path.
struct MacAlias {
    private let reader: ByteReader

    /// `nil` where `bytes` are no such file.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Array("book\0\0\0\0mark".utf8)) else { return nil }
        reader = ByteReader(bytes: bytes)
    }

    /// What may be the path: without what follows it, the longest first.
    var paths: [PathText] {
        let texts = self.texts
        return (1...max(1, texts.count)).reversed().map {
            PathText(parts: texts.prefix($0).map { $0[...] })
        }
    }

    private var texts: [[UInt8]] {
        var texts: [[UInt8]] = []
        var offset = 16
        while offset + 8 <= reader.bytes.count, texts.count < 64 {
            let length = reader.little32(offset)
            let end = offset + 8 + length
            if reader.little32(offset + 4) == 0x0101, 1..<1024 ~= length, end <= reader.bytes.count
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
