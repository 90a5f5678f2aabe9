/// Width and height in pixels.
package struct PictureSize: Hashable, Sendable, CustomStringConvertible {
    package var width: Int
    package var height: Int

    /// The maximum number of pixels, the same as in the mirror.
    static let maximumPixels = 500_000_000

    var longSide: Int { max(width, height) }
    var extent: SIMD2<Double> { SIMD2(Double(width), Double(height)) }

    /// The size scaled down to a longer side of at most `side`.
    func fitted(to side: Int) -> PictureSize {
        guard longSide > side else { return self }
        func scaled(_ length: Int) -> Int { max(1, (length * side + longSide / 2) / longSide) }
        return PictureSize(width: scaled(width), height: scaled(height))
    }

    /// The size of the picture reduced by an integer factor, rounded up.
    func divided(by factor: Int) -> PictureSize {
        PictureSize(
            width: (width + factor - 1) / factor, height: (height + factor - 1) / factor)
    }

    package var description: String { "\(width) x \(height)" }
}

extension PictureSize {
    /// Checks before decoding that there are pixels, and not too many.
    init(checking width: Int, _ height: Int, of format: PictureFormat) throws(PictureError) {
        self.init(width: width, height: height)
        guard width > 0, height > 0 else {
            throw .damaged(format: format.rawValue, reason: "its header gives no size")
        }
        let (pixels, isOverflow) = width.multipliedReportingOverflow(by: height)
        guard !isOverflow, pixels <= Self.maximumPixels else { throw .tooLarge(self) }
    }
}
