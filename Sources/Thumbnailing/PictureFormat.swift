/// What a picture is by its first bytes.
enum PictureFormat: String, Hashable, Sendable {
    case jpeg = "JPEG"
    case png = "PNG"
    case gif = "GIF"
    case webp = "WebP"

    /// - Parameter bytes: The whole file.
    /// - Throws: ``PictureError`` where it is no picture that thumbnails are made of.
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
