internal import MediaFormat

/// Makes a smaller JPEG of a JPEG, PNG, GIF or WebP; apod-mirror-thumbnailer does so in its sandbox.
///
/// The first bytes show the format. The color profile is kept, and the orientation is applied. Of an animation, the first frame
/// is shown, of a GIF the first frame that has more than one color. Transparent areas become black, like the sky.
package enum Thumbnailer {
    /// The quality of a JPEG of at most ``maximumThumbnailSide``, from 1 to 100: that of most photographs on the web.
    private static let quality = 85
    private static let maximumThumbnailSide = 2048
    /// The quality of a larger JPEG, which replaces the original for programs that read no other format.
    private static let conversionQuality = 92

    /// Makes a JPEG file with a longer side of `side` pixels; a smaller picture is not enlarged.
    ///
    /// `comment` becomes a comment in the file. The process must limit its memory, because a small file may need much of it.
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

    /// Decodes a picture without applying its orientation; the longer side has at most `side` pixels.
    ///
    /// `pointer` and `reader` give access to the same bytes, those of the whole file. The returned color profile is empty if
    /// there is none, or if the colors were converted.
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
