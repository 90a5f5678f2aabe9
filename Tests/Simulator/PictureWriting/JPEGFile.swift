package import CTurboJPEG

/// JPEG files, by libjpeg-turbo.
package enum JPEGFile {
    /// The file of `samples`: one, three or four for each pixel, as `format` says.
    package static func encoded(
        _ samples: [UInt8], _ size: (width: Int, height: Int), _ format: TJPF = TJPF_RGB,
        _ sampling: TJSAMP = TJSAMP_420, quality: CInt = 95, flags: CInt = 0
    ) -> [UInt8] {
        let encoder = unsafe tjInitCompress()
        defer { unsafe tjDestroy(encoder) }
        var file: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        let code = unsafe tjCompress2(
            encoder, samples, CInt(size.width), 0, CInt(size.height), CInt(format.rawValue), &file,
            &count, CInt(sampling.rawValue), quality, flags)
        defer { unsafe tjFree(file) }
        precondition(code == 0, "libjpeg-turbo refuses a picture of \(size)")
        return unsafe Array(UnsafeBufferPointer(start: file, count: Int(count)))
    }

    /// The size in pixels that the header of `file` has.
    package static func size(of file: [UInt8]) -> (width: Int, height: Int) {
        let decoder = unsafe tjInitDecompress()
        defer { unsafe tjDestroy(decoder) }
        var (width, height, sampling, colours) = (CInt(0), CInt(0), CInt(0), CInt(0))
        let code = unsafe tjDecompressHeader3(
            decoder, file, UInt(file.count), &width, &height, &sampling, &colours)
        precondition(code == 0, "libjpeg-turbo cannot read the header of a picture")
        return (Int(width), Int(height))
    }

    /// The picture in `file`, three bytes a pixel.
    package static func decoded(
        _ file: [UInt8]
    ) -> (rgb: [UInt8], size: (width: Int, height: Int)) {
        let decoder = unsafe tjInitDecompress()
        defer { unsafe tjDestroy(decoder) }
        var (width, height, sampling, colors) = (CInt(0), CInt(0), CInt(0), CInt(0))
        unsafe tjDecompressHeader3(
            decoder, file, UInt(file.count), &width, &height, &sampling, &colors)
        var rgb = [UInt8](repeating: 0, count: Int(width) * Int(height) * 3)
        let code = unsafe tjDecompress2(
            decoder, file, UInt(file.count), &rgb, width, 0, height, CInt(TJPF_RGB.rawValue), 0)
        precondition(code == 0, "libjpeg-turbo cannot read a picture of \(width) by \(height)")
        return (rgb, (Int(width), Int(height)))
    }
}
