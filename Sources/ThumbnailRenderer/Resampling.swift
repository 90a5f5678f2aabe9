internal import Glibc

extension PixelBuffer {
    /// The picture resampled to `target` with a Lanczos filter, first columns, then rows.
    func resampled(to target: PictureSize) -> PixelBuffer {
        guard target != size else { return self }
        let rows = ResamplingKernel(from: size.height, extent: extent.y, to: target.height)
        let columns = ResamplingKernel(from: size.width, extent: extent.x, to: target.width)
        var line = [Float](repeating: 0, count: size.width * 3 + 1)
        var result = [UInt8](repeating: 0, count: target.width * target.height * 3)
        for (row, window) in rows.windows.enumerated() {
            blend(rows, window, into: &line)
            Self.narrow(line, columns, into: &result, at: row * target.width * 3)
        }
        return PixelBuffer(target, bytes: result)
    }

    /// Sets `line` to the weighted sum of the rows in `window`.
    private func blend(
        _ kernel: ResamplingKernel, _ window: ResamplingKernel.Window, into line: inout [Float]
    ) {
        let width = size.width * 3
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe line.withUnsafeMutableBufferPointer { line in
                for index in 0..<width { unsafe line[index] = 0 }
                for offset in 0..<window.count {
                    let weight = kernel.weights[window.start + offset]
                    let row = unsafe UnsafeBufferPointer(
                        rebasing: bytes[
                            (window.first + offset) * width..<(window.first + offset + 1) * width])
                    for index in 0..<width { unsafe line[index] += weight * Float(row[index]) }
                }
            }
        }
    }

    /// Resamples `line`, which has one padding value at the end.
    private static func narrow(
        _ line: [Float], _ kernel: ResamplingKernel, into result: inout [UInt8], at start: Int
    ) {
        var place = start
        for window in kernel.windows {
            var sum = SIMD4<Float>.zero
            for offset in 0..<window.count {
                let pixel = (window.first + offset) * 3
                // Red, green, blue and an unused value.
                let colour = unsafe line.withUnsafeBytes {
                    unsafe $0.loadUnaligned(fromByteOffset: pixel * 4, as: SIMD4<Float>.self)
                }
                sum += colour * kernel.weights[window.start + offset]
            }
            let light = (sum + 0.5).clamped(
                lowerBound: .zero, upperBound: SIMD4(repeating: 255))
            for channel in 0..<3 { result[place + channel] = UInt8(light[channel]) }
            place += 3
        }
    }
}

/// The weights for resampling a line of pixels with a Lanczos filter of three lobes.
struct ResamplingKernel {
    /// The window of one output pixel: `weights[start..<start + count]` apply to the pixels from
    /// `first`.
    struct Window {
        let first: Int
        let start: Int
        let count: Int
    }

    private(set) var windows: [Window] = []
    private(set) var weights: [Float] = []

    /// All lengths are in pixels; `extent` is the part of the input that is covered, at most `source`.
    init(from source: Int, extent: Double, to target: Int) {
        let step = extent / Double(target)
        // Enlarging uses the same window as a scale of one.
        let scale = max(1, step)
        for index in 0..<target {
            let centre = (Double(index) + 0.5) * step
            let first = max(0, Int((centre - 3 * scale).rounded(.down)))
            let end = min(source, max(first + 1, Int((centre + 3 * scale).rounded(.up))))
            let start = min(first, end - 1)
            let raw = (start..<end).map { Self.lanczos((Double($0) + 0.5 - centre) / scale) }
            let sum = raw.reduce(0, +)
            windows.append(Window(first: start, start: weights.count, count: raw.count))
            weights += raw.map { Float($0 / sum) }
        }
    }

    private static func lanczos(_ x: Double) -> Double {
        guard x != 0 else { return 1 }
        guard abs(x) < 3 else { return 0 }
        let angle = Double.pi * x
        return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
    }
}
