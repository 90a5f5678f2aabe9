/// A decoded picture: rows from top to bottom, RGB, three bytes per pixel.
struct PixelBuffer: Hashable, Sendable {
    let size: PictureSize
    /// The covered part of ``size``, in pixels: smaller if the last column or row is partly filled.
    let extent: SIMD2<Double>
    var bytes: [UInt8]

    /// Takes three bytes for each pixel.
    init(_ size: PictureSize, extent: SIMD2<Double>? = nil, bytes: [UInt8]) {
        precondition(bytes.count == size.width * size.height * 3)
        self.size = size
        self.extent = extent ?? size.extent
        self.bytes = bytes
    }

    func oriented(_ orientation: Orientation) -> PixelBuffer {
        guard orientation != .upright else { return self }
        let (width, height) = (size.width, size.height)
        let target = PictureSize(
            width: orientation.isSideways ? height : width,
            height: orientation.isSideways ? width : height)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for row in 0..<target.height {
            for column in 0..<target.width {
                let (x, y) = orientation.source(of: column, row, width, height)
                let start = (y * width + x) * 3
                result += bytes[start..<start + 3]
            }
        }
        return PixelBuffer(target, bytes: result)
    }
}

extension Orientation {
    /// The stored position of the pixel shown at `column` and `row`.
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

extension [UInt8] {
    /// Blends RGBA pixels with black; writes RGB pixels to the start of the array.
    mutating func blendWithBlack() {
        unsafe withUnsafeMutableBufferPointer { bytes in
            for pixel in 0..<bytes.count / 4 {
                let opacity = unsafe UInt32(bytes[4 * pixel + 3])
                for channel in 0..<3 {
                    let light = unsafe UInt32(bytes[4 * pixel + channel]) * opacity
                    unsafe bytes[3 * pixel + channel] = UInt8((light + 127) / 255)
                }
            }
        }
    }
}
