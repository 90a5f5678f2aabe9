internal import MediaFormat

/// Which sizes are decoded, and to which size a thumbnail is reduced.
extension PixelSize {
    /// The maximum number of pixels that are decoded; decoding so many takes about a minute of processor time at most.
    static let maximumDecoded = 500_000_000

    /// The size in the header of a file; throws if there are no pixels, or too many to decode.
    init(checking width: Int, _ height: Int, of format: StaticString) throws(PictureError) {
        self.init(width: width, height: height)
        guard width > 0, height > 0 else {
            throw .damaged(format: "\(format)", reason: "its header gives no size")
        }
        // A small file may have a header with a size that takes hours.
        // mutation test: pixel-limit (see Tests/Mutants)
        guard pixelCount <= Self.maximumDecoded else { throw .tooLarge(self) }
    }

    /// The size scaled down to a longer side of at most `side`: 4000 x 3000 becomes 512 x 384 for 512.
    func fitted(to side: Int) -> PixelSize {
        guard longSide > side else { return self }
        func scaled(_ length: Int) -> Int { max(1, (length * side + longSide / 2) / longSide) }
        return PixelSize(width: scaled(width), height: scaled(height))
    }
}
