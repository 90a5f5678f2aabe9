internal import Platform

/// The pictures that were drawn, kept to be served again.
final class RenderedPictureCache: Sendable {
    private let drawn = Monitor<[Drawing: [UInt8]]>([:])

    /// How many are kept.
    private static let capacity = 128

    /// The file of `drawing`, drawn if need be.
    func bytes(of drawing: Drawing) -> [UInt8] {
        var plain = drawing
        plain.comment = nil
        let file = drawn.withLock { $0[plain] } ?? draw(plain)
        return drawing.comment.map { drawing.format.adding($0, to: file) } ?? file
    }

    /// Draws outside the lock: two who want the same draw it twice rather than wait for others.
    private func draw(_ drawing: Drawing) -> [UInt8] {
        let file = drawing.encoded()
        drawn.withLock { drawn in
            if drawn.count >= Self.capacity { drawn = [:] }
            drawn[drawing] = file
        }
        return file
    }
}
