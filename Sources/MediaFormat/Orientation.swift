/// How a stored picture lies: how it must be turned or mirrored to be upright; raw values as in Exif 2.32, section 4.6.4.
package enum Orientation: Int, Hashable, Sendable, CaseIterable {
    case upright = 1
    case mirrored = 2
    case upsideDown = 3
    case mirroredUpsideDown = 4
    /// Rows and columns are exchanged.
    case transposed = 5
    /// Upright after a quarter turn clockwise.
    case onLeftSide = 6
    case transposedUpsideDown = 7
    /// Upright after a quarter turn counterclockwise.
    case onRightSide = 8

    /// Whether the upright picture has the width of the stored one as its height, and the height as its width.
    package var isSideways: Bool {
        [.transposed, .onLeftSide, .transposedUpsideDown, .onRightSide].contains(self)
    }
    /// Whether stored rows go from right to left.
    package var flipsRows: Bool {
        [.mirrored, .upsideDown, .transposedUpsideDown, .onRightSide].contains(self)
    }
    /// Whether stored columns go from bottom to top.
    package var flipsColumns: Bool {
        [.upsideDown, .mirroredUpsideDown, .onLeftSide, .transposedUpsideDown].contains(self)
    }
}
