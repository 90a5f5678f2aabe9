internal import Platform

final class RenderedPictureCache: Sendable {
    private let drawn = Monitor<[Drawing: [UInt8]]>([:])

    /// The maximum number of pictures.
    private static let capacity = 128

    /// The file of `drawing`, from the cache or newly drawn.
    func bytes(of drawing: Drawing) -> [UInt8] {
        var plain = drawing
        plain.comment = nil
        let file = drawn.withLock { $0[plain] } ?? draw(plain)
        return file + (drawing.comment ?? "").utf8
    }

    /// Draws outside the lock; concurrent requests may draw the same picture twice.
    private func draw(_ drawing: Drawing) -> [UInt8] {
        let file = drawing.encoded()
        drawn.withLock { drawn in
            if drawn.count >= Self.capacity { drawn = [:] }
            drawn[drawing] = file
        }
        return file
    }
}
