internal import CTurboJPEG
internal import MediaFormat

/// Encodes JPEG files with libjpeg-turbo.
enum JPEGEncoder {
    /// Returns a baseline JPEG with 4:2:0 subsampling and with the color `profile`; without one, colors are sRGB.
    ///
    /// The quality is from 1 to 100, and the comment shorter than 64 KiB.
    static func file(
        of pixels: PixelBuffer, quality: Int, comment: String, profile: [UInt8]
    ) throws(PictureError) -> [UInt8] {
        guard let handle = unsafe tjInitCompress() else { throw .exceedsMemoryLimit }
        defer { unsafe tjDestroy(handle) }
        let (width, height) = (CInt(pixels.size.width), CInt(pixels.size.height))
        var count = tjBufSize(width, height, CInt(TJSAMP_420.rawValue))
        var file = [UInt8](repeating: 0, count: Int(count))
        let code = unsafe file.withUnsafeMutableBufferPointer { file in
            var start = file.baseAddress
            return unsafe tjCompress2(
                handle, pixels.bytes, width, 0, height, CInt(TJPF_RGB.rawValue), &start, &count,
                CInt(TJSAMP_420.rawValue), CInt(quality), TJFLAG_NOREALLOC | TJFLAG_ACCURATEDCT)
        }
        guard code == 0 else {
            let reason = unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? ""
            throw .damaged(format: "thumbnail", reason: reason)
        }
        file.removeSubrange(Int(count)...)
        let segments = segment(0xfe, Array(comment.utf8)) + ColorProfile.segments(of: profile)
        file.insert(contentsOf: segments, at: endOfFirstSegment)
        return file
    }

    /// The length of the marker SOI (2 bytes) and the JFIF header (18), before which nothing may be inserted; see JFIF 1.02.
    private static let endOfFirstSegment = 20

    /// A segment of a JPEG, such as a comment; see ITU-T T.81, B.2.4.5 and B.2.4.6.
    static func segment(_ marker: UInt8, _ contents: [UInt8]) -> [UInt8] {
        let length = contents.count + 2
        precondition(length <= 0xffff, "the contents do not fit into a segment")
        return [0xff, marker, UInt8(length >> 8), UInt8(length & 0xff)] + contents
    }
}
