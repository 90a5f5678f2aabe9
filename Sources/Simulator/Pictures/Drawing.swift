/// A generated picture of a nebula, deterministic by its seed.
package struct Drawing: Hashable, Sendable {
    /// The encodings that the simulator writes.
    package enum Format: String, Hashable, Sendable, CaseIterable {
        case jpeg = "jpg"
        case png, gif
    }

    package var seed: UInt64
    /// In pixels.
    package var width: Int
    package var height: Int
    package var format: Format
    /// Text after the end of the picture, so that files of the same drawing differ byte for byte.
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

    func painted() -> Canvas {
        var random = SplitMix64(seed: seed)
        // A few numbers are skipped: neighbouring seeds begin alike.
        for _ in 0..<4 { _ = random.next() }
        var canvas = Canvas(width: width, height: height)
        Nebula(&random).paint(&canvas, &random)
        return canvas
    }

    /// The bytes of the file, without the comment.
    package func encoded() -> [UInt8] {
        let canvas = painted()
        return switch format {
        case .jpeg: canvas.jpeg()
        case .png: canvas.png()
        case .gif: canvas.gif()
        }
    }
}
