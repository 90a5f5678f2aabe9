/// The type and size of a picture or video, read from the header of the file without decoding it.
///
/// The daemon and the thumbnailer accept each file that browsers show, with the size in which they show it. Sources: ITU-T
/// T.81 annex B, PNG 11.2.2, GIF89a 18, RFC 9649 (WebP), TIFF 6.0 section 2, ISO 14496-12.
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
        /// Whether it is a page or an empty file, as a filter in the network sends it, and no file of NASA's.
        package let isOtherKind: Bool

        init(_ description: String, isOtherKind: Bool = false) {
            self.description = description
            self.isOtherKind = isOtherKind
        }
    }

    /// Reads the header of the file with these `bytes`.
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
        // The size of a video is not read. It must have a box with its movie instead, unless it is WebM, which has no boxes.
        // mutation test: movie-box
        guard type == .webm || !type.isPicture && bytes.hasMovie else {
            let part = type.isPicture ? "size" : "movie"
            throw Refusal("a damaged \(type.rawValue): no \(part) in its header")
        }
    }

    /// The shortest side of a picture in pixels; pictures by which web pages count their readers are smaller.
    private static let minimumSide = 16

    /// Throws if the picture is too small for one of APOD.
    package func checkSize() throws(Refusal) {
        guard let size, size.shortSide < Self.minimumSide else { return }
        throw Refusal("a picture of \(size) pixels, too small for one of APOD")
    }
}

/// What the header of a picture says about the stored picture.
struct MediaLayout {
    /// The size as it is stored, perhaps on its side; no side is 0.
    let size: PixelSize
    var orientation: Orientation
    var isAnimated = false

    /// The longest side of a PNG, the format with the longest sides; the product of two such sides does not overflow.
    private static let longestSide = Int(Int32.max)

    /// Fails if a side is missing, is not positive, or is too long.
    init?(width: Int?, height: Int?, _ orientation: Orientation? = nil) {
        guard let width, let height, min(width, height) > 0,
            max(width, height) <= Self.longestSide
        else { return nil }
        size = PixelSize(width: width, height: height)
        self.orientation = orientation ?? .upright
    }

    /// The size of the upright picture.
    var displayedSize: PixelSize {
        orientation.isSideways ? PixelSize(width: size.height, height: size.width) : size
    }
}

extension MediaType {
    /// How many bytes of a file ``init(start:)`` needs: a JPEG may begin with stray bytes, an SVG drawing with comments.
    package static let magicLength = 1024

    /// Recognizes the type of a file that starts with `bytes`; the error says what the file is instead.
    package init(start bytes: [UInt8]) throws(MediaHeader.Refusal) {
        guard !bytes.isEmpty else {
            throw .init("an empty file instead of a picture", isOtherKind: true)
        }
        guard let type = MediaType(magic: bytes) else {
            if let markup = Self.markup(startingWith: bytes) {
                let isDrawing = markup == Self.drawing
                throw .init("\(markup) instead of a picture", isOtherKind: !isDrawing)
            }
            let digits = bytes.prefix(8).map { "\($0 < 16 ? "0" : "")\(String($0, radix: 16))" }
            let firstBytes = digits.joined(separator: " ")
            throw .init("an unrecognized file type (first bytes: \(firstBytes))")
        }
        self = type
    }

    private static let drawing = "an SVG drawing"

    /// Describes markup: `<!-- icon --><svg>` is "an SVG drawing", `<!DOCTYPE html>` "an HTML page"; `nil` if it is none.
    private static func markup(startingWith bytes: [UInt8]) -> String? {
        // White space, and the bytes of a byte order mark.
        let start = bytes.drop { $0 <= 0x20 || [0xef, 0xbb, 0xbf].contains($0) }
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
        if ["<svg", "<!doctype svg"].contains(where: text.hasPrefix) { return drawing }
        // Servers send XML files and HTML pages for errors.
        return isXML ? "an XML file" : "an HTML page"
    }

    /// Throws unless this is a type of videos if `isVideo`, or else a type of pictures.
    package func check(isVideo: Bool) throws(MediaHeader.Refusal) {
        guard isPicture == isVideo else { return }
        throw .init(isPicture ? "a picture, not a video" : "a video, not a picture")
    }
}
