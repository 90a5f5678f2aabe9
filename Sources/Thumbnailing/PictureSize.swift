/// Width and height in pixels.
package struct PictureSize: Hashable, Sendable, CustomStringConvertible {
    package var width: Int
    package var height: Int

    /// The most pixels of a picture that is decoded, so many as the mirror keeps.
    static let maximumPixels = 500_000_000

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The same, checked before anything is decoded.
    ///
    /// - Throws: ``PictureError`` where there is no pixel, or there are too many.
    init(checking width: Int, _ height: Int, of format: PictureFormat) throws(PictureError) {
        self.init(width: width, height: height)
        guard width > 0, height > 0 else {
            throw .damaged(format: format.rawValue, reason: "its header gives no size")
        }
        let (pixels, isOverflow) = width.multipliedReportingOverflow(by: height)
        guard !isOverflow, pixels <= Self.maximumPixels else { throw .tooLarge(self) }
    }

    var longSide: Int { max(width, height) }

    /// The largest size of the same shape whose long side is at most `side`; never a larger one.
    func fitted(to side: Int) -> PictureSize {
        guard longSide > side else { return self }
        func scaled(_ length: Int) -> Int { max(1, (length * side + longSide / 2) / longSide) }
        return PictureSize(width: scaled(width), height: scaled(height))
    }

    package var description: String { "\(width) x \(height)" }
}
