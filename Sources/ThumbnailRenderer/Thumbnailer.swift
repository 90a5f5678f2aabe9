internal import MediaFormat

/// Makes JPEG files of a JPEG, PNG, GIF or WebP: what apod-mirror-thumbnailer does in its sandbox.
///
/// The format is detected by the bytes. A color profile is kept, the orientation is applied, an animation is
/// represented by its first frame, a GIF by the first that shows anything. What is transparent becomes black, as the sky.
package enum Thumbnailer {
    /// The quality of thumbnails, from 1 to 100: the usual one of photographs on the web.
    private static let quality = 85
    /// A request for a longer side is one for a conversion: a copy for programs that read only JPEG.
    private static let maximumThumbnailSide = 2048
    private static let conversionQuality = 92

    /// Makes a JPEG file with a longer side of `side` pixels; a smaller picture is not enlarged.
    ///
    /// The file has a segment with `comment`. The process must limit its memory: a small file may need much.
    package static func thumbnail(
        of bytes: Span<UInt8>, side: Int = 512, comment: String
    ) throws(PictureError) -> [UInt8] {
        try unsafe bytes.withUnsafeBufferPointer { pointer throws(PictureError) in
            let reader = unsafe MediaBytes(pointer)
            let picture = try unsafe reduced(pointer, reader, to: side)
            let orientation = (try? MediaHeader(reading: reader))?.orientation ?? .upright
            return try JPEGEncoder.file(
                of: picture.pixels.upright(from: orientation),
                quality: side > maximumThumbnailSide ? conversionQuality : quality,
                comment: comment, profile: picture.profile)
        }
    }

    /// Decodes a picture as it is stored, with a longer side of at most `side` pixels.
    ///
    /// `reader` reads the same bytes as `pointer`, the whole file. The color profile is empty if there is none, or if the
    /// colors were converted.
    private static func reduced(
        _ pointer: UnsafeBufferPointer<UInt8>, _ reader: MediaBytes, to side: Int
    ) throws(PictureError) -> (pixels: PixelBuffer, profile: [UInt8]) {
        switch MediaType(magic: reader.prefix(MediaType.magicLength)) {
        case .jpeg:
            let header = try JPEGHeader(of: reader)
            let pixels = try unsafe JPEGDecoder.pixels(of: pointer.span, header, fittedTo: side)
            // Gray and CMYK become RGB, but their profiles do not.
            return (pixels, header.components == 3 ? header.profile : [])
        case .png:
            let decoder = try unsafe PNGDecoder(of: pointer)
            // Before the pixels: after an error in them libspng returns no profile.
            let profile = decoder.profile
            return (try decoder.pixels(fittedTo: side), profile)
        case .webp:
            let decoder = try unsafe WebPDecoder(of: pointer)
            let profile = reader.webPProfile()?.prefix(ColorProfile.maximumLength + 1) ?? []
            return (try decoder.pixels(fittedTo: side), profile)
        case .gif:
            return (try unsafe GIFDecoder(of: pointer).pixels(fittedTo: side), [])
        default:
            throw .unknown
        }
    }
}
