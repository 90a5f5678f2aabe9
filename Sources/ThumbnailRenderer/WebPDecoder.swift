internal import CWebP
internal import MediaFormat

/// Decodes a WebP at a reduced size with libwebp; of an animation, the first frame.
@safe struct WebPDecoder {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let isAnimation: Bool
    /// The bytes of memory that libwebp takes for each pixel, at most.
    private let bytesPerPixel: Int
    private let size: PixelSize

    /// Starts decoding `bytes`, the whole file, which must outlive the decoder.
    init(of bytes: UnsafeBufferPointer<UInt8>) throws(PictureError) {
        var features = WebPBitstreamFeatures()
        let code = unsafe WebPGetFeatures(bytes.baseAddress, bytes.count, &features)
        guard code == VP8_STATUS_OK else { throw Self.error(code) }
        unsafe self.bytes = bytes
        isAnimation = features.has_animation != 0
        // See WebPBitstreamFeatures: 1 is lossy, 2 is lossless.
        let isLossless = features.format == 2
        if isLossless {
            bytesPerPixel = 4
        } else {
            // libwebp holds only a few rows of a lossy picture. It decodes an alpha channel like a lossless picture, and
            // keeps it.
            bytesPerPixel = features.has_alpha != 0 ? 5 : 0
        }
        size = try PixelSize(checking: Int(features.width), Int(features.height), of: "WebP")
    }

    /// Decodes the picture on black, with a longer side of at most `side` pixels.
    func pixels(fittedTo side: Int) throws(PictureError) -> PixelBuffer {
        let target = size.fitted(to: side)
        return isAnimation ? try firstFrame(in: target) : try still(in: target)
    }

    /// The most memory for a still picture, before and after reduction, in bytes; the process may use 320 MiB.
    private static let maximumStillBytes = 288 << 20

    /// Decodes a still picture, which libwebp reduces to `target`.
    private func still(in target: PixelSize) throws(PictureError) -> PixelBuffer {
        let memory =
            size.width * size.height * bytesPerPixel + target.width * target.height * 4
        guard memory <= Self.maximumStillBytes else { throw .exceedsMemoryLimit }
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
            return unsafe WebPDecode(bytes.baseAddress, bytes.count, &config)
        }
        // In a file that is cut off, the missing rows stay black.
        guard code == VP8_STATUS_OK || code == VP8_STATUS_SUSPENDED else { throw Self.error(code) }
        pixels.blendOnBlackInPlace()
        pixels.removeLast(pixels.count / 4)
        return PixelBuffer(target, bytes: pixels)
    }

    /// The most memory, in bytes, for the two frames of four bytes a pixel that libwebp holds of an animation.
    private static let maximumAnimationBytes = 256 << 20

    /// Decodes the first frame of an animation, and reduces it to `target`.
    private func firstFrame(in target: PixelSize) throws(PictureError) -> PixelBuffer {
        guard size.height <= Self.maximumAnimationBytes / (size.width * 2 * 4) else {
            throw .exceedsMemoryLimit
        }
        var data = unsafe WebPData(bytes: bytes.baseAddress, size: bytes.count)
        var options = WebPAnimDecoderOptions()
        unsafe WebPAnimDecoderOptionsInit(&options)
        options.color_mode = MODE_RGBA
        guard let decoder = unsafe WebPAnimDecoderNew(&data, &options) else {
            throw .exceedsMemoryLimit
        }
        defer { unsafe WebPAnimDecoderDelete(decoder) }
        var frame: UnsafeMutablePointer<UInt8>?
        var time = CInt(0)
        guard unsafe WebPAnimDecoderGetNext(decoder, &frame, &time) != 0, let frame = unsafe frame
        else { throw Self.damaged("its first frame cannot be decoded") }
        var downsampler = Downsampler(from: size, to: target)
        let length = size.width * 4
        for index in 0..<size.height {
            var row = unsafe Array(
                UnsafeBufferPointer(start: frame + index * length, count: length))
            row.blendOnBlackInPlace()
            downsampler.add(row.span)
        }
        return downsampler.output
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
