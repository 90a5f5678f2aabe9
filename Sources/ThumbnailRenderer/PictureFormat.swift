/// The format of a picture, by its first bytes.
enum PictureFormat: String, Hashable, Sendable {
    case jpeg = "JPEG"
    case png = "PNG"
    case gif = "GIF"
    case webp = "WebP"

    /// Recognizes the format of `bytes`, the whole file.
    init(of bytes: Span<UInt8>) throws(PictureError) {
        if bytes.isEmpty {
            throw .empty
        } else if bytes.holds([0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if bytes.holds([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if bytes.holds("GIF87a") || bytes.holds("GIF89a") {
            self = .gif
        } else if bytes.holds("RIFF"), bytes.holds("WEBP", at: 8) {
            self = .webp
        } else {
            throw .unknown
        }
    }
}

/// Reads numbers from headers; `nil` past the end.
extension Span<UInt8> {
    func holds(_ text: StaticString, at offset: Int = 0) -> Bool {
        holds(text.description.utf8, at: offset)
    }

    func holds(_ expected: some Collection<UInt8>, at offset: Int = 0) -> Bool {
        guard offset >= 0, offset <= count, count - offset >= expected.count else { return false }
        return expected.enumerated().allSatisfy { self[offset + $0.offset] == $0.element }
    }

    func bigEndian(at offset: Int, _ length: Int) -> Int? {
        guard offset >= 0, offset <= count, count - offset >= length else { return nil }
        return (0..<length).reduce(0) { $0 << 8 | Int(self[offset + $1]) }
    }

    func littleEndian(at offset: Int, _ length: Int) -> Int? {
        guard offset >= 0, offset <= count, count - offset >= length else { return nil }
        return (0..<length).reversed().reduce(0) { $0 << 8 | Int(self[offset + $1]) }
    }
}
