/// Width and height in pixels.
package struct PixelSize: Hashable, Sendable, CustomStringConvertible {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    package var longSide: Int { max(width, height) }
    package var shortSide: Int { min(width, height) }

    /// Width times height; `Int.max` if the product overflows.
    package var pixelCount: Int {
        let (count, overflows) = width.multipliedReportingOverflow(by: height)
        return overflows ? .max : count
    }

    package var description: String { "\(width) x \(height)" }
}
