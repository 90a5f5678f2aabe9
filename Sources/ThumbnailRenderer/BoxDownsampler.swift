/// Reduces a picture by an integer factor: each output pixel is the mean of a square of pixels.
///
/// Only the output and one band of rows are in memory. Missing rows stay black.
struct BoxDownsampler {
    /// The side of a square.
    private let factor: Int
    private let source: PictureSize
    private let target: PictureSize
    private var bytes: [UInt8]
    /// The sums of the current band, three for each source column.
    private var sums: [UInt32]
    /// The number of source rows in the current band.
    private var rowsInBand = 0
    /// The number of finished bands, each of which is an output row.
    private var bands = 0

    /// The longer side of the output is at least `side`, unless the picture is smaller.
    init(_ source: PictureSize, atLeast side: Int) {
        self.source = source
        let factor = max(1, source.longSide / side)
        self.factor = factor
        target = PictureSize(
            width: (source.width + factor - 1) / factor,
            height: (source.height + factor - 1) / factor)
        bytes = Array(repeating: 0, count: target.width * target.height * 3)
        sums = Array(repeating: 0, count: factor == 1 ? 0 : source.width * 3)
    }

    /// Leaves the first `rows` rows black.
    mutating func skipFirst(_ rows: Int) {
        precondition(bands == 0 && rowsInBand == 0)
        (bands, rowsInBand) = rows.quotientAndRemainder(dividingBy: factor)
    }

    /// Adds the next row, three bytes per pixel.
    mutating func add(_ row: Span<UInt8>) {
        guard bands < target.height else { return }
        guard factor > 1 else {
            let start = bands * target.width * 3
            for index in 0..<target.width * 3 { bytes[start + index] = row[index] }
            bands += 1
            return
        }
        unsafe row.withUnsafeBufferPointer { row in
            unsafe sums.withUnsafeMutableBufferPointer { sums in
                for index in 0..<sums.count { unsafe sums[index] &+= UInt32(row[index]) }
            }
        }
        rowsInBand += 1
        if rowsInBand == factor { closeBand() }
    }

    mutating func finish() -> PixelBuffer {
        if rowsInBand > 0 { closeBand() }
        return PixelBuffer(target, extent: source.extent / Double(factor), bytes: bytes)
    }

    private mutating func closeBand() {
        var cell = bands * target.width * 3
        for column in 0..<target.width {
            let first = column * factor
            let columns = min(factor, source.width - first)
            var sum = SIMD3<UInt32>.zero
            for index in first..<first + columns {
                sum &+= SIMD3(sums[3 * index], sums[3 * index + 1], sums[3 * index + 2])
            }
            let count = UInt32(columns * rowsInBand)
            let mean = (sum &+ count / 2) / count
            for channel in 0..<3 { bytes[cell + channel] = UInt8(mean[channel]) }
            cell += 3
        }
        for index in sums.indices { sums[index] = 0 }
        rowsInBand = 0
        bands += 1
    }
}
