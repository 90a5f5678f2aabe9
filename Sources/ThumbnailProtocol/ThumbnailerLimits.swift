/// The resource limits of the thumbnailer.
package struct ThumbnailerLimits: Hashable, Sendable {
    /// Private memory in bytes: see `RLIMIT_DATA` in getrlimit(2).
    package var memory: Int
    /// Seconds of processor time for one picture.
    package var processorSeconds: Int

    /// The maximum size of a thumbnail in bytes; one of noise takes less than half a megabyte.
    package static let maximumFile = 2 << 20

    /// A progressive JPEG of 12 megapixels needs 80 MB, one of 50 up to 300.
    package static let defaults = ThumbnailerLimits(memory: 320 << 20, processorSeconds: 30)

    package init(memory: Int, processorSeconds: Int) {
        self.memory = memory
        self.processorSeconds = processorSeconds
    }

    /// Parses ``arguments``.
    package init?(arguments: some Collection<String>) {
        let numbers = arguments.compactMap { Int($0) }
        guard arguments.count == 2, numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else {
            return nil
        }
        self.init(memory: numbers[0], processorSeconds: numbers[1])
    }

    /// The command-line arguments of the thumbnailer.
    package var arguments: [String] { ["\(memory)", "\(processorSeconds)"] }
}
