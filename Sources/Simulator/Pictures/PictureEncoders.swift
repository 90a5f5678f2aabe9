internal import CGIF
internal import CSPNG
internal import CTurboJPEG
internal import GIFWriting
internal import Glibc

extension Canvas {
    /// The picture as a JPEG file, by libturbojpeg.
    func jpeg(quality: CInt = 88) -> [UInt8] {
        guard let encoder = unsafe tjInitCompress() else { return [] }
        defer { unsafe tjDestroy(encoder) }
        var size = tjBufSize(CInt(width), CInt(height), CInt(TJSAMP_420.rawValue))
        var file = [UInt8](repeating: 0, count: Int(size))
        let code = unsafe file.withUnsafeMutableBufferPointer { file in
            var start = file.baseAddress
            return unsafe tjCompress2(
                encoder, developed(), CInt(width), 0, CInt(height), CInt(TJPF_RGB.rawValue), &start,
                &size, CInt(TJSAMP_420.rawValue), quality, TJFLAG_NOREALLOC)
        }
        precondition(code == 0, "libturbojpeg refuses a picture of \(width) by \(height)")
        return Array(file.prefix(Int(size)))
    }
}

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

extension Canvas {
    /// The picture as a GIF file, by giflib: in 256 shades of one colour, as in the first years.
    func gif() -> [UInt8] {
        let (width, height) = (CInt(width), CInt(height))
        var indices = luminances()
        return unsafe GIFFile.written { encoder in
            let palette = unsafe GifMakeMapObject(256, Self.shades)
            unsafe EGifPutScreenDesc(encoder, width, height, 8, 0, palette)
            unsafe EGifPutImageDesc(encoder, 0, 0, width, height, false, nil)
            let code = unsafe EGifPutLine(encoder, &indices, CInt(indices.count))
            unsafe GifFreeMapObject(palette)
            precondition(code == GIF_OK, "giflib refuses a picture of \(width) by \(height)")
        }
    }

    private func luminances() -> [UInt8] {
        let bytes = developed()
        return pixels.indices.map { pixel in
            let (red, green) = (Int(bytes[3 * pixel]), Int(bytes[3 * pixel + 1]))
            return UInt8((red * 77 + green * 150 + Int(bytes[3 * pixel + 2]) * 29) >> 8)
        }
    }

    /// From black over steel blue to white.
    private static var shades: [GifColorType] {
        (0..<256).map { shade in
            let light = Float(shade) / 255
            return GifColorType(
                Red: UInt8(255 * light * light * (1.6 - 0.6 * light)),
                Green: UInt8(255 * light * (0.65 + 0.35 * light)),
                Blue: UInt8(255 * light * (1.25 - 0.25 * light)))
        }
    }
}
