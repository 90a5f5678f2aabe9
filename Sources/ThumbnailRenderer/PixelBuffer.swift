internal import MediaFormat

/// A decoded picture in sRGB: rows from top to bottom, red, green and blue in one byte each.
struct PixelBuffer: Hashable, Sendable {
    let size: PixelSize
    let bytes: [UInt8]

    init(_ size: PixelSize, bytes: [UInt8]) {
        precondition(bytes.count == size.width * size.height * 3)
        self.size = size
        self.bytes = bytes
    }

    /// The picture in the size `target`, which is not larger.
    func reduced(to target: PixelSize) -> PixelBuffer {
        guard size != target else { return self }
        var downsampler = Downsampler(from: size, to: target)
        let length = size.width * 3
        for start in stride(from: 0, to: bytes.count, by: length) {
            let row = Array(bytes[start..<start + length])
            downsampler.add(row.span)
        }
        return downsampler.output
    }

    /// The upright picture of one that is stored in `orientation`.
    func upright(from orientation: Orientation) -> PixelBuffer {
        guard orientation != .upright else { return self }
        let isSideways = orientation.isSideways
        let (flipsColumns, flipsRows) = (orientation.flipsColumns, orientation.flipsRows)
        let target = isSideways ? PixelSize(width: size.height, height: size.width) : size
        var uprightBytes: [UInt8] = []
        uprightBytes.reserveCapacity(bytes.count)
        for row in 0..<target.height {
            for column in 0..<target.width {
                // Where the pixel of this place is stored.
                var (x, y) = isSideways ? (row, column) : (column, row)
                if flipsRows { x = size.width - 1 - x }
                if flipsColumns { y = size.height - 1 - y }
                let start = (y * size.width + x) * 3
                uprightBytes += bytes[start..<start + 3]
            }
        }
        return PixelBuffer(target, bytes: uprightBytes)
    }
}

extension [UInt8] {
    /// Converts pixels with opacity, four bytes each, to opaque pixels on black, three bytes each.
    ///
    /// The result is in the first three quarters of the array. The length of the array stays, so that it can be used for the
    /// next row.
    mutating func blendOnBlackInPlace() {
        // Pointers without checks of bounds: they halve the time.
        unsafe withUnsafeMutableBufferPointer { bytes in
            for pixel in 0..<bytes.count / 4 {
                let opacity = unsafe UInt32(bytes[4 * pixel + 3])
                for channel in 0..<3 {
                    let value = unsafe UInt32(bytes[4 * pixel + channel]) * opacity
                    unsafe bytes[3 * pixel + channel] = UInt8((value + 127) / 255)
                }
            }
        }
    }
}

extension PixelSize {
    /// The maximum number of pixels that are decoded, which takes at most a minute of processor time.
    static let maximumDecoded = 500_000_000

    /// The size in the header of a file; throws if there are no pixels, or too many to decode.
    init(checking width: Int, _ height: Int, of format: StaticString) throws(PictureError) {
        self.init(width: width, height: height)
        guard width > 0, height > 0 else {
            throw .damaged(format: "\(format)", reason: "its header gives no size")
        }
        // Without this check, a test must fail, see Tests/Mutants.
        // mutation test: pixel-limit
        guard pixelCount <= Self.maximumDecoded else { throw .tooLarge(self) }
    }

    /// The size scaled down to a longer side of at most `side`: 4000 x 3000 becomes 512 x 384 for 512.
    func fitted(to side: Int) -> PixelSize {
        guard longSide > side else { return self }
        func scaled(_ length: Int) -> Int { max(1, (length * side + longSide / 2) / longSide) }
        return PixelSize(width: scaled(width), height: scaled(height))
    }
}
