internal import CSPNG
internal import MediaFormat

/// Decodes a PNG with libspng, row by row unless it is interlaced.
///
/// Gamma and the lower half of 16-bit samples are ignored. libspng holds a pointer to the bytes of the file until `deinit`
/// frees the context.
@safe final class PNGDecoder {
    private let context: OpaquePointer
    private let header: spng_ihdr
    private let format: CInt
    /// The size of a row in bytes.
    private let rowLength: Int
    private let size: PixelSize

    /// The maximum size of an unpacked profile or text chunk, and of all together, in bytes.
    private static let maximumChunkBytes = 16 << 20
    /// The maximum size of an interlaced picture in bytes, which is in memory as a whole: half of what the process may use.
    private static let maximumInterlacedBytes = 160 << 20
    // Bits of the color type in the header; see PNG 11.2.2.
    private static let colorBit: UInt8 = 2
    private static let alphaBit: UInt8 = 4

    /// Starts decoding `bytes`, the whole file, which must outlive the decoder.
    init(of bytes: UnsafeBufferPointer<UInt8>) throws(PictureError) {
        guard let context = unsafe spng_ctx_new(0) else { throw .exceedsMemoryLimit }
        unsafe self.context = context
        var header = spng_ihdr()
        unsafe spng_set_chunk_limits(context, Self.maximumChunkBytes, Self.maximumChunkBytes)
        unsafe spng_set_png_buffer(context, bytes.baseAddress, bytes.count)
        let code = unsafe spng_get_ihdr(context, &header)
        self.header = header
        var transparency = spng_trns()
        let hasTransparentColor = unsafe spng_get_trns(context, &transparency) == 0
        let hasAlpha = header.color_type & Self.alphaBit != 0 || hasTransparentColor
        format = CInt((hasAlpha ? SPNG_FMT_RGBA8 : SPNG_FMT_RGB8).rawValue)
        rowLength = Int(header.width) * (hasAlpha ? 4 : 3)
        size = PixelSize(width: Int(header.width), height: Int(header.height))
        // An error before all properties are set would not call deinit, which frees the context.
        guard code == 0 else { throw Self.error(code) }
        _ = try PixelSize(checking: size.width, size.height, of: "PNG")
    }

    deinit { unsafe spng_ctx_free(context) }

    /// The color profile of RGB samples; empty if there is none that can be read.
    var profile: [UInt8] {
        var chunk = unsafe spng_iccp()
        // Gray samples become RGB, for which their profile is wrong.
        guard header.color_type & Self.colorBit != 0,
            unsafe spng_get_iccp(context, &chunk) == 0
        else { return [] }
        let bytes = unsafe UnsafeRawBufferPointer(start: chunk.profile, count: chunk.profile_len)
        return unsafe Array(bytes.prefix(ColorProfile.maximumLength + 1))
    }

    /// Decodes the picture on black; the longer side of the result has at most `side` pixels.
    ///
    /// It may be called once. If the file is cut off or damaged, the rest of the picture is black.
    func pixels(fittedTo side: Int) throws(PictureError) -> PixelBuffer {
        var downsampler = Downsampler(from: size, to: size.fitted(to: side))
        if header.interlace_method == 0 {
            try readInOrder(into: &downsampler)
        } else {
            try readInterlaced(into: &downsampler)
        }
        return downsampler.output
    }

    private func readInOrder(into downsampler: inout Downsampler) throws(PictureError) {
        let flags = CInt(SPNG_DECODE_TRNS.rawValue) | CInt(SPNG_DECODE_PROGRESSIVE.rawValue)
        let code = unsafe spng_decode_image(context, nil, 0, format, flags)
        guard code == 0 else { throw Self.error(code) }
        var row = [UInt8](repeating: 0, count: rowLength)
        for index in 0..<size.height {
            let code = unsafe spng_decode_row(context, &row, row.count)
            if code != 0, code != SPNG_EOI.rawValue {
                return try Self.check(code, hasPixels: index > 0)
            }
            add(&row, to: &downsampler)
        }
    }

    /// Decodes the whole picture at once, because the pixels of a row are in several of the seven passes.
    private func readInterlaced(into downsampler: inout Downsampler) throws(PictureError) {
        guard size.height <= Self.maximumInterlacedBytes / rowLength else {
            throw .exceedsMemoryLimit
        }
        var pixels = [UInt8](repeating: 0, count: rowLength * size.height)
        let code = unsafe spng_decode_image(
            context, &pixels, pixels.count, format, CInt(SPNG_DECODE_TRNS.rawValue))
        if code != 0 {
            try Self.check(code, hasPixels: pixels.contains { $0 != 0 })
        }
        for start in stride(from: 0, to: pixels.count, by: rowLength) {
            var row = Array(pixels[start..<start + rowLength])
            add(&row, to: &downsampler)
        }
    }

    /// Makes `row` opaque, and adds it to the picture.
    private func add(_ row: inout [UInt8], to downsampler: inout Downsampler) {
        if format == SPNG_FMT_RGBA8.rawValue { row.blendOnBlackInPlace() }
        downsampler.add(row.span)
    }

    /// Throws the error with this `code`, unless pixels were decoded before it: a part of the picture is better than none.
    private static func check(_ code: CInt, hasPixels: Bool) throws(PictureError) {
        let isLackOfMemory = code == SPNG_EMEM.rawValue
        guard hasPixels, !isLackOfMemory else { throw error(code) }
    }

    private static func error(_ code: CInt) -> PictureError {
        guard code != SPNG_EMEM.rawValue else { return .exceedsMemoryLimit }
        let reason = unsafe spng_strerror(code).map { unsafe String(cString: $0) } ?? "\(code)"
        return .damaged(format: "PNG", reason: reason)
    }
}
