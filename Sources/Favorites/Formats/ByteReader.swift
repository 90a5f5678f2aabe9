/// Reads numbers and texts at untrusted offsets of a small binary file.
///
/// Bytes outside the file are read as zero, texts as empty.
struct ByteReader {
    let bytes: [UInt8]

    func byte(_ offset: Int) -> Int { bytes.indices.contains(offset) ? Int(bytes[offset]) : 0 }

    func littleEndian16(_ offset: Int) -> Int { byte(offset) | byte(offset + 1) << 8 }

    func littleEndian32(_ offset: Int) -> Int {
        littleEndian16(offset) | littleEndian16(offset + 2) << 16
    }

    /// A big-endian number of `width` bytes, at most seven.
    func bigEndian(_ offset: Int, width: Int) -> Int {
        (0..<min(width, 7)).reduce(0) { $0 << 8 | byte(offset + $1) }
    }

    func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> {
        guard offset >= 0, count > 0, offset < bytes.count else { return [] }
        return bytes[offset...].prefix(count)
    }

    /// The text from `offset` to the next zero byte.
    func text(_ offset: Int) -> [UInt8] {
        Array(slice(offset, bytes.count).prefix { $0 != 0 })
    }

    /// The little-endian UTF-16 text from `offset` to the next zero, at most `count` units, as UTF-8.
    func wideText(_ offset: Int, count: Int = .max) -> [UInt8] {
        var units: [UInt16] = []
        var position = max(0, offset)
        while position + 1 < bytes.count, units.count < count {
            let unit = UInt16(littleEndian16(position))
            guard unit != 0 else { break }
            units.append(unit)
            position += 2
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
