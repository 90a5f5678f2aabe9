/// Text of another program, in UTF-8, in UTF-16, or else in Windows-1252.
struct ForeignText {
    private let bytes: [UInt8]
    private let isBigEndian: Bool
    let isUTF16: Bool

    /// - Parameter bytes: At least the first two bytes, by which UTF-16 is recognized: a byte order mark, or a
    ///   zero byte, which no other text has there.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        isBigEndian = bytes.starts(with: [0xFE, 0xFF]) || bytes.first == 0
        isUTF16 = isBigEndian || bytes.starts(with: [0xFF, 0xFE]) || bytes.dropFirst().first == 0
    }

    var text: String {
        if isUTF16 {
            let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
                let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                return isBigEndian ? first << 8 | second : second << 8 | first
            }
            return String(decoding: units, as: UTF16.self)
        }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return String(
            String.UnicodeScalarView(
                bytes.map { Self.windows1252[$0] ?? Unicode.Scalar($0) }))
    }

    /// The punctuation of Windows-1252 that Latin-1 does not have.
    private static let windows1252: [UInt8: Unicode.Scalar] = [
        0x85: "…", 0x91: "‘", 0x92: "’", 0x93: "“", 0x94: "”", 0x96: "–", 0x97: "—",
    ]
}
