/// Makes JPEG files of a JPEG, PNG, GIF or WebP: what apod-mirror-thumbnailer does in its sandbox.
///
/// The format is detected by the bytes. Colours are taken as sRGB, the orientation is applied, an animation is
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
        let picture = try reduced(bytes, to: side)
        let pixels = picture.pixels.resampled(to: picture.size.fitted(to: side))
        return try JPEGEncoder.file(
            of: pixels.upright(from: picture.orientation),
            quality: side > maximumThumbnailSide ? conversionQuality : quality, comment: comment)
    }

    /// A decoded and reduced picture, and what remains to be applied.
    private struct Reduced {
        var pixels: PixelBuffer
        /// The size of the original.
        var size: PictureSize
        var orientation = Orientation.upright
    }

    private static func reduced(
        _ bytes: Span<UInt8>, to side: Int
    ) throws(PictureError) -> Reduced {
        let format = try PictureFormat(of: bytes)
        // Twice the target size leaves enough detail for the Lanczos filter; of a conversion that would take too much
        // memory.
        let detail = side > maximumThumbnailSide ? side : 2 * side
        return try unsafe bytes.withUnsafeBufferPointer { pointer throws(PictureError) in
            switch format {
            case .jpeg:
                let header = try JPEGHeader(of: bytes)
                // The decoder halves the size: asking for twice as much would often decode four times as many pixels.
                let pixels = try JPEGDecoder.pixels(of: bytes, header, atLeast: side + side / 2)
                return Reduced(
                    pixels: pixels, size: header.size, orientation: header.orientation)
            case .png:
                let decoder = try unsafe PNGDecoder(of: pointer)
                // Before the pixels: after an error in them libspng returns no Exif data.
                let orientation = decoder.orientation
                return Reduced(
                    pixels: try decoder.pixels(atLeast: detail), size: decoder.size,
                    orientation: orientation)
            case .webp:
                let decoder = try unsafe WebPDecoder(of: pointer)
                return Reduced(
                    pixels: try decoder.pixels(atLeast: detail), size: decoder.size,
                    orientation: decoder.orientation)
            case .gif:
                let (pixels, size) = try unsafe GIFDecoder(of: pointer).pixels(atLeast: detail)
                return Reduced(pixels: pixels, size: size)
            }
        }
    }
}
