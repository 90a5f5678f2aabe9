/// The type and size of a picture or video, read from the header of the file without decoding it.
///
/// The daemon and the thumbnailer use it. It must accept each file that browsers show, with the size in which they show it.
/// Sources: ITU-T T.81 annex B, PNG 11.2.2, GIF89a 18, RFC 9649 (WebP), TIFF 6.0 section 2, ISO 14496-12.
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
        /// Whether it is a page or an empty file, as a filter in the network sends it in place of NASA's file.
        package let isOtherKind: Bool

        init(_ description: String, isOtherKind: Bool = false) {
            self.description = description
            self.isOtherKind = isOtherKind
        }

        fileprivate init(damaged type: MediaType, without part: String) {
            self.init("a damaged \(type.rawValue): no \(part) in its header")
        }
    }

    /// Reads the header of the file with these `bytes`.
    ///
    /// - Throws: ``Refusal`` if the type is unknown, or if a picture lacks its size or a video lacks its movie; WebM has none.
    package init(reading bytes: MediaBytes) throws(Refusal) {
        type = try MediaType(start: bytes.prefix(MediaType.magicLength))
        let layout: MediaLayout? =
            switch type {
            case .jpeg: bytes.jpegLayout()
            case .png: bytes.pngLayout()
            case .gif: bytes.gifLayout()
            case .webp: bytes.webPLayout()
            case .tiff: bytes.tiffLayout()
            case .avif, .heic: bytes.heifLayout()
            case .mp4, .mov, .webm: nil
            }
        size = layout?.displayedSize
        orientation = layout?.orientation ?? .upright
        isAnimated = layout?.isAnimated ?? false
        switch type {
        case .jpeg, .png, .gif, .webp, .tiff, .avif, .heic:
            guard size != nil else { throw Refusal(damaged: type, without: "size") }
        case .mp4, .mov:
            // mutation test: movie-box (see Tests/Mutants)
            guard bytes.hasMovie else { throw Refusal(damaged: type, without: "movie") }
        case .webm: break
        }
    }

    /// The shortest side of a picture in pixels; pictures by which web pages count their readers are smaller.
    private static let minimumSide = 16

    /// Throws if the picture is too small for one of APOD.
    package func checkSize() throws(Refusal) {
        guard let size, size.shortSide < Self.minimumSide else { return }
        throw Refusal("a picture of \(size) pixels, too small for one of APOD")
    }

    /// Throws if the end marker of the format is missing, or if a part of the file is too short; TIFF can show neither.
    ///
    /// Data after the end are ignored. Sources: T.81 annex B (JPEG), PNG 11.2.5, GIF89a 27, RFC 9649 (WebP), ISO 14496-12.
    package func checkEnd(of bytes: MediaBytes) throws(Refusal) {
        let isWhole =
            switch type {
            case .jpeg: bytes.isWholeJPEG()
            case .png: bytes.isWholePNG()
            case .gif: bytes.isWholeGIF()
            case .webp: bytes.isWholeWebP()
            case .mp4, .mov, .avif, .heic: bytes.hasWholeBoxes()
            case .webm: bytes.isWholeWebM()
            case .tiff: true
            }
        guard isWhole else { throw Refusal("a truncated \(type.rawValue)") }
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
