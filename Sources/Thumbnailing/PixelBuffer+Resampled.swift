extension PixelBuffer {
    /// A whole fraction of the picture whose long side is at least `side`, if that of the picture is.
    func shrunk(toAtLeast side: Int) -> PixelBuffer {
        guard size.longSide >= 2 * side else { return self }
        var shrinker = BoxDownsampler(size, atLeast: side)
        let width = size.width * 3
        for row in 0..<size.height {
            shrinker.add(bytes.span.extracting(row * width..<(row + 1) * width))
        }
        let shrunk = shrinker.finish()
        // Its last column and row were partly filled before.
        let extent = shrunk.extent * extent / SIMD2(Double(size.width), Double(size.height))
        return PixelBuffer(shrunk.size, extent: extent, bytes: shrunk.bytes)
    }

    /// The picture in `target` pixels, by Lanczos's filter: first each column, then each row.
    func resampled(to target: PictureSize) -> PixelBuffer {
        guard target != size else { return self }
        let rows = Kernel(from: size.height, extent: extent.y, to: target.height)
        let columns = Kernel(from: size.width, extent: extent.x, to: target.width)
        var line = [Float](repeating: 0, count: size.width * 3 + 1)
        var result = [UInt8](repeating: 0, count: target.width * target.height * 3)
        for (row, window) in rows.windows.enumerated() {
            blend(rows, window, into: &line)
            Self.narrow(line, columns, into: &result, at: row * target.width * 3)
        }
        return PixelBuffer(target, bytes: result)
    }

    /// Makes `line` the sum of the rows in `window`, each as much as it counts.
    private func blend(_ kernel: Kernel, _ window: Kernel.Window, into line: inout [Float]) {
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

    /// Writes what `kernel` makes of `line`, whose last number belongs to no pixel.
    private static func narrow(
        _ line: [Float], _ kernel: Kernel, into result: inout [UInt8], at start: Int
    ) {
        var place = start
        for window in kernel.windows {
            var sum = SIMD4<Float>.zero
            for offset in 0..<window.count {
                let pixel = (window.first + offset) * 3
                // Red, green, blue, and what comes next and is thrown away.
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
