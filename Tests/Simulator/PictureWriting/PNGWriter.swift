package import CSPNG
internal import Glibc

/// Writes PNG files, by libspng.
package enum PNGWriter {
    /// The file of a picture of three bytes a pixel, hardly compressed.
    package static func colored(_ rgb: [UInt8], _ width: Int, _ height: Int) -> [UInt8] {
        let encoder = unsafe spng_ctx_new(CInt(SPNG_CTX_ENCODER.rawValue))
        defer { unsafe spng_ctx_free(encoder) }
        unsafe setHeader(encoder, width, height, depth: 8, SPNG_COLOR_TYPE_TRUECOLOR)
        unsafe spng_set_option(encoder, SPNG_IMG_COMPRESSION_LEVEL, 3)
        unsafe spng_encode_image(
            encoder, rgb, rgb.count, CInt(SPNG_FMT_PNG.rawValue),
            CInt(SPNG_ENCODE_FINALIZE.rawValue))
        return unsafe finished(encoder)
    }

    package static func setHeader(
        _ encoder: OpaquePointer?, _ width: Int, _ height: Int, depth: UInt8,
        _ type: spng_color_type, isInterlaced: Bool = false
    ) {
        var header = spng_ihdr()
        header.width = UInt32(width)
        header.height = UInt32(height)
        header.bit_depth = depth
        header.color_type = UInt8(type.rawValue)
        header.interlace_method = isInterlaced ? 1 : 0
        unsafe spng_set_ihdr(encoder, &header)
        unsafe spng_set_option(encoder, SPNG_ENCODE_TO_BUFFER, 1)
    }

    /// The file, after all of it was encoded.
    package static func finished(_ encoder: OpaquePointer?) -> [UInt8] {
        var (size, code) = (0, CInt(0))
        let file = unsafe spng_get_png_buffer(encoder, &size, &code)
        defer { unsafe free(file) }
        precondition(code == 0, "spng_get_png_buffer: \(code)")
        return unsafe Array(UnsafeRawBufferPointer(start: file, count: size))
    }
}
