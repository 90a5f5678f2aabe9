/// What the header of a picture says about the stored picture.
struct MediaLayout {
    /// The size as it is stored, perhaps on its side; no side is 0.
    let size: PixelSize
    var orientation: Orientation
    var isAnimated = false

    /// The longest side of a PNG, the format with the longest sides; the product of two such sides does not overflow.
    private static let longestSide = Int(Int32.max)

    /// Fails if a side is missing, is not positive, or is too long.
    init?(width: Int?, height: Int?, _ orientation: Orientation? = nil) {
        guard let width, let height, min(width, height) > 0,
            max(width, height) <= Self.longestSide
        else { return nil }
        size = PixelSize(width: width, height: height)
        self.orientation = orientation ?? .upright
    }

    /// The size of the upright picture.
    var displayedSize: PixelSize {
        orientation.isSideways ? PixelSize(width: size.height, height: size.width) : size
    }
}
