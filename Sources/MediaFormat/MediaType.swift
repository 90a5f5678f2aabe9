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

    /// Throws unless this is a type of videos if `isVideo`, or else a type of pictures.
    package func check(isVideo: Bool) throws(MediaHeader.Refusal) {
        guard isPicture == isVideo else { return }
        throw .init(isPicture ? "a picture, not a video" : "a video, not a picture")
    }
}
