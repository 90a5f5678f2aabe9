internal import CGIF
internal import MediaFormat

/// Decodes a GIF with giflib: for a thumbnail, its first frame that shows more than one color.
///
/// giflib holds an unretained pointer to the decoder until `deinit` closes the file.
@safe final class GIFDecoder {
    private var file: UnsafeMutablePointer<GifFileType>?
    /// The bytes that giflib has not read yet.
    private var rest: Slice<UnsafeBufferPointer<UInt8>>

    /// Starts decoding `bytes`, the whole file, which must outlive the decoder.
    init(of bytes: UnsafeBufferPointer<UInt8>) throws(PictureError) {
        unsafe rest = bytes[...]
        var code = CInt(0)
        let pointer = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe file = DGifOpen(
            pointer,
            { file, target, count in
                guard let pointer = unsafe file?.pointee.UserData, let target = unsafe target else {
                    return 0
                }
                let decoder = unsafe Unmanaged<GIFDecoder>.fromOpaque(pointer)
                    .takeUnretainedValue()
                return unsafe decoder.read(into: target, count)
            }, &code)
        guard unsafe file != nil else { throw Self.error(code) }
    }

    deinit { unsafe DGifCloseFile(file, nil) }

    /// Copies up to `count` bytes for giflib; returns how many, fewer at the end of the file.
    private func read(into target: UnsafeMutablePointer<UInt8>, _ count: CInt) -> CInt {
        let part = unsafe rest.prefix(max(0, Int(count)))
        unsafe rest = rest.dropFirst(part.count)
        _ = unsafe UnsafeMutableBufferPointer(start: target, count: part.count)
            .initialize(fromContentsOf: part)
        return unsafe CInt(part.count)
    }

    /// A frame with its place on the canvas.
    private struct Frame {
        let left: Int
        let top: Int
        let width: Int
        let height: Int
        let palette: [SIMD3<UInt8>]
        /// The index of the color that is not drawn; `nil` if all colors are.
        let transparent: Int?
        /// Indices of the palette, from top to bottom.
        var rows: [[UInt8]] = []

        /// Whether the frame has at most one color, as the first frames of a film often have.
        var hasOneColor: Bool {
            let first = rows.first?.first
            return rows.allSatisfy { row in row.allSatisfy { $0 == first } }
        }
    }

    /// How many frames of one color are skipped at most: a hostile file may have millions.
    private static let maximumSkippedFrames = 100

    /// Decodes the first frame with more than one color, or else the first frame, and draws it on black.
    ///
    /// It may be called once. The longer side of the result has at most `side` pixels. A frame outside of the canvas enlarges it.
    func pixels(fittedTo side: Int) throws(PictureError) -> PixelBuffer {
        let frame = try shownFrame()
        guard let screen = unsafe file?.pointee, frame.width > 0, frame.height > 0 else {
            throw Self.damaged("its frames are empty")
        }
        let size = try unsafe PixelSize(
            checking: max(Int(screen.SWidth), frame.left + frame.width),
            max(Int(screen.SHeight), frame.top + frame.height), of: "GIF")
        var downsampler = Downsampler(from: size, to: size.fitted(to: side))
        let black = [UInt8](repeating: 0, count: size.width * 3)
        for _ in 0..<frame.top { downsampler.add(black.span) }
        for indices in frame.rows {
            var row = black
            for (column, index) in indices.enumerated() where Int(index) != frame.transparent {
                let color = frame.palette[Int(index)]
                for channel in 0..<3 {
                    row[(frame.left + column) * 3 + channel] = color[channel]
                }
            }
            downsampler.add(row.span)
        }
        return downsampler.output
    }

    /// Returns the frame to draw.
    private func shownFrame() throws(PictureError) -> Frame {
        let first = try nextFrame()
        var frame = first
        for _ in 0..<Self.maximumSkippedFrames where frame.hasOneColor {
            do {
                frame = try nextFrame()
            } catch {
                // The file ends, or is damaged from here on.
                return first
            }
        }
        return frame
    }

