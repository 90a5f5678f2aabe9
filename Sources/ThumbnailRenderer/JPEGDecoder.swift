internal import CTurboJPEG
internal import MediaFormat

/// Decodes a JPEG at a reduced size with libjpeg-turbo.
enum JPEGDecoder {
    /// Decodes a whole file with a longer side of at most `side`; missing parts are gray.
    static func pixels(
        of bytes: Span<UInt8>, _ header: JPEGHeader, fittedTo side: Int
    ) throws(PictureError) -> PixelBuffer {
        // Only these factors are fast: half the size takes a quarter of the time. Half as much again is enough detail for
        // the mean; twice as much would often decode four times as many pixels.
        let enough = side + side / 2
        let divisor = [8, 4, 2].first { header.size.longSide / $0 >= enough } ?? 1
        // Rounded up, as TJSCALED() does.
        let size = PixelSize(
            width: (header.size.width + divisor - 1) / divisor,
            height: (header.size.height + divisor - 1) / divisor)
        let isCMYK = header.components == 4
        var pixels = try decode(bytes, size, isCMYK ? TJPF_CMYK : TJPF_RGB)
        if isCMYK { pixels = rgb(pixels, isInverted: header.hasAdobeMarker) }
        return PixelBuffer(size, bytes: pixels).reduced(to: header.size.fitted(to: side))
    }

    private static func decode(
        _ bytes: Span<UInt8>, _ size: PixelSize, _ format: TJPF
    ) throws(PictureError) -> [UInt8] {
        guard let handle = unsafe tjInitDecompress() else { throw .exceedsMemoryLimit }
        defer { unsafe tjDestroy(handle) }
        let count = size.width * size.height * (format == TJPF_CMYK ? 4 : 3)
        var pixels = [UInt8](repeating: 0, count: count)
        let code = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe tjDecompress2(
                handle, bytes.baseAddress, UInt(bytes.count), &pixels, CInt(size.width), 0,
                CInt(size.height), CInt(format.rawValue), TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS)
        }
        let isSevere = unsafe tjGetErrorCode(handle) != TJERR_WARNING.rawValue
        if code != 0, isSevere {
            let text = unsafe tjGetErrorStr2(handle).map { unsafe String(cString: $0) } ?? ""
            throw text.contains("memory")
                ? .exceedsMemoryLimit : .damaged(format: "JPEG", reason: text)
        }
        return pixels
    }

    /// Converts CMYK to RGB.
    private static func rgb(_ inks: [UInt8], isInverted: Bool) -> [UInt8] {
        let flip: UInt8 = isInverted ? 0 : 255
        var pixels: [UInt8] = []
        pixels.reserveCapacity(inks.count / 4 * 3)
        for start in stride(from: 0, to: inks.count, by: 4) {
            let black = UInt32(inks[start + 3] ^ flip)
            for ink in 0..<3 {
                pixels.append(UInt8((UInt32(inks[start + ink] ^ flip) * black + 127) / 255))
            }
        }
        return pixels
    }
}
