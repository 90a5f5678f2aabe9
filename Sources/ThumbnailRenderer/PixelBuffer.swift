internal import MediaFormat

/// A decoded picture in sRGB: rows from top to bottom, red, green and blue in one byte each.
struct PixelBuffer: Hashable, Sendable {
    let size: PixelSize
    let bytes: [UInt8]

    init(_ size: PixelSize, bytes: [UInt8]) {
        precondition(bytes.count == size.width * size.height * 3, "three bytes per pixel")
        self.size = size
        self.bytes = bytes
    }

    /// The picture in the size `target`, which is not larger.
    func reduced(to target: PixelSize) -> PixelBuffer {
        guard size != target else { return self }
        var downsampler = Downsampler(from: size, to: target)
        let rowLength = size.width * 3
        for start in stride(from: 0, to: bytes.count, by: rowLength) {
            downsampler.add(bytes.span.extracting(start..<start + rowLength))
        }
        return downsampler.output
    }

    /// The upright picture, if this one is stored in `orientation`.
    func upright(from orientation: Orientation) -> PixelBuffer {
        guard orientation != .upright else { return self }
        let isSideways = orientation.isSideways
        let readsFromRight = orientation.flipsRows
        let readsFromBottom = orientation.flipsColumns
        let target = isSideways ? PixelSize(width: size.height, height: size.width) : size
        var uprightBytes: [UInt8] = []
        uprightBytes.reserveCapacity(bytes.count)
        for row in 0..<target.height {
            for column in 0..<target.width {
                var storedColumn = isSideways ? row : column
                var storedRow = isSideways ? column : row
                if readsFromRight { storedColumn = size.width - 1 - storedColumn }
                if readsFromBottom { storedRow = size.height - 1 - storedRow }
                let start = (storedRow * size.width + storedColumn) * 3
                uprightBytes += bytes[start..<start + 3]
            }
        }
        return PixelBuffer(target, bytes: uprightBytes)
    }
}
