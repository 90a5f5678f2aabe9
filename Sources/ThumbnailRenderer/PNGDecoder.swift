internal import CSPNG

/// Decodes a PNG with libspng, row by row unless it is interlaced.
@safe final class PNGDecoder {
    private let context: OpaquePointer
    private let header: spng_ihdr
    private let format: CInt
    /// The size of a row in bytes.
    private let rowLength: Int
    let size: PictureSize

    /// The maximum size of an unpacked profile or text chunk, in bytes.
    private static let maximumChunk = 16 << 20

    /// Starts decoding `bytes`, the whole file, which must outlive the decoder.
    init(of bytes: UnsafeBufferPointer<UInt8>) throws(PictureError) {
        guard let context = unsafe spng_ctx_new(0) else { throw .outOfMemory }
        unsafe self.context = context
        var header = spng_ihdr()
        unsafe spng_set_chunk_limits(context, Self.maximumChunk, Self.maximumChunk)
        unsafe spng_set_png_buffer(context, bytes.baseAddress, bytes.count)
        let code = unsafe spng_get_ihdr(context, &header)
        self.header = header
        var transparency = spng_trns()
        let hasTransparentColour = unsafe spng_get_trns(context, &transparency) == 0
        let hasAlpha = header.color_type & 4 != 0 || hasTransparentColour
        format = CInt((hasAlpha ? SPNG_FMT_RGBA8 : SPNG_FMT_RGB8).rawValue)
        rowLength = Int(header.width) * (hasAlpha ? 4 : 3)
        size = PictureSize(width: Int(header.width), height: Int(header.height))
        guard code == 0 else { throw Self.error(code) }
        _ = try PictureSize(checking: size.width, size.height, of: .png)
    }

    deinit { unsafe spng_ctx_free(context) }

    var orientation: Orientation {
        var exif = unsafe spng_exif()
        guard unsafe spng_get_exif(context, &exif) == 0 else { return .upright }
        let bytes = unsafe UnsafeBufferPointer(
            start: UnsafeRawPointer(exif.data)?.assumingMemoryBound(to: UInt8.self),
            count: exif.length)
        return unsafe Orientation(exif: bytes.span) ?? .upright
    }

    /// Decodes the picture on black; missing rows of a truncated one are black.
    func pixels(atLeast side: Int) throws(PictureError) -> PixelBuffer {
        let flags = CInt(SPNG_DECODE_TRNS.rawValue) | CInt(SPNG_DECODE_PROGRESSIVE.rawValue)
        let code = unsafe spng_decode_image(context, nil, 0, format, flags)
        guard code == 0 else { throw Self.error(code) }
        var downsampler = BoxDownsampler(size, atLeast: side)
        if header.interlace_method == 0 {
            try readInOrder(into: &downsampler)
        } else {
            try readInterlaced(into: &downsampler)
        }
        return downsampler.finish()
    }

    private func readInOrder(into downsampler: inout BoxDownsampler) throws(PictureError) {
        var row = [UInt8](repeating: 0, count: rowLength)
        for index in 0..<size.height {
            let code = unsafe spng_decode_row(context, &row, row.count)
            guard code == 0 || code == SPNG_EOI.rawValue else {
                if index > 0 { return }
                throw Self.error(code)
            }
            add(&row, to: &downsampler)
        }
    }

    /// Decodes all seven passes, as each row has pixels in several of them.
    private func readInterlaced(into downsampler: inout BoxDownsampler) throws(PictureError) {
        guard size.height <= Self.maximumInterlaced / rowLength else { throw .noMemory }
        var pixels = [UInt8](repeating: 0, count: rowLength * size.height)
        var code = CInt(0)
        var rows = 0
        while code == 0 {
            var info = spng_row_info()
            code = unsafe spng_get_row_info(context, &info)
            guard code == 0 else { break }
            code = unsafe pixels.withUnsafeMutableBytes { pixels in
                let row = unsafe pixels.baseAddress?.advanced(by: Int(info.row_num) * rowLength)
                return unsafe spng_decode_row(context, row, rowLength)
            }
            rows += 1
        }
        guard code == SPNG_EOI.rawValue || rows > 1 else { throw Self.error(code) }
        for index in 0..<size.height {
            var row = Array(pixels[index * rowLength..<(index + 1) * rowLength])
            add(&row, to: &downsampler)
        }
    }

    /// The maximum size of an interlaced picture in bytes, as all of it must be in memory.
    private static let maximumInterlaced = 160 << 20

    private func add(_ row: inout [UInt8], to downsampler: inout BoxDownsampler) {
        if format == SPNG_FMT_RGBA8.rawValue { row.blendWithBlack() }
        downsampler.add(row.span)
    }

    private static func error(_ code: CInt) -> PictureError {
        guard code != SPNG_EMEM.rawValue else { return .outOfMemory }
        let reason = unsafe spng_strerror(code).map { unsafe String(cString: $0) } ?? "\(code)"
        return .damaged(format: PictureFormat.png.rawValue, reason: reason)
    }
}
