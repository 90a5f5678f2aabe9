internal import MediaFormat

/// Reduces a picture by an integer factor: each output pixel is the mean of a square of input pixels.
///
/// It is fed row by row: only the output and one band of rows, those of an output row, are in memory. Missing rows of a file
/// that is cut off are black; a band that has some of its rows is the mean of those.
struct BoxDownsampler {
    /// The side of a square.
    private let factor: Int
    private let source: PixelSize
    private let target: PixelSize
    private var bytes: [UInt8]
    /// The sums of the current band, three for each input column; a square has fewer than 2²⁴ pixels: none overflows.
    private var sums: [UInt32]
    /// The index of the next input row.
    private var row = 0

    /// The longer side of the output is at least `side`, unless the picture, of size `source`, is smaller.
    init(_ source: PixelSize, atLeast side: Int) {
        self.source = source
        let factor = max(1, source.longSide / side)
        self.factor = factor
        target = source.divided(by: factor)
        bytes = Array(repeating: 0, count: target.width * target.height * 3)
        sums = Array(repeating: 0, count: source.width * 3)
    }

    /// Leaves the first `rows` rows black: the frame of a GIF may begin below.
    mutating func skipFirst(_ rows: Int) {
        precondition(row == 0 && rows <= source.height)
        row = rows
    }

    /// Adds the next row, three bytes per pixel; what is after them is ignored.
    mutating func add(_ pixels: Span<UInt8>) {
        precondition(row < source.height && pixels.count >= source.width * 3)
        // Each pixel of the picture comes through here: without the checks of bounds the loop is vectorized.
        unsafe pixels.withUnsafeBufferPointer { pixels in
            unsafe sums.withUnsafeMutableBufferPointer { sums in
                for index in 0..<sums.count { unsafe sums[index] &+= UInt32(pixels[index]) }
            }
        }
        row += 1
        if row.isMultiple(of: factor) { closeBand(at: row / factor - 1, rows: factor) }
    }

    /// Returns the output after the last row.
    mutating func finish() -> PixelBuffer {
        let (band, rows) = row.quotientAndRemainder(dividingBy: factor)
        if rows > 0 { closeBand(at: band, rows: rows) }
        return PixelBuffer(target, bytes: bytes)
    }

    /// Makes the output row `band` of the sums of `rows` input rows.
    private mutating func closeBand(at band: Int, rows: Int) {
        var cell = band * target.width * 3
        for column in 0..<target.width {
            let first = column * factor
            let columns = min(factor, source.width - first)
            var sum = SIMD3<UInt32>.zero
            for index in first..<first + columns {
                sum &+= SIMD3(sums[3 * index], sums[3 * index + 1], sums[3 * index + 2])
            }
            let count = UInt32(columns * rows)
            let mean = (sum &+ count / 2) / count
            for channel in 0..<3 { bytes[cell + channel] = UInt8(mean[channel]) }
            cell += 3
        }
        for index in sums.indices { sums[index] = 0 }
    }
}
