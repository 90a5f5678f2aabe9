internal import Platform

/// Where the bytes of a picture, or of any other file, come from.
package enum PictureSource: Hashable, Sendable {
    /// Drawn when first asked for.
    case drawn(Drawing)
    case bytes([UInt8])
    /// Sent by the kernel, however large: see sendfile(2).
    case file(path: String)

    /// Natural width and height where they are known without opening it.
    var size: (width: Int, height: Int)? {
        guard case .drawn(let drawing) = self else { return nil }
        return (drawing.width, drawing.height)
    }

    /// The same picture, no larger than `width` by `height`, as far as it can be drawn again.
    func fitting(width: Int, height: Int) -> PictureSource {
        guard case .drawn(let drawing) = self else { return self }
        return .drawn(drawing.fitting(width: width, height: height))
    }
}
