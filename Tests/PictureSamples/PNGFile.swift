internal import CSPNG
internal import Glibc

/// PNG files that are more than a ``Chart``.
package enum PNGFile {
    /// A picture of three bytes a pixel, hardly compressed.
    static func coloured(_ rgb: [UInt8], _ width: Int, _ height: Int) -> [UInt8] {
        let encoder = unsafe spng_ctx_new(CInt(SPNG_CTX_ENCODER.rawValue))
        defer { unsafe spng_ctx_free(encoder) }
        unsafe setHeader(encoder, width, height, depth: 8, SPNG_COLOR_TYPE_TRUECOLOR)
        unsafe spng_set_option(encoder, SPNG_IMG_COMPRESSION_LEVEL, 3)
        unsafe spng_encode_image(
            encoder, rgb, rgb.count, CInt(SPNG_FMT_PNG.rawValue),
            CInt(SPNG_ENCODE_FINALIZE.rawValue))
        return unsafe finished(encoder)
    }

    /// A black picture of one bit a pixel.
    package static func black(_ width: Int, _ height: Int) -> [UInt8] {
        let encoder = unsafe spng_ctx_new(CInt(SPNG_CTX_ENCODER.rawValue))
        defer { unsafe spng_ctx_free(encoder) }
        unsafe begin(encoder, width, height)
        let row = [UInt8](repeating: 0, count: (width + 7) / 8)
        for _ in 0..<height { unsafe spng_encode_row(encoder, row, row.count) }
        return unsafe finished(encoder)
    }

    private static func setHeader(
        _ encoder: OpaquePointer?, _ width: Int, _ height: Int, depth: UInt8,
        _ type: spng_color_type
    ) {
        var header = spng_ihdr()
        header.width = UInt32(width)
        header.height = UInt32(height)
        header.bit_depth = depth
        header.color_type = UInt8(type.rawValue)
        unsafe spng_set_ihdr(encoder, &header)
        unsafe spng_set_option(encoder, SPNG_ENCODE_TO_BUFFER, 1)
    }

    private static func begin(_ encoder: OpaquePointer?, _ width: Int, _ height: Int) {
        unsafe setHeader(encoder, width, height, depth: 1, SPNG_COLOR_TYPE_GRAYSCALE)
        let flags = SPNG_ENCODE_PROGRESSIVE.rawValue | SPNG_ENCODE_FINALIZE.rawValue
        unsafe spng_encode_image(encoder, nil, 0, CInt(SPNG_FMT_PNG.rawValue), CInt(flags))
    }

    private static func finished(_ encoder: OpaquePointer?) -> [UInt8] {
        var (size, code) = (0, CInt(0))
        let file = unsafe spng_get_png_buffer(encoder, &size, &code)
        defer { unsafe free(file) }
        precondition(code == 0, "spng_get_png_buffer: \(code)")
        return unsafe Array(UnsafeRawBufferPointer(start: file, count: size))
    }

    /// A picture of one pixel with a colour profile of so many bytes.
    package static func profiled(_ count: Int) -> [UInt8] {
        let encoder = unsafe spng_ctx_new(CInt(SPNG_CTX_ENCODER.rawValue))
        defer { unsafe spng_ctx_free(encoder) }
        var profile = [CChar](repeating: 0, count: count)
        unsafe profile.withUnsafeMutableBufferPointer { bytes in
            var chunk = unsafe spng_iccp()
            unsafe withUnsafeMutableBytes(of: &chunk.profile_name) {
                unsafe $0.copyBytes(from: "huge".utf8)
            }
            unsafe chunk.profile_len = bytes.count
            unsafe chunk.profile = bytes.baseAddress
            unsafe spng_set_iccp(encoder, &chunk)
            unsafe begin(encoder, 1, 1)
            unsafe spng_encode_row(encoder, [UInt8(0)], 1)
        }
        return unsafe finished(encoder)
    }
}
