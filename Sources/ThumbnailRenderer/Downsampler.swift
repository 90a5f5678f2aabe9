internal import MediaFormat

/// Reduces a picture, row by row: each output pixel is the mean of the area of the picture that it covers.
///
/// Only the output and the sums of one output row are in memory. If the file of the picture is cut off, the output rows that
/// lack an input row stay black. The stored values are averaged, although they are not proportional to light: other programs
/// for thumbnails do the same.
struct Downsampler {
    private let source: PixelSize
    private let target: PixelSize
    private var bytes: [UInt8]
    /// For the current output row, the weighted sums over its input rows: three for each input column.
    private var sums: [Float]
    /// The index of the input row that is added next.
    private var row = 0

    /// Reduces a picture of the size `source` to `target`, which is not larger.
    init(from source: PixelSize, to target: PixelSize) {
        precondition(
            target.width <= source.width && target.height <= source.height,
            "the target is larger than the picture")
        self.source = source
        self.target = target
        bytes = Array(repeating: 0, count: target.width * target.height * 3)
        sums = Array(repeating: 0, count: source.width * 3)
    }

    /// Adds the next row, three bytes per pixel; further bytes are ignored.
    mutating func add(_ pixels: Span<UInt8>) {
        precondition(row < source.height, "all rows were added before")
        precondition(pixels.count >= source.width * 3, "the row is too short")
        // All heights are whole numbers in this unit: the picture is source.height * target.height units high, an input row
        // target.height units, and an output row source.height units.
        var start = row * target.height
        row += 1
        while start < row * target.height {
            let outputRow = start / source.height
            let end = min(row * target.height, (outputRow + 1) * source.height)
            addToSums(pixels, weight: Float(end - start))
            if end == (outputRow + 1) * source.height { writeOutputRow(outputRow) }
            start = end
        }
    }

    private mutating func addToSums(_ pixels: Span<UInt8>, weight: Float) {
        // This loop runs for each pixel of the picture; without checks of bounds, it is vectorized.
        unsafe pixels.withUnsafeBufferPointer { pixels in
            unsafe sums.withUnsafeMutableBufferPointer { sums in
                for index in 0..<sums.count {
                    unsafe sums[index] += weight * Float(pixels[index])
                }
            }
        }
    }

    /// Writes the output row with this index from the sums, and sets the sums to 0.
    private mutating func writeOutputRow(_ outputRow: Int) {
        let area = Float(source.width) * Float(source.height)
        var cell = outputRow * target.width * 3
        for column in 0..<target.width {
            var sum = SIMD3<Float>.zero
            // Widths have a unit of the same kind: an input column is target.width units wide, an output column source.width.
            var start = column * source.width
            while start < (column + 1) * source.width {
                let pixel = start / target.width
                let end = min((pixel + 1) * target.width, (column + 1) * source.width)
                let color = SIMD3(sums[3 * pixel], sums[3 * pixel + 1], sums[3 * pixel + 2])
                sum += color * Float(end - start)
                start = end
            }
            // The conversion to UInt8 cuts off the fraction, so 0.5 rounds.
            let rounded = sum / area + 0.5
            // The sums of a very large picture are inexact, so that the mean may exceed 255.
            for channel in 0..<3 { bytes[cell + channel] = UInt8(min(rounded[channel], 255)) }
            cell += 3
        }
        for index in sums.indices { sums[index] = 0 }
    }

    /// The output, after the last row.
    var output: PixelBuffer { PixelBuffer(target, bytes: bytes) }
}
