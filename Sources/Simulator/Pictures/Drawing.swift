/// A generated picture of a sky, deterministic by its seed.
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
    /// Text inside the file, so that files of the same drawing differ byte for byte.
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

    /// The bytes of the file, without the comment.
    package func encoded() -> [UInt8] {
        let canvas = Sky(seed: seed).painted(width: width, height: height)
        return switch format {
        case .jpeg: canvas.jpeg()
        case .png: canvas.png()
        case .gif: canvas.gif()
        }
    }
}

/// A scene, settled by its seed: a nebula, a spiral galaxy, or the Milky Way above mountains.
struct Sky {
    private let seed: UInt64

    init(seed: UInt64) { self.seed = seed }

    func painted(width: Int, height: Int) -> Canvas {
        var random = SplitMix64(seed: seed)
        var canvas = Canvas(width: width, height: height)
        // A few numbers are drawn and dropped: neighbouring seeds begin alike.
        for _ in 0..<4 { _ = random.next() }
        switch random.next() % 5 {
        case 0, 1: Nebula(&random).paint(&canvas, &random)
        case 2, 3: Galaxy(&random).paint(&canvas, &random)
        default: MountainNight(&random).paint(&canvas, &random)
        }
        return canvas
    }
}
