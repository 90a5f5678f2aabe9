/// The type and size of a picture or video, read from its header without decoding.
///
/// The daemon and the thumbnailer read headers by this type alone. What browsers show is accepted, and described as
/// they show it. Sources: ITU-T T.81 annex B, PNG 11.2.2, GIF89a 18, RFC 9649 (WebP), TIFF 6.0 section 2, ISO 14496-12.
package struct MediaHeader: Hashable, Sendable {
    package let type: MediaType
    /// In pixels, when the picture is upright; `nil` for a video.
    package let size: PixelSize?
    /// How the picture is stored.
    package let orientation: Orientation
    /// Whether it is a PNG or WebP that moves.
    package let isAnimated: Bool

    /// Why a file is rejected: what it is instead, for people.
    package struct Refusal: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }
    }

    package init(reading bytes: MediaBytes) throws(Refusal) {
        type = try MediaType(start: bytes.prefix(MediaType.magicLength))
        let layout: MediaLayout? =
            switch type {
            case .jpeg: bytes.jpegLayout()
            case .png: bytes.pngLayout()
            case .gif: bytes.gifLayout()
            case .webp: bytes.webPLayout()
            case .tiff: bytes.tiffLayout()
            case .avif, .heic: bytes.stillLayout()
            case .mp4, .mov, .webm: nil
            }
        size = layout?.displayedSize
        orientation = layout?.orientation ?? .upright
        isAnimated = layout?.isAnimated ?? false
        guard size == nil else { return }
        // A video has no size here. One in boxes must have its movie.
        // mutation test: movie-box
        guard type == .webm || !type.isPicture && bytes.hasMovie else {
            let part = type.isPicture ? "size" : "movie"
            throw Refusal("a damaged \(type.rawValue): no \(part) in its header")
        }
    }

    /// Throws if a side has fewer than 16 pixels: web pages count their readers by such pictures, and APOD has none.
    package func checkSize() throws(Refusal) {
        guard let size, size.shortSide < 16 else { return }
        throw Refusal("a picture of \(size) pixels, too small for one of APOD")
    }
}

/// What the header of a picture says.
struct MediaLayout {
    /// As it is stored; no side is 0.
    let size: PixelSize
    var orientation: Orientation
    var isAnimated = false

    /// The longest side of a PNG, which has the longest; products of two sides do not overflow.
    private static let longestSide = Int(Int32.max)

    /// Returns `nil` without a size.
    init?(width: Int?, height: Int?, _ orientation: Orientation? = nil) {
        guard let width, let height, min(width, height) > 0,
            max(width, height) <= Self.longestSide
        else { return nil }
        size = PixelSize(width: width, height: height)
        self.orientation = orientation ?? .upright
    }

    var displayedSize: PixelSize {
        orientation.isSideways ? PixelSize(width: size.height, height: size.width) : size
    }
}

extension MediaType {
    /// The bytes of the start of a file that ``init(start:)`` needs.
    ///
    /// A JPEG may have stray bytes, and a drawing comments, before what shows its type.
    package static let magicLength = 1024

    /// The type of a file that starts with `bytes`.
    package init(start bytes: [UInt8]) throws(MediaHeader.Refusal) {
        guard !bytes.isEmpty else { throw .init("an empty file instead of a picture") }
        guard let type = MediaType(magic: bytes) else {
            if let markup = Self.markup(startingWith: bytes) {
                throw .init("\(markup) instead of a picture")
            }
            let digits = bytes.prefix(8).map { "\($0 < 16 ? "0" : "")\(String($0, radix: 16))" }
            throw .init(
                "an unrecognized file type (first bytes: \(digits.joined(separator: " ")))")
        }
        self = type
    }

    /// What a file of markup is that starts with `bytes`, for people; `nil` for other files.
    private static func markup(startingWith bytes: [UInt8]) -> String? {
        let start = bytes.drop { $0 <= 0x20 || $0 == 0xef || $0 == 0xbb || $0 == 0xbf }
        var text = Substring(String(decoding: start, as: UTF8.self).lowercased())
        guard text.hasPrefix("<") else { return nil }
        let isXML = text.hasPrefix("<?xml")
        while let end = text.hasPrefix("<!--") ? "-->" : text.hasPrefix("<?") ? "?>" : nil {
            let parts = text.split(separator: end, maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let rest = parts.last else { return "a file of markup" }
            text = rest.drop(while: \.isWhitespace)
        }
        let isDrawing = ["<svg", "<!doctype svg"].contains(where: text.hasPrefix)
        // The last two are errors of servers.
        return isDrawing ? "an SVG drawing" : isXML ? "an XML file" : "an HTML page"
    }

    /// Throws unless this is a type of videos, or without `isVideo` one of pictures.
    package func check(isVideo: Bool) throws(MediaHeader.Refusal) {
        guard isPicture == isVideo else { return }
        throw .init(isPicture ? "a picture, not a video" : "a video, not a picture")
    }
}
