internal import CGIF
internal import PictureWriting

extension Chart {
    /// The chart as a GIF file, by giflib; later frames are white.
    ///
    /// - Parameters:
    ///   - isInterlaced: Whether the rows come in four passes.
    ///   - offset: Where the frame lies in the picture, and how much larger that is.
    ///   - transparent: The field that is not drawn.
    ///   - frames: The number of frames.
    /// - Returns: The file.
    package func gif(
        isInterlaced: Bool = false, offset: Int = 0, transparent: UInt8? = nil, frames: Int = 1
    ) -> [UInt8] {
        let colors = Self.fields.map { GifColorType(Red: $0.x, Green: $0.y, Blue: $0.z) }
        let (all, high) = (CInt(width + 2 * offset), CInt(height + 2 * offset))
        return unsafe GIFFile.written { encoder in
            let palette = unsafe GifMakeMapObject(4, colors)
            unsafe EGifPutScreenDesc(encoder, all, high, 8, 0, palette)
            if let transparent {
                unsafe EGifPutExtension(encoder, 249, 4, [1, 0, 0, transparent])
            }
            for frame in 0..<frames {
                unsafe EGifPutImageDesc(
                    encoder, CInt(offset), CInt(offset), CInt(width), CInt(height),
                    isInterlaced, nil)
                unsafe put(
                    frame == 0 ? indices : indices.map { _ in 3 }, isInterlaced, into: encoder)
            }
            unsafe GifFreeMapObject(palette)
        }
    }

    /// A frame that shows nothing of a picture.
    package enum EmptyFrame: CaseIterable, Sendable {
        case withoutPixels, transparent, ofOneColor
    }

    /// `gif`, without transparency, with such a frame before its first one.
    package static func withEmptyFrame(_ gif: [UInt8], _ kind: EmptyFrame) -> [UInt8] {
        // The signature, the screen and four colors.
        let head = gif[..<25]
        guard kind != .withoutPixels else {
            // Codes of three bits: clear, end.
            return head + [0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0x2c, 0] + gif[25...]
        }
        // An image of two pixels of the field 3: clear, 3, 3, end.
        return head + [0x21, 0xf9, 4, kind == .transparent ? 1 : 0, 0, 0, 3, 0]
            + [0x2c, 0, 0, 0, 0, 2, 0, 1, 0, 0, 2, 2, 0xdc, 0x0a, 0] + gif[25...]
    }

    private func put(
        _ indices: [UInt8], _ isInterlaced: Bool, into encoder: UnsafeMutablePointer<GifFileType>?
    ) {
        let passes = isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
        for (start, step) in passes {
            for row in stride(from: start, to: height, by: step) {
                var line = Array(indices[row * width..<(row + 1) * width])
                unsafe EGifPutLine(encoder, &line, CInt(width))
            }
        }
    }
}
