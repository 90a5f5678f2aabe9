/// Numbers and texts out of a small binary file that somebody made, at offsets it names itself.
///
/// What lies outside the bytes is zero or empty: no offset is trusted.
struct ByteReader {
    let bytes: [UInt8]

    func byte(_ offset: Int) -> Int { bytes.indices.contains(offset) ? Int(bytes[offset]) : 0 }

    func little16(_ offset: Int) -> Int { byte(offset) | byte(offset + 1) << 8 }

    func little32(_ offset: Int) -> Int { little16(offset) | little16(offset + 2) << 16 }

    /// A number of `width` bytes, at most seven, the greatest first.
    func big(_ offset: Int, width: Int) -> Int {
        (0..<min(width, 7)).reduce(0) { $0 << 8 | byte(offset + $1) }
    }

    func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> {
        guard offset >= 0, count > 0, offset < bytes.count else { return [] }
        return bytes[offset...].prefix(count)
    }

    /// The text from `offset` to the next zero.
    func text(_ offset: Int) -> [UInt8] {
        Array(slice(offset, bytes.count).prefix { $0 != 0 })
    }

    /// The UTF-16 text from `offset` to the next zero, at most `count` units.
    func wideText(_ offset: Int, count: Int = .max) -> [UInt8] {
        var units: [UInt16] = []
        var position = max(0, offset)
        while position + 1 < bytes.count, units.count < count {
            let unit = UInt16(little16(position))
            guard unit != 0 else { break }
            units.append(unit)
            position += 2
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
