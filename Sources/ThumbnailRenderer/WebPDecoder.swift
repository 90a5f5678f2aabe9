internal import CWebP
internal import MediaFormat

/// Decodes a WebP on black with libwebp, which also reduces it; of an animation, the first frame.
enum WebPDecoder {
    /// Decodes `file`, a whole file, with a longer side of at most `side` pixels.
    static func pixels(
        of file: UnsafeBufferPointer<UInt8>, fittedTo side: Int
    ) throws(PictureError) -> PixelBuffer {
        guard try unsafe features(of: file).has_animation != 0 else {
            return try unsafe still(file, fittedTo: side)
        }
        var data = unsafe WebPData(bytes: file.baseAddress, size: file.count)
        guard let demuxer = unsafe WebPDemux(&data) else { throw damaged("it is cut off") }
        defer { unsafe WebPDemuxDelete(demuxer) }
        var frame = unsafe WebPIterator()
        guard unsafe WebPDemuxGetFrame(demuxer, 1, &frame) != 0 else {
            throw damaged("it has no frame")
        }
        defer { unsafe WebPDemuxReleaseIterator(&frame) }
        let picture = unsafe UnsafeBufferPointer(
            start: frame.fragment.bytes, count: frame.fragment.size)
        return try unsafe still(picture, fittedTo: side)
    }

    private static func features(
        of file: UnsafeBufferPointer<UInt8>
    ) throws(PictureError) -> WebPBitstreamFeatures {
        var features = WebPBitstreamFeatures()
        let code = unsafe WebPGetFeatures(file.baseAddress, file.count, &features)
        guard code == VP8_STATUS_OK else { throw error(code) }
        return features
    }

    private static func still(
        _ file: UnsafeBufferPointer<UInt8>, fittedTo side: Int
    ) throws(PictureError) -> PixelBuffer {
        let features = try unsafe features(of: file)
        let size = try PixelSize(
            checking: Int(features.width), Int(features.height), of: "WebP")
        let target = size.fitted(to: side)
        var config = unsafe WebPDecoderConfig()
        unsafe WebPInitDecoderConfig(&config)
        var pixels = [UInt8](repeating: 0, count: target.width * target.height * 4)
        unsafe config.options.use_scaling = target == size ? 0 : 1
        unsafe config.options.scaled_width = CInt(target.width)
        unsafe config.options.scaled_height = CInt(target.height)
        unsafe config.output.colorspace = MODE_RGBA
        unsafe config.output.is_external_memory = 1
        let code = unsafe pixels.withUnsafeMutableBufferPointer { pixels in
            unsafe config.output.u.RGBA.rgba = pixels.baseAddress
            unsafe config.output.u.RGBA.stride = CInt(target.width * 4)
            unsafe config.output.u.RGBA.size = pixels.count
            return unsafe WebPDecode(file.baseAddress, file.count, &config)
        }
        // A file that is cut off: the rows that are missing stay black.
        guard code == VP8_STATUS_OK || code == VP8_STATUS_SUSPENDED else { throw error(code) }
        pixels.blendOnBlackInPlace()
        pixels.removeLast(pixels.count / 4)
        return PixelBuffer(target, bytes: pixels)
    }

    private static func error(_ code: VP8StatusCode) -> PictureError {
        switch code {
        case VP8_STATUS_OUT_OF_MEMORY: .exceedsMemoryLimit
        case VP8_STATUS_NOT_ENOUGH_DATA: damaged("it is cut off")
        case VP8_STATUS_UNSUPPORTED_FEATURE: damaged("it is of a kind that is not supported")
        default: damaged("its data is corrupt")
        }
    }

    private static func damaged(_ reason: String) -> PictureError {
        .damaged(format: "WebP", reason: reason)
    }
}
