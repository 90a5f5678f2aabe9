internal import Glibc

/// Which pixels of a line make each pixel of a shorter one, and how much each counts: Lanczos's window
/// of three lobes.
struct Kernel {
    /// The neighbours of one new pixel: `weights[start..<start + count]` belong to pixels from `first`.
    struct Window {
        let first: Int
        let start: Int
        let count: Int
    }

    private(set) var windows: [Window] = []
    private(set) var weights: [Float] = []

    /// - Parameters:
    ///   - source: The pixels of the line.
    ///   - extent: What they cover, at most `source`.
    ///   - target: The pixels of the new line.
    init(from source: Int, extent: Double, to target: Int) {
        let step = extent / Double(target)
        // Where a pixel is made of less than one, its neighbours count as if it were one.
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
