/// The resource limits of the thumbnailer.
package struct ThumbnailerLimits: Hashable, Sendable {
    /// Private memory in bytes: see `RLIMIT_DATA` in getrlimit(2).
    package var memory: Int
    /// Seconds of processor time for one picture.
    package var processorSeconds: Int
    /// The maximum size of the output in bytes; a thumbnail of noise takes less than half a megabyte, its color profile
    /// up to one.
    package var file = 3 << 20

    /// A progressive JPEG of 12 megapixels needs 80 MB, one of 50 up to 300.
    package static let defaults = ThumbnailerLimits(memory: 320 << 20, processorSeconds: 30)

    /// For a ``ThumbnailRequest`` of a picture in full size.
    package var forFullSize: ThumbnailerLimits {
        var limits = self
        limits.file = 32 << 20
        return limits
    }

    /// The command-line arguments of the thumbnailer.
    package var arguments: [String] { ["\(memory)", "\(processorSeconds)", "\(file)"] }
}

extension ThumbnailerLimits {
    /// Parses ``arguments``.
    package init?(arguments: some Collection<String>) {
        let numbers = arguments.compactMap { Int($0) }
        guard arguments.count == 3, numbers.count == 3, numbers.allSatisfy({ $0 > 0 }) else {
            return nil
        }
        self.init(memory: numbers[0], processorSeconds: numbers[1], file: numbers[2])
    }
}
