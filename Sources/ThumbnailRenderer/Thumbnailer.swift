/// Makes a JPEG thumbnail of a JPEG, PNG, GIF or WebP.
///
/// The format is detected by the bytes. Colours are taken as sRGB, transparency is blended with black,
/// the orientation is applied, an animation is represented by its first frame.
package enum Thumbnailer {
    /// The quality of JPEG files, from 1 to 100.
    private static let quality = 85
    /// The quality of conversions, which have a longer side than ``maximumThumbnailSide``.
    private static let conversionQuality = 92
    /// The longest side of thumbnails and renditions; a conversion decodes no more detail than it needs, which would
    /// take too much memory.
    private static let maximumThumbnailSide = 2048

    /// Makes a JPEG file with a longer side of `side`; a smaller picture is not enlarged.
    package static func thumbnail(
        of bytes: Span<UInt8>, side: Int = 512, comment: String
    ) throws(PictureError) -> [UInt8] {
        let picture = try reduced(bytes, to: side)
        let pixels = picture.pixels.resampled(to: picture.size.fitted(to: side))
        return try JPEGEncoder.file(
            of: pixels.oriented(picture.orientation),
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
        if format == .jpeg { return try jpeg(bytes, to: side) }
        // Twice the target size leaves enough detail for the Lanczos filter.
        let detail = side > maximumThumbnailSide ? side : 2 * side
        return try unsafe bytes.withUnsafeBufferPointer { bytes throws(PictureError) in
            switch format {
            case .png:
                let decoder = try unsafe PNGDecoder(of: bytes)
                let orientation = decoder.orientation
                return Reduced(
                    pixels: try decoder.pixels(atLeast: detail), size: decoder.size,
                    orientation: orientation)
            case .webp:
                let decoder = try unsafe WebPDecoder(of: bytes)
                return Reduced(
                    pixels: try decoder.pixels(atLeast: detail), size: decoder.size,
                    orientation: decoder.orientation)
            case .gif, .jpeg:
                let (pixels, size) = try unsafe GIFDecoder(of: bytes).pixels(atLeast: detail)
                return Reduced(pixels: pixels, size: size)
            }
        }
    }

    private static func jpeg(_ bytes: Span<UInt8>, to side: Int) throws(PictureError) -> Reduced {
        let header = try JPEGHeader(of: bytes)
        // The decoder halves the size: asking for twice as much would often decode four times as many pixels.
        let pixels = try JPEGDecoder.pixels(of: bytes, header, atLeast: side + side / 2)
        return Reduced(pixels: pixels, size: header.size, orientation: header.orientation)
    }
}
