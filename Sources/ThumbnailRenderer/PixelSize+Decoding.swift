internal import MediaFormat

extension PixelSize {
    /// The maximum number of pixels that are decoded, in a minute of the processor at most.
    static let maximumDecoded = 500_000_000

    /// Checks before decoding that there are pixels, and not too many.
    init(checking width: Int, _ height: Int, of format: StaticString) throws(PictureError) {
        self.init(width: width, height: height)
        guard width > 0, height > 0 else {
            throw .damaged(format: "\(format)", reason: "its header gives no size")
        }
        // mutation test: pixel-limit
        guard pixelCount <= Self.maximumDecoded else { throw .tooLarge(self) }
    }

    /// The size scaled down to a longer side of at most `side`.
    func fitted(to side: Int) -> PixelSize {
        guard longSide > side else { return self }
        func scaled(_ length: Int) -> Int { max(1, (length * side + longSide / 2) / longSide) }
        return PixelSize(width: scaled(width), height: scaled(height))
    }
}
