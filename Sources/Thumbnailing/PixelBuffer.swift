/// A picture in memory: rows from top to bottom, three bytes a pixel, red, green, blue.
struct PixelBuffer: Hashable, Sendable {
    let size: PictureSize
    /// What its pixels cover of the original, in pixels of this size: less than ``size`` where the last
    /// column or row is only partly filled.
    let extent: SIMD2<Double>
    var bytes: [UInt8]

    /// A picture of these bytes, three for each pixel.
    init(_ size: PictureSize, extent: SIMD2<Double>? = nil, bytes: [UInt8]) {
        precondition(bytes.count == size.width * size.height * 3)
        self.size = size
        self.extent = extent ?? SIMD2(Double(size.width), Double(size.height))
        self.bytes = bytes
    }

    /// The picture as it is to be seen.
    func turned(_ orientation: Orientation) -> PixelBuffer {
        guard orientation != .upright else { return self }
        let (width, height) = (size.width, size.height)
        let turned = PictureSize(
            width: orientation.isSideways ? height : width,
            height: orientation.isSideways ? width : height)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for row in 0..<turned.height {
            for column in 0..<turned.width {
                let (x, y) = orientation.source(of: column, row, width, height)
                let start = (y * width + x) * 3
                result += bytes[start..<start + 3]
            }
        }
        return PixelBuffer(turned, bytes: result)
    }
}

extension Orientation {
    /// Where in a stored picture the pixel lies that is seen at `column` and `row`.
    fileprivate func source(
        of column: Int, _ row: Int, _ width: Int, _ height: Int
    ) -> (x: Int, y: Int) {
        switch self {
        case .upright: (column, row)
        case .mirrored: (width - 1 - column, row)
        case .upsideDown: (width - 1 - column, height - 1 - row)
        case .mirroredUpsideDown: (column, height - 1 - row)
        case .mirroredOnSide: (row, column)
        case .onLeftSide: (row, height - 1 - column)
        case .mirroredOnOtherSide: (width - 1 - row, height - 1 - column)
        case .onRightSide: (width - 1 - row, column)
        }
    }
}
