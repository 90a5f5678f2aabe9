internal import CSPNG
internal import PictureWriting

/// PNG files that are more than a ``Chart``.
package enum PNGFile {
    /// A black picture of one bit a pixel.
    package static func black(_ width: Int, _ height: Int) -> [UInt8] {
        let encoder = unsafe spng_ctx_new(CInt(SPNG_CTX_ENCODER.rawValue))
        defer { unsafe spng_ctx_free(encoder) }
        unsafe begin(encoder, width, height)
        let row = [UInt8](repeating: 0, count: (width + 7) / 8)
        for _ in 0..<height { unsafe spng_encode_row(encoder, row, row.count) }
        return unsafe PNGWriter.finished(encoder)
    }

    private static func begin(_ encoder: OpaquePointer?, _ width: Int, _ height: Int) {
        unsafe PNGWriter.setHeader(encoder, width, height, depth: 1, SPNG_COLOR_TYPE_GRAYSCALE)
        let flags = SPNG_ENCODE_PROGRESSIVE.rawValue | SPNG_ENCODE_FINALIZE.rawValue
        unsafe spng_encode_image(encoder, nil, 0, CInt(SPNG_FMT_PNG.rawValue), CInt(flags))
    }

    /// A picture of one pixel with a color profile of so many bytes.
    package static func profiled(_ count: Int) -> [UInt8] {
        let encoder = unsafe spng_ctx_new(CInt(SPNG_CTX_ENCODER.rawValue))
        defer { unsafe spng_ctx_free(encoder) }
        unsafe withProfile(encoder, [UInt8](repeating: 0, count: count)) {
            unsafe begin(encoder, 1, 1)
            unsafe spng_encode_row(encoder, [UInt8(0)], 1)
        }
        return unsafe PNGWriter.finished(encoder)
    }

    /// Calls `encode` while `encoder` has a color profile: it keeps the address of the bytes only.
    static func withProfile(
        _ encoder: OpaquePointer?, _ profile: [UInt8], encode: () -> Void
    ) {
        var profile = profile
        unsafe profile.withUnsafeMutableBytes { bytes in
            var chunk = unsafe spng_iccp()
            unsafe withUnsafeMutableBytes(of: &chunk.profile_name) {
                unsafe $0.copyBytes(from: "a profile".utf8)
            }
            unsafe chunk.profile_len = bytes.count
            unsafe chunk.profile = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            unsafe spng_set_iccp(encoder, &chunk)
            encode()
        }
    }
}
