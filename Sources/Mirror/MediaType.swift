/// What a file is by its first bytes, whatever its address or its server says.
package enum MediaType: String, Hashable, Sendable, CaseIterable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case gif = "image/gif"
    case webp = "image/webp"
    case tiff = "image/tiff"
    case mp4 = "video/mp4"

    /// What the name of such a file ends with.
    package var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .gif: "gif"
        case .webp: "webp"
        case .tiff: "tif"
        case .mp4: "mp4"
        }
    }

    package var isPicture: Bool { self != .mp4 }

    /// The type that `bytes`, the first 16 of a file or more, begin.
    init?(magic bytes: [UInt8]) {
        func holds(_ text: String, at offset: Int = 0) -> Bool {
            bytes.dropFirst(offset).starts(with: text.utf8)
        }
        if bytes.starts(with: [0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if holds("GIF87a") || holds("GIF89a") {
            self = .gif
        } else if holds("RIFF"), holds("WEBP", at: 8) {
            self = .webp
        } else if bytes.starts(with: [0x49, 0x49, 0x2a, 0])
            || bytes.starts(with: [0x4d, 0x4d, 0, 0x2a])
        {
            self = .tiff
        } else if holds("ftyp", at: 4) {
            self = .mp4
        } else {
            return nil
        }
    }
}
