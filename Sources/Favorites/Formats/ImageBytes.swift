/// Whether a file is a picture, by its first bytes.
enum ImageBytes {
    static func begin(_ bytes: [UInt8]) -> Bool {
        magics.contains { bytes.starts(with: $0) }
            || (bytes.starts(with: Array("RIFF".utf8))
                && bytes.dropFirst(8).starts(with: Array("WEBP".utf8)))
    }

    private static let magics: [[UInt8]] = [
        [0xFF, 0xD8], [0x89, 0x50, 0x4E, 0x47], Array("GIF8".utf8), Array("II*\0".utf8),
        Array("MM\0*".utf8),
    ]
}
