/// The address in a `.webloc` file of Safari, an XML or binary property list.
///
/// Not by `PropertyListDecoder`: it recurses, and a small file of nested arrays overflows its stack.
struct WebLocation {
    /// `nil` if the file contains none.
    let address: String?

    /// `nil` if `bytes` are no property list.
    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: Array("bplist00".utf8)) {
            address = Self.strings(ByteReader(bytes: bytes)).first { $0.contains(":/") }
        } else {
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.hasPrefix("<?xml") || text.hasPrefix("<!DOCTYPE plist"),
                let plist = text.firstRange(of: "<plist")
            else { return nil }
            address = Self.address(text[plist.upperBound...])
        }
    }

    private static func address(_ text: Substring) -> String? {
        guard let key = text.firstRange(of: "<key>URL</key>"),
            let start = text[key.upperBound...].firstRange(of: "<string>"),
            let end = text[start.upperBound...].firstRange(of: "</string>")
        else { return nil }
        return String(text[start.upperBound..<end.lowerBound]).replacing("&amp;", with: "&")
    }

    /// The strings of a binary list, in the order of its offset table; references are not followed.
    private static func strings(_ reader: ByteReader) -> [String] {
        let trailer = reader.bytes.count - 32
        guard trailer >= 8 else { return [] }
        let width = reader.byte(trailer + 6)
        let count = reader.bigEndian(trailer + 9, width: 7)
        let table = reader.bigEndian(trailer + 25, width: 7)
        return (0..<min(count, 256)).compactMap { index in
            string(reader, at: reader.bigEndian(table + index * width, width: width))
        }
    }

    private static func string(_ reader: ByteReader, at offset: Int) -> String? {
        var count = reader.byte(offset) & 0x0F
        var start = offset + 1
        if count == 0x0F {
            // The length is an integer object of its own: 0x1N, 2^N bytes.
            let width = 1 << (reader.byte(start) & 0x03)
            count = reader.bigEndian(start + 1, width: width)
            start += 1 + width
        }
        // A text of type 6 is UTF-16, which no address of a day needs.
        guard reader.byte(offset) >> 4 == 5 else { return nil }
        return String(decoding: reader.slice(start, count), as: UTF8.self)
    }
}
