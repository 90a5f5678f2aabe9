internal import Glibc
internal import MediaFormat

extension PixelBuffer {
    /// The picture in the size `target`, made with a Lanczos filter: first each column, then each row.
    ///
    /// It is computed with the stored values, which are not proportional to light, as other programs for thumbnails do.
    func resampled(to target: PixelSize) -> PixelBuffer {
        guard size != target else { return self }
        let rows = ResamplingKernel(from: size.height, to: target.height)
        let columns = ResamplingKernel(from: size.width, to: target.width)
        // One more, because a pixel is loaded as four numbers.
        var line = [Float](repeating: 0, count: size.width * 3 + 1)
        var result = [UInt8](repeating: 0, count: target.width * target.height * 3)
        for (row, window) in rows.windows.enumerated() {
            sumRows(of: window, into: &line)
            Self.resampleRow(line, columns, into: &result, at: row * target.width * 3)
        }
        return PixelBuffer(target, bytes: result)
    }

    /// Sets `line` to the weighted sum of the rows in `window`.
    private func sumRows(
        of window: ResamplingKernel.Window, into line: inout [Float]
    ) {
        let length = size.width * 3
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe line.withUnsafeMutableBufferPointer { line in
                for index in 0..<length { unsafe line[index] = 0 }
                for (offset, weight) in window.weights.enumerated() {
                    let start = (window.firstPixel + offset) * length
                    let row = unsafe UnsafeBufferPointer(rebasing: bytes[start..<start + length])
                    for index in 0..<length { unsafe line[index] += weight * Float(row[index]) }
                }
            }
        }
    }

    private static func resampleRow(
        _ line: [Float], _ kernel: ResamplingKernel, into result: inout [UInt8], at start: Int
    ) {
        var place = start
        for window in kernel.windows {
            var sum = SIMD4<Float>.zero
            for (offset, weight) in window.weights.enumerated() {
                let pixel = (window.firstPixel + offset) * 3
                // Red, green, blue and an unused number.
                let color = unsafe line.withUnsafeBytes {
                    unsafe $0.loadUnaligned(
                        fromByteOffset: pixel * MemoryLayout<Float>.size, as: SIMD4<Float>.self)
                }
                sum += color * weight
            }
            // The filter exceeds the range at sharp edges.
            let color = (sum + 0.5).clamped(
                lowerBound: .zero, upperBound: SIMD4(repeating: 255))
            for channel in 0..<3 { result[place + channel] = UInt8(color[channel]) }
            place += 3
        }
    }
}

/// The weights for resampling a line of pixels with a Lanczos filter.
struct ResamplingKernel {
    /// The input of one output pixel: the pixels from `firstPixel`, each with its weight; the weights add up to 1.
    struct Window {
        let firstPixel: Int
        let weights: [Float]
    }

    let windows: [Window]

    /// The number of lobes of the filter at each side.
    private static let lobes = 3.0

    /// From `source` input pixels to `target` output pixels.
    init(from source: Int, to target: Int) {
        precondition(source > 0 && target > 0)
        let step = Double(source) / Double(target)
        // Enlarging uses the same window as a scale of one.
        let scale = max(1, step)
        windows = (0..<target).map { index in
            let center = (Double(index) + 0.5) * step
            let start = max(0, Int((center - Self.lobes * scale).rounded(.down)))
            let end = min(source, Int((center + Self.lobes * scale).rounded(.up)))
            let raw = (start..<end).map { Self.lanczos((Double($0) + 0.5 - center) / scale) }
            let sum = raw.reduce(0, +)
            return Window(firstPixel: start, weights: raw.map { Float($0 / sum) })
        }
    }

    private static func lanczos(_ x: Double) -> Double {
        guard x != 0 else { return 1 }
        guard abs(x) < lobes else { return 0 }
        let angle = Double.pi * x
        return lobes * sin(angle) * sin(angle / lobes) / (angle * angle)
    }
}
