/// The type and size of a picture or video, read from its header without decoding, for the daemon and the thumbnailer.
///
/// A file that browsers show is accepted, with the size in which they show it. Sources: ITU-T T.81 annex B, PNG 11.2.2,
/// GIF89a 18, RFC 9649 (WebP), TIFF 6.0 section 2, ISO 14496-12.
package struct MediaHeader: Hashable, Sendable {
    package let type: MediaType
    /// The size of the upright picture in pixels; `nil` for a video.
    package let size: PixelSize?
    /// How the picture is stored.
    package let orientation: Orientation
    /// Whether it is a PNG or WebP that moves.
    package let isAnimated: Bool

    /// Why a file is rejected, such as "an HTML page instead of a picture".
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
        // A video, which has no size here, must have the box with its movie; WebM has no boxes.
        // mutation test: movie-box
        guard type == .webm || !type.isPicture && bytes.hasMovie else {
            let part = type.isPicture ? "size" : "movie"
            throw Refusal("a damaged \(type.rawValue): no \(part) in its header")
        }
    }

    /// Throws if a side has fewer than 16 pixels, as have pictures by which web pages count their readers.
    package func checkSize() throws(Refusal) {
        guard let size, size.shortSide < 16 else { return }
        throw Refusal("a picture of \(size) pixels, too small for one of APOD")
    }
}

/// What the header of a picture says.
struct MediaLayout {
    /// The size of the stored picture, which may lie on its side; no side is 0.
    let size: PixelSize
    var orientation: Orientation
    var isAnimated = false

    /// The longest side of a PNG, the format with the longest sides; the product of two sides does not overflow.
    private static let longestSide = Int(Int32.max)

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
    /// How many bytes of a file ``init(start:)`` needs: a JPEG may begin with stray bytes, an SVG drawing with comments.
    package static let magicLength = 1024

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

    /// `<!-- icon --><svg>` is "an SVG drawing", `<!DOCTYPE html>` is "an HTML page"; `nil` if it is no markup.
    private static func markup(startingWith bytes: [UInt8]) -> String? {
        let start = bytes.drop { $0 <= 0x20 || $0 == 0xef || $0 == 0xbb || $0 == 0xbf }
        var text = Substring(String(decoding: start, as: UTF8.self).lowercased())
        guard text.hasPrefix("<") else { return nil }
        let isXML = text.hasPrefix("<?xml")
        let preambles = [(start: "<!--", end: "-->"), (start: "<?", end: "?>")]
        while let preamble = preambles.first(where: { text.hasPrefix($0.start) }) {
            let parts = text.split(
                separator: preamble.end, maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let rest = parts.last else { return "a file of markup" }
            text = rest.drop(while: \.isWhitespace)
        }
        if ["<svg", "<!doctype svg"].contains(where: text.hasPrefix) { return "an SVG drawing" }
        // Servers send these for errors.
        return isXML ? "an XML file" : "an HTML page"
    }

    /// Throws unless this is a type of videos, or without `isVideo` one of pictures.
    package func check(isVideo: Bool) throws(MediaHeader.Refusal) {
        guard isPicture == isVideo else { return }
        throw .init(isPicture ? "a picture, not a video" : "a video, not a picture")
    }
}
