/// Makes a small JPEG of a picture of any kind.
///
/// Only the bytes tell what the picture is. Colours are taken as sRGB, transparency lies on black, the
/// picture stands upright, the first frame stands for all.
package enum Thumbnailer {
    private static let quality = 85

    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - side: The long side of the thumbnail; a smaller picture is not enlarged.
    ///   - comment: What the thumbnail says of itself to who looks into it.
    /// - Returns: The thumbnail: a JPEG file.
    /// - Throws: ``PictureError`` where nothing is to be seen.
    package static func thumbnail(
        of bytes: Span<UInt8>, side: Int = 512, comment: String
    ) throws(PictureError) -> [UInt8] {
        let picture = try reduced(bytes, to: side)
        let raster = picture.raster.resampled(to: picture.size.fitted(to: side))
        return try JPEGEncoder().file(
            of: raster.turned(picture.orientation), quality: quality, comment: comment)
    }

    /// A picture that became smaller while it was decoded, and what is left to be done.
    private struct Reduced {
        var raster: PixelBuffer
        /// Of the original.
        var size: PictureSize
        var orientation = Orientation.upright
    }

    private static func reduced(
        _ bytes: Span<UInt8>, to side: Int
    ) throws(PictureError) -> Reduced {
        let format = try PictureFormat(of: bytes)
        if format == .jpeg { return try jpeg(bytes, to: side) }
        return try unsafe bytes.withUnsafeBufferPointer { bytes throws(PictureError) in
            // Twice what is wanted leaves Lanczos's filter enough to do.
            switch format {
            case .png: try unsafe png(bytes, atLeast: 2 * side)
            case .webp: try unsafe webp(bytes, atLeast: 2 * side)
            default: try unsafe gif(bytes, atLeast: 2 * side)
            }
        }
    }

    private static func jpeg(
        _ bytes: Span<UInt8>, to side: Int
    ) throws(PictureError) -> Reduced {
        let header = try JPEGHeader(of: bytes)
        let raster = try JPEGDecoder().raster(of: bytes, header, atLeast: side + side / 2)
        return Reduced(
            raster: raster.shrunk(toAtLeast: 2 * side), size: header.size,
            orientation: header.orientation)
    }

    private static func png(
        _ bytes: UnsafeBufferPointer<UInt8>, atLeast twice: Int
    ) throws(PictureError) -> Reduced {
        let decoder = try unsafe PNGDecoder(of: bytes)
        let orientation = decoder.orientation
        return Reduced(
            raster: try decoder.raster(atLeast: twice), size: decoder.size,
            orientation: orientation)
    }

    private static func webp(
        _ bytes: UnsafeBufferPointer<UInt8>, atLeast twice: Int
    ) throws(PictureError) -> Reduced {
        let decoder = try unsafe WebPDecoder(of: bytes)
        return Reduced(
            raster: try decoder.raster(atLeast: twice), size: decoder.size,
            orientation: decoder.orientation)
    }

    private static func gif(
        _ bytes: UnsafeBufferPointer<UInt8>, atLeast twice: Int
    ) throws(PictureError) -> Reduced {
        let (raster, size) = try unsafe GIFDecoder(of: bytes).raster(atLeast: twice)
        return Reduced(raster: raster, size: size)
    }
}
