internal import CSPNG

/// libspng's decoder, row by row where the file has its rows in order.
@safe final class PNGDecoder {
    private let context: OpaquePointer
    private let header: spng_ihdr
    private let format: CInt
    /// Of a row, in bytes.
    private let width: Int
    let size: PictureSize

    /// The most bytes that a chunk beside the picture may take, unpacked: a profile, a text.
    private static let maximumChunk = 16 << 20

    /// Begins to read `bytes`, the whole file, which must outlive the decoder.
    init(of bytes: UnsafeBufferPointer<UInt8>) throws(PictureError) {
        guard let context = unsafe spng_ctx_new(0) else { throw .outOfMemory }
        unsafe self.context = context
        var header = spng_ihdr()
        unsafe spng_set_chunk_limits(context, Self.maximumChunk, Self.maximumChunk)
        unsafe spng_set_png_buffer(context, bytes.baseAddress, bytes.count)
        let code = unsafe spng_get_ihdr(context, &header)
        self.header = header
        var transparency = spng_trns()
        let hasColourThatIsNone = unsafe spng_get_trns(context, &transparency) == 0
        let hasAlpha = header.color_type & 4 != 0 || hasColourThatIsNone
        format = CInt((hasAlpha ? SPNG_FMT_RGBA8 : SPNG_FMT_RGB8).rawValue)
        width = Int(header.width) * (hasAlpha ? 4 : 3)
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

    /// - Returns: As much as there is of a picture that was cut off, on black.
    /// - Throws: ``PictureError`` where there is nothing to be seen.
    func raster(atLeast side: Int) throws(PictureError) -> PixelBuffer {
        let flags = CInt(SPNG_DECODE_TRNS.rawValue) | CInt(SPNG_DECODE_PROGRESSIVE.rawValue)
        let code = unsafe spng_decode_image(context, nil, 0, format, flags)
        guard code == 0 else { throw Self.error(code) }
        var shrinker = BoxDownsampler(size, atLeast: side)
        if header.interlace_method == 0 {
            try readInOrder(into: &shrinker)
        } else {
            try readInterlaced(into: &shrinker)
        }
        return shrinker.finish()
    }

    private func readInOrder(into shrinker: inout BoxDownsampler) throws(PictureError) {
        var row = [UInt8](repeating: 0, count: width)
        for index in 0..<size.height {
            let code = unsafe spng_decode_row(context, &row, row.count)
            guard code == 0 || code == SPNG_EOI.rawValue else {
                if index > 0 { return }
                throw Self.error(code)
            }
            add(&row, to: &shrinker)
        }
    }

    /// Gathers the rows of all seven passes: what is between them is known at the end.
    private func readInterlaced(into shrinker: inout BoxDownsampler) throws(PictureError) {
        guard size.height <= Self.maximumInterlaced / width else { throw .noMemory }
        var pixels = [UInt8](repeating: 0, count: width * size.height)
        var code = CInt(0)
        var rows = 0
        while code == 0 {
            var info = spng_row_info()
            code = unsafe spng_get_row_info(context, &info)
            guard code == 0 else { break }
            code = unsafe pixels.withUnsafeMutableBytes { pixels in
                let row = unsafe pixels.baseAddress?.advanced(by: Int(info.row_num) * width)
                return unsafe spng_decode_row(context, row, width)
            }
            rows += 1
        }
        guard code == SPNG_EOI.rawValue || rows > 1 else { throw Self.error(code) }
        for index in 0..<size.height {
            var row = Array(pixels[index * width..<(index + 1) * width])
            add(&row, to: &shrinker)
        }
    }

    /// The most bytes of an interlaced picture, all of which must be in memory.
    private static let maximumInterlaced = 160 << 20

    private func add(_ row: inout [UInt8], to shrinker: inout BoxDownsampler) {
        if format == SPNG_FMT_RGBA8.rawValue { row.layOnBlack() }
        shrinker.add(row.span)
    }

    private static func error(_ code: CInt) -> PictureError {
        guard code != SPNG_EMEM.rawValue else { return .outOfMemory }
        let reason = unsafe spng_strerror(code).map { unsafe String(cString: $0) } ?? "\(code)"
        return .damaged(format: PictureFormat.png.rawValue, reason: reason)
    }
}

extension [UInt8] {
    /// Makes of pixels of four bytes, the last of which tells how opaque they are, pixels of three at the
    /// beginning.
    mutating func layOnBlack() {
        unsafe withUnsafeMutableBufferPointer { bytes in
            for pixel in 0..<bytes.count / 4 {
                let opacity = unsafe UInt32(bytes[4 * pixel + 3])
                for channel in 0..<3 {
                    let light = unsafe UInt32(bytes[4 * pixel + channel]) * opacity
                    unsafe bytes[3 * pixel + channel] = UInt8((light + 127) / 255)
                }
            }
        }
    }
}
