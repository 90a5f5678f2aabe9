internal import CSPNG
internal import Glibc

extension Canvas {
    /// The picture as a PNG file, by libspng.
    func png() -> [UInt8] {
        let encoder = unsafe spng_ctx_new(CInt(SPNG_CTX_ENCODER.rawValue))
        defer { unsafe spng_ctx_free(encoder) }
        var header = spng_ihdr()
        header.width = UInt32(width)
        header.height = UInt32(height)
        header.bit_depth = 8
        header.color_type = UInt8(SPNG_COLOR_TYPE_TRUECOLOR.rawValue)
        unsafe spng_set_ihdr(encoder, &header)
        unsafe spng_set_option(encoder, SPNG_ENCODE_TO_BUFFER, 1)
        unsafe spng_set_option(encoder, SPNG_IMG_COMPRESSION_LEVEL, 3)
        let pixels = developed()
        var code = unsafe spng_encode_image(
            encoder, pixels, pixels.count, CInt(SPNG_FMT_PNG.rawValue),
            CInt(SPNG_ENCODE_FINALIZE.rawValue))
        var size = 0
        let file = unsafe spng_get_png_buffer(encoder, &size, &code)
        defer { unsafe free(file) }
        precondition(code == 0, "libspng refuses a picture of \(width) by \(height)")
        return unsafe Array(UnsafeRawBufferPointer(start: file, count: size))
    }
}
