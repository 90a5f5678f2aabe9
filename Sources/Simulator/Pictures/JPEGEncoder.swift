internal import CTurboJPEG

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
