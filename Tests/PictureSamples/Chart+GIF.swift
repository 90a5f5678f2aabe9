internal import CGIF
internal import PictureWriting

extension Chart {
    /// What a GIF has beside its frame.
    package struct GIFOptions: Sendable {
        package var isInterlaced: Bool
        /// Where the frame lies in the picture, and how much larger that is.
        package var offset: Int
        /// The field that is not drawn.
        package var transparent: UInt8?
        package var frames: Int

        package init(
            isInterlaced: Bool = false, offset: Int = 0, transparent: UInt8? = nil, frames: Int = 1
        ) {
            self.isInterlaced = isInterlaced
            self.offset = offset
            self.transparent = transparent
            self.frames = frames
        }
    }

    /// The chart as a GIF file, by giflib; later frames are white.
    package func gif(_ options: GIFOptions = GIFOptions()) -> [UInt8] {
        let colors = Self.fields.map { GifColorType(Red: $0.x, Green: $0.y, Blue: $0.z) }
        let (all, high) = (CInt(width + 2 * options.offset), CInt(height + 2 * options.offset))
        return unsafe GIFFile.written { encoder in
            let palette = unsafe GifMakeMapObject(4, colors)
            unsafe EGifPutScreenDesc(encoder, all, high, 8, 0, palette)
            if let field = options.transparent {
                unsafe EGifPutExtension(encoder, 249, 4, [1, 0, 0, field])
            }
            for frame in 0..<options.frames {
                unsafe EGifPutImageDesc(
                    encoder, CInt(options.offset), CInt(options.offset), CInt(width), CInt(height),
                    options.isInterlaced, nil)
                unsafe put(frame == 0 ? indices : indices.map { _ in 3 }, options, into: encoder)
            }
            unsafe GifFreeMapObject(palette)
        }
    }

    private func put(
        _ indices: [UInt8], _ options: GIFOptions, into encoder: UnsafeMutablePointer<GifFileType>?
    ) {
        let passes = options.isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
        for (start, step) in passes {
            for row in stride(from: start, to: height, by: step) {
                var line = Array(indices[row * width..<(row + 1) * width])
                unsafe EGifPutLine(encoder, &line, CInt(width))
            }
        }
    }
}
