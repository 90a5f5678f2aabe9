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

    /// Turns and mirrors a picture that is stored in `orientation`, so that it is upright.
    func upright(from orientation: Orientation) -> PixelBuffer {
        guard orientation != .upright else { return self }
        let isSideways = orientation.isSideways
        let (flipsColumns, flipsRows) = (orientation.flipsColumns, orientation.flipsRows)
        let target = isSideways ? PixelSize(width: size.height, height: size.width) : size
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for row in 0..<target.height {
            for column in 0..<target.width {
                // Where the pixel that is to be shown at this place is stored.
                var (x, y) = isSideways ? (row, column) : (column, row)
                if flipsRows { x = size.width - 1 - x }
                if flipsColumns { y = size.height - 1 - y }
                let start = (y * size.width + x) * 3
                result += bytes[start..<start + 3]
            }
        }
        return PixelBuffer(target, bytes: result)
    }
}

extension [UInt8] {
    /// Converts pixels of red, green, blue and opacity to three bytes each, as they look on black.
    ///
    /// The result is in the first three quarters of the array, whose length stays: a row is used again and again.
    mutating func blendOnBlackInPlace() {
        // Without the checks of bounds this takes half the time.
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
