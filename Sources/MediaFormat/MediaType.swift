/// A type of picture or video that the mirror publishes.
///
/// That of a download follows from its first bytes, regardless of its URL and Content-Type; that of a published
/// file is in its extension.
package enum MediaType: String, Hashable, Sendable, CaseIterable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case gif = "image/gif"
    case webp = "image/webp"
    case tiff = "image/tiff"
    case avif = "image/avif"
    case heic = "image/heic"
    case mp4 = "video/mp4"
    case mov = "video/quicktime"
    case webm = "video/webm"

    /// The extension for file names, without the dot.
    package var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .png: "png"
        case .gif: "gif"
        case .webp: "webp"
        case .tiff: "tif"
        case .avif: "avif"
        case .heic: "heic"
        case .mp4: "mp4"
        case .mov: "mov"
        case .webm: "webm"
        }
    }

    /// The type whose extension `name` has, as the mirror writes it; other files may be a user's.
    package init?(ofName name: String) {
        // Bytes are compared, as a walk asks this of each file.
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let end = name.utf8.suffix(from: dot).dropFirst()
        let type = Self.allCases.first { end.elementsEqual($0.fileExtension.utf8) }
        guard let type else { return nil }
        self = type
    }

    /// Whether it is a still picture or an animation of pictures, and no video.
    package var isPicture: Bool {
        switch self {
        case .jpeg, .png, .gif, .webp, .tiff, .avif, .heic: true
        case .mp4, .mov, .webm: false
        }
    }

    /// Whether thumbnails and conversions of this type are made: the types that `ThumbnailRenderer` decodes.
    package var hasThumbnail: Bool {
        switch self {
        case .jpeg, .png, .gif, .webp: true
        case .tiff, .avif, .heic, .mp4, .mov, .webm: false
        }
    }

    /// The type of a file that starts with `bytes`, of which it needs ``magicLength`` at most.
    package init?(magic bytes: [UInt8]) {
        func holds(_ text: String, at offset: Int = 0) -> Bool {
            bytes.dropFirst(offset).starts(with: text.utf8)
        }
        // As libjpeg and browsers do, other bytes before the first segment are skipped.
        if bytes.starts(with: [0xff, 0xd8]), bytes.dropFirst(2).contains(0xff) {
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
            self = Self.stillPictureType(fileType: bytes) ?? (holds("qt  ", at: 8) ? .mov : .mp4)
        } else if ["moov", "mdat", "wide"].contains(where: { holds($0, at: 4) }) {
            // QuickTime is older than the box of file types.
            self = .mov
        } else if bytes.starts(with: [0x1a, 0x45, 0xdf, 0xa3]),
            bytes.firstRange(of: "webm".utf8) != nil
        {
            // The head of the file names its kind; see RFC 9559. Browsers play no other Matroska.
            self = .webm
        } else {
            return nil
        }
    }

    /// The type of a still picture in an ISO 14496-12 container, by its brands; see ISO 23008-12,
    /// annex B, and the AV1 Image File Format, section 6; `nil` if it is a video.
    ///
    /// The bytes begin with the `ftyp` box, which has its length, as every known writer makes it.
    private static func stillPictureType(fileType bytes: [UInt8]) -> MediaType? {
        let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        var rest = bytes.prefix(length).dropFirst(8)
        var brands: [String] = []
        while rest.count >= 4 {
            brands.append(String(decoding: rest.prefix(4), as: UTF8.self))
            rest = rest.dropFirst(4)
        }
        // The version of the major brand is second, and compatible brands follow.
        guard let major = brands.first else { return nil }
        let heic: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]
        let avif: Set = ["avif", "avis"]
        if avif.contains(major) { return .avif }
        if heic.contains(major) { return .heic }
        // Brands of the container of still pictures, whatever their coding.
        guard ["mif1", "mif2", "msf1", "miaf"].contains(major) else { return nil }
        return brands.dropFirst(2).contains(where: avif.contains) ? .avif : .heic
    }
}
