internal import MediaFormat

/// Makes JPEG files of a JPEG, PNG, GIF or WebP: what apod-mirror-thumbnailer does in its sandbox.
///
/// The format is detected by the bytes. A color profile is kept, the orientation is applied, an animation is
/// represented by its first frame. What is transparent becomes black, as the sky.
package enum Thumbnailer {
    /// The quality of thumbnails, from 1 to 100: the usual one of photographs on the web.
    private static let quality = 85
    /// A request for a longer side is one for a conversion: a copy for programs that read only JPEG.
    private static let maximumThumbnailSide = 2048
    private static let conversionQuality = 92

    /// Makes a JPEG file with a longer side of `side` pixels; a smaller picture is not enlarged.
    ///
    /// The file has a segment with `comment`. All errors but `.outOfMemory` are final.
    package static func thumbnail(
        of bytes: Span<UInt8>, side: Int = 512, comment: String
    ) throws(PictureError) -> [UInt8] {
        try unsafe bytes.withUnsafeBufferPointer { pointer throws(PictureError) in
            let reader = unsafe MediaBytes(pointer)
            let picture = try unsafe reduced(pointer, reader, to: side)
            let orientation = (try? MediaHeader(reading: reader))?.orientation ?? .upright
            let pixels = picture.pixels.resampled(to: picture.size.fitted(to: side))
            return try JPEGEncoder.file(
                of: pixels.upright(from: orientation),
                quality: side > maximumThumbnailSide ? conversionQuality : quality,
                comment: comment, profile: picture.profile)
        }
    }

    /// A decoded and reduced picture, as it is stored.
    private struct Reduced {
        var pixels: PixelBuffer
        /// The size of the original.
        var size: PixelSize
        /// Its color profile; empty if it has none, or if the colors were converted.
        var profile: [UInt8] = []
    }

    /// `reader` reads the same bytes as `pointer`, the whole file.
    private static func reduced(
        _ pointer: UnsafeBufferPointer<UInt8>, _ reader: MediaBytes, to side: Int
    ) throws(PictureError) -> Reduced {
        // Twice the target size leaves enough detail for the Lanczos filter; of a conversion that would take too much
        // memory.
        let detail = side > maximumThumbnailSide ? side : 2 * side
        switch MediaType(magic: reader.bytes(in: 0..<MediaType.magicLength)) {
        case .jpeg:
            let header = try JPEGHeader(of: reader)
            // The decoder halves the size: asking for twice as much would often decode four times as many pixels.
            let pixels = try unsafe JPEGDecoder.pixels(
                of: pointer.span, header, atLeast: side + side / 2)
            // Gray and CMYK become RGB, but their profiles do not.
            let profile = header.components == 3 ? header.profile : []
            return Reduced(pixels: pixels, size: header.size, profile: profile)
        case .png:
            let decoder = try unsafe PNGDecoder(of: pointer)
            // Before the pixels: after an error in them libspng returns no profile.
            let profile = decoder.profile
            return Reduced(
                pixels: try decoder.pixels(atLeast: detail), size: decoder.size, profile: profile)
        case .webp:
            let decoder = try unsafe WebPDecoder(of: pointer)
            let range = reader.webPProfile()?.prefix(ColorProfile.maximumLength + 1)
            let profile = range.map { reader.bytes(in: $0) } ?? []
            return Reduced(
                pixels: try decoder.pixels(atLeast: detail), size: decoder.size, profile: profile)
        case .gif:
            let (pixels, size) = try unsafe GIFDecoder(of: pointer).pixels(atLeast: detail)
            return Reduced(pixels: pixels, size: size)
        default:
            throw reader.fileLength == 0 ? .empty : .unknown
        }
    }
}
