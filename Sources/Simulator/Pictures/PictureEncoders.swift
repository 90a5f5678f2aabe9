internal import CGIF
internal import PictureWriting

extension Canvas {
    func jpeg() -> [UInt8] { JPEGFile.encoded(developed(), (width, height), quality: 88) }

    func png() -> [UInt8] { PNGWriter.coloured(developed(), width, height) }

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
