/// A type of picture or video that the mirror publishes.
///
/// The first bytes of a download show its type, whatever its URL says; the extension of a published file shows it, too.
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

    /// Other extensions that servers and programs give to files of the type.
    private var otherExtensions: [String] {
        switch self {
        case .jpeg: ["jpeg", "jpe"]
        case .tiff: ["tiff"]
        case .heic: ["heif"]
        case .mp4: ["m4v"]
        case .png, .gif, .webp, .avif, .mov, .webm: []
        }
    }

    private static let typesByExtension: [String: Self] = Dictionary(
        uniqueKeysWithValues: allCases.flatMap { type in
            [[type.fileExtension], type.otherExtensions].joined().map { ($0, type) }
        })

    /// The type of a file of any origin by the extension of its name, in lower case and without the dot; the contents decide.
    package init?(anyExtension: String) {
        guard let type = Self.typesByExtension[anyExtension] else { return nil }
        self = type
    }

    /// The type of a file that the mirror published: `.jpeg` for `2026-11-20 Orion.jpg`; fails for `a.JPG` and `a.jpeg`.
    package init?(ofName name: String) {
        // Comparing bytes is fast, which matters because a walk asks this for each file.
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let ending = name.utf8.suffix(from: dot).dropFirst()
        let type = Self.allCases.first { ending.elementsEqual($0.fileExtension.utf8) }
        guard let type else { return nil }
        self = type
    }

    /// Whether it is a type of pictures, still or animated, and not of videos.
    package var isPicture: Bool {
        switch self {
        case .jpeg, .png, .gif, .webp, .tiff, .avif, .heic: true
        case .mp4, .mov, .webm: false
        }
    }

    /// Whether `ThumbnailRenderer` decodes the type, for thumbnails and conversions.
    package var hasThumbnail: Bool {
        switch self {
        case .jpeg, .png, .gif, .webp: true
        case .tiff, .avif, .heic, .mp4, .mov, .webm: false
        }
    }

    /// The type of a file that starts with `bytes`; at most ``magicLength`` bytes are needed.
    package init?(magic bytes: [UInt8]) {
        func has(_ text: String, at offset: Int = 0) -> Bool {
            bytes.dropFirst(offset).starts(with: text.utf8)
        }
        // libjpeg and browsers skip other bytes before the first segment, too.
        if bytes.starts(with: [0xff, 0xd8]), bytes.dropFirst(2).contains(0xff) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .webp
        } else if bytes.starts(with: [0x49, 0x49, 0x2a, 0])
            || bytes.starts(with: [0x4d, 0x4d, 0, 0x2a])
        {
            self = .tiff
        } else if has("ftyp", at: 4) {
            self = Self.stillPictureType(fileType: bytes) ?? (has("qt  ", at: 8) ? .mov : .mp4)
        } else if ["moov", "mdat", "wide"].contains(where: { has($0, at: 4) }) {
            // QuickTime is older than the box ftyp.
            self = .mov
        } else if bytes.starts(with: [0x1a, 0x45, 0xdf, 0xa3]),
            bytes.firstRange(of: "webm".utf8) != nil
        {
            // The head names WebM, the only Matroska that browsers play; see RFC 9559.
            self = .webm
        } else {
            return nil
        }
    }

    /// The type of a still picture by the brands in its `ftyp` box, with which the bytes begin: "avif" or "mif1, avif" is
    /// AVIF, "heic" or "mif1" is HEIC; `nil` if it is a video.
    ///
    /// See ISO 14496-12; ISO 23008-12, annex B; AV1 Image File Format, section 6.
    private static func stillPictureType(fileType bytes: [UInt8]) -> MediaType? {
        let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        var rest = bytes.prefix(length).dropFirst(8)
        var brands: [String] = []
        while rest.count >= 4 {
            brands.append(String(decoding: rest.prefix(4), as: UTF8.self))
            rest = rest.dropFirst(4)
        }
        // The version of the major brand is the second, before the compatible brands.
        guard let major = brands.first else { return nil }
        let heic: Set = ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]
        let avif: Set = ["avif", "avis"]
        if avif.contains(major) { return .avif }
        if heic.contains(major) { return .heic }
        // These brands of still pictures do not name the coding.
        guard ["mif1", "mif2", "msf1", "miaf"].contains(major) else { return nil }
        return brands.dropFirst(2).contains(where: avif.contains) ? .avif : .heic
    }
}
