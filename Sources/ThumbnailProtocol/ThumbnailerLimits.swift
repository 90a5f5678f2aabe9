/// The resource limits of the thumbnailer.
package struct ThumbnailerLimits: Hashable, Sendable {
    /// Private memory in bytes; see `RLIMIT_DATA` in getrlimit(2).
    package var memory: Int
    /// Seconds of processor time for one picture.
    package var processorSeconds: Int
    /// The maximum size of the output in bytes: a thumbnail of noise takes less than 512 KiB, its color profile up to 1 MiB.
    package var outputSize = 3 << 20

    /// The limits for thumbnails: a progressive JPEG of 12 megapixels takes 80 MB, one of 50 megapixels up to 300 MB.
    package static let defaults = ThumbnailerLimits(memory: 320 << 20, processorSeconds: 30)

    /// The limits for a conversion in full size, whose output may be larger.
    package var forFullSize: ThumbnailerLimits {
        var limits = self
        limits.outputSize = 32 << 20
        return limits
    }

    /// The command-line arguments of the thumbnailer, such as `335544320 30 3145728`.
    package var arguments: [String] { ["\(memory)", "\(processorSeconds)", "\(outputSize)"] }
}

extension ThumbnailerLimits {
    /// Parses ``arguments``; `nil` unless they are three positive numbers.
    package init?(arguments: some Collection<String>) {
        let numbers = arguments.compactMap { Int($0) }
        guard arguments.count == 3, numbers.count == 3, numbers.allSatisfy({ $0 > 0 }) else {
            return nil
        }
        self.init(memory: numbers[0], processorSeconds: numbers[1], outputSize: numbers[2])
    }
}
