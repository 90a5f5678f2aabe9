internal import CGIF
internal import PictureWriting
internal import Platform

/// A copy of one of NASA's pictures, in any size and format.
package struct Drawing: Hashable, Sendable {
    /// The encodings that the simulator writes.
    package enum Format: String, Hashable, Sendable, CaseIterable {
        case jpeg = "jpg"
        case png, gif
    }

    /// Which picture it is.
    package var seed: UInt64
    /// In pixels.
    package var width: Int
    package var height: Int
    package var format: Format
    /// Text after the end of the picture; `nil` means the seed.
    package var comment: String?

    package init(
        seed: UInt64, width: Int, height: Int, format: Format = .jpeg, comment: String? = nil
    ) {
        self.seed = seed
        self.width = width
        self.height = height
        self.format = format
        self.comment = comment
    }

    /// The drawing scaled down to `width` by `height` pixels.
    package func fitting(width: Int, height: Int) -> Drawing {
        let scale = min(1, Double(width) / Double(self.width), Double(height) / Double(self.height))
        var drawing = self
        drawing.width = max(1, Int((Double(self.width) * scale).rounded()))
        drawing.height = max(1, Int((Double(self.height) * scale).rounded()))
        return drawing
    }

    /// The bytes of the file; files of different seeds or comments always differ.
    package func encoded() -> [UInt8] { picture + (comment ?? "\(seed)").utf8 }

    /// How many files are kept: tests request the twelve pictures in a few sizes, thousands of times.
    private static let maximumKept = 200
    /// The files without comments that were made before, each by the drawing whose seed is the number of its picture.
    private static let kept = Monitor<[Drawing: [UInt8]]>([:])

    /// The file without the comment; to make it takes much longer than a request, as it decodes a whole photograph.
    private var picture: [UInt8] {
        var plain = self
        plain.seed %= UInt64(RealPicture.all.count)
        plain.comment = nil
        let key = plain
        if let file = Self.kept.withLock({ $0[key] }) { return file }
        let file = key.make()
        Self.kept.withLock { kept in
            if kept.count >= Self.maximumKept { kept = [:] }
            kept[key] = file
        }
        return file
    }

    private func make() -> [UInt8] {
        let original = RealPicture.numbered(seed)
        if format == .jpeg, original.size == (width, height) { return original.file }
        let pixels = samples(of: JPEGFile.decoded(original.file))
        return switch format {
        case .jpeg: JPEGFile.encoded(pixels, (width, height), quality: 88)
        case .png: PNGWriter.colored(pixels, width, height)
        case .gif: gif(pixels)
        }
    }

    /// The middle of `picture` in this size, three bytes a pixel.
    private func samples(of picture: (rgb: [UInt8], size: (width: Int, height: Int))) -> [UInt8] {
        let (wide, high) = picture.size
        let scale = min(Double(wide) / Double(width), Double(high) / Double(height))
        let left = (Double(wide) - scale * Double(width)) / 2
        let top = (Double(high) - scale * Double(height)) / 2
        var samples: [UInt8] = []
        samples.reserveCapacity(width * height * 3)
        for row in 0..<height {
            let line = Int(top + (Double(row) + 0.5) * scale) * wide
            for column in 0..<width {
                let pixel = 3 * (line + Int(left + (Double(column) + 0.5) * scale))
                samples += picture.rgb[pixel..<pixel + 3]
            }
        }
        return samples
    }

    /// The picture as a GIF file, in 256 shades of gray as in the first years.
    private func gif(_ rgb: [UInt8]) -> [UInt8] {
        let shades = (UInt8.min...UInt8.max).map { GifColorType(Red: $0, Green: $0, Blue: $0) }
        var indices = stride(from: 0, to: rgb.count, by: 3).map { rgb[$0 + 1] }
        let (width, height) = (CInt(width), CInt(height))
        return unsafe GIFFile.written { encoder in
            let palette = unsafe GifMakeMapObject(256, shades)
            unsafe EGifPutScreenDesc(encoder, width, height, 8, 0, palette)
            unsafe EGifPutImageDesc(encoder, 0, 0, width, height, false, nil)
            let code = unsafe EGifPutLine(encoder, &indices, CInt(indices.count))
            unsafe GifFreeMapObject(palette)
            precondition(code == GIF_OK, "giflib refuses a picture of \(width) by \(height)")
        }
    }
}