    private func nextFrame() throws(PictureError) -> Frame {
        var transparent: Int?
        var record = UNDEFINED_RECORD_TYPE
        repeat {
            try check(unsafe DGifGetRecordType(file, &record))
            if record == EXTENSION_RECORD_TYPE { try readExtension(&transparent) }
            guard record != TERMINATE_RECORD_TYPE else { throw Self.damaged("it has no frame") }
        } while record != IMAGE_DESC_RECORD_TYPE
        try check(unsafe DGifGetImageDesc(file))
        guard let image = unsafe file?.pointee.Image else { throw Self.damaged("it has no frame") }
        var frame = try unsafe Frame(
            left: Int(image.Left), top: Int(image.Top), width: Int(image.Width),
            height: Int(image.Height), palette: palette(), transparent: transparent)
        if frame.width > 0, frame.height > 0 {
            frame.rows = try readRows(
                width: frame.width, height: frame.height, isInterlaced: unsafe image.Interlace)
        } else {
            try skipData()
        }
        return frame
    }

    /// Skips the data of a frame without pixels.
    private func skipData() throws(PictureError) {
        var size = CInt(0)
        var block: UnsafeMutablePointer<UInt8>?
        try check(unsafe DGifGetCode(file, &size, &block))
        while unsafe block != nil { try check(unsafe DGifGetCodeNext(file, &block)) }
    }

    /// Reads an extension before a frame: a graphic control extension says which color is transparent, if any.
    ///
    /// Its bytes are size, flags, two bytes of delay, color index; see GIF89a, section 23.
    private func readExtension(_ transparent: inout Int?) throws(PictureError) {
        var label = CInt(0)
        var block: UnsafeMutablePointer<UInt8>?
        try check(unsafe DGifGetExtension(file, &label, &block))
        if label == GRAPHICS_EXT_FUNC_CODE, let block = unsafe block, unsafe block[0] == 4 {
            transparent = unsafe block[1] & 1 == 1 ? Int(block[4]) : nil
        }
        while unsafe block != nil { try check(unsafe DGifGetExtensionNext(file, &block)) }
    }

    /// The colors of the frame, else of the file; black for indices that have none.
    private func palette() throws(PictureError) -> [SIMD3<UInt8>] {
        guard let file = unsafe file,
            let map = unsafe file.pointee.Image.ColorMap ?? file.pointee.SColorMap
        else { throw Self.damaged("it has no colors") }
        return (0..<256).map { index in
            guard unsafe index < Int(map.pointee.ColorCount) else { return SIMD3<UInt8>.zero }
            let color = unsafe map.pointee.Colors[index]
            return SIMD3(color.Red, color.Green, color.Blue)
        }
    }

    /// Reads the rows of a frame; after an error, the remaining rows are empty: a part of the picture is better than none.
    ///
    /// - Throws: ``PictureError`` if the first row cannot be read, or if the rows take too much memory.
    private func readRows(
        width: Int, height: Int, isInterlaced: Bool
    ) throws(PictureError) -> [[UInt8]] {
        guard height <= Self.maximumFrameBytes / width else { throw .exceedsMemoryLimit }
        let order = isInterlaced ? Self.interlaced(height) : Array(0..<height)
        var rows = [[UInt8]](repeating: [], count: height)
        for (index, place) in order.enumerated() {
            var row = [UInt8](repeating: 0, count: width)
            let code = unsafe DGifGetLine(file, &row, CInt(width))
            if code != GIF_OK, index > 0 { break }
            try check(code)
            rows[place] = row
        }
        return rows
    }

    /// The maximum size of a frame in bytes, which is in memory as a whole.
    private static let maximumFrameBytes = 128 << 20

    /// The order of the rows in the file: 0, 8, …, 4, 12, …, 2, 6, …, 1, 3, …; see GIF89a, appendix E.
    private static func interlaced(_ height: Int) -> [Int] {
        [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { start, step in
            Array(stride(from: start, to: height, by: step))
        }
    }

    /// Throws unless a function of giflib returned success.
    private func check(_ code: CInt) throws(PictureError) {
        if code != GIF_OK { throw Self.error(unsafe file?.pointee.Error ?? 0) }
    }

    private static func error(_ code: CInt) -> PictureError {
        guard code != D_GIF_ERR_NOT_ENOUGH_MEM else { return .exceedsMemoryLimit }
        return damaged(unsafe GifErrorString(code).map { unsafe String(cString: $0) } ?? "\(code)")
    }

    private static func damaged(_ reason: String) -> PictureError {
        .damaged(format: "GIF", reason: reason)
    }
}
