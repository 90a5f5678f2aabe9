internal import MediaFormat

/// Makes a smaller JPEG of a JPEG, PNG, GIF or WebP; apod-mirror-thumbnailer does so in its sandbox.
///
/// The first bytes show the format. The color profile is kept, and the orientation applied. An animation is represented by
/// its first frame, a GIF by its first frame that shows anything. What is transparent becomes black, like the sky.
package enum Thumbnailer {
    /// The quality of thumbnails, from 1 to 100: the usual one of photographs on the web.
    private static let quality = 85
    /// A request for a longer side is one for a conversion, which is a copy for programs that read only JPEG.
    private static let maximumThumbnailSide = 2048
    private static let conversionQuality = 92

    /// Makes a JPEG file with a longer side of `side` pixels; a smaller picture is not enlarged.
    ///
    /// The file has a segment with `comment`. The process must limit its memory, because a small file may need much.
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
    /// `pointer` and `reader` have the same bytes, those of the whole file. The color profile is empty if there is none, or
    /// if the colors were converted.
    private static func reduced(
        _ pointer: UnsafeBufferPointer<UInt8>, _ reader: MediaBytes, to side: Int
    ) throws(PictureError) -> (pixels: PixelBuffer, profile: [UInt8]) {
        switch MediaType(magic: reader.prefix(MediaType.magicLength)) {
        case .jpeg:
            let header = try JPEGHeader(of: reader)
            let pixels = try unsafe JPEGDecoder.pixels(of: pointer.span, header, fittedTo: side)
            // Gray and CMYK become RGB, for which their profiles are wrong.
            return (pixels, header.components == 3 ? header.profile : [])
        case .png:
            let decoder = try unsafe PNGDecoder(of: pointer)
            // Read before the pixels, because libspng returns no profile after an error in them.
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
