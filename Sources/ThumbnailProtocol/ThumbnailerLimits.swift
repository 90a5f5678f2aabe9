/// What the process that decodes may use.
package struct ThumbnailerLimits: Hashable, Sendable {
    /// Bytes of memory that are its own: see `RLIMIT_DATA` in getrlimit(2).
    package var memory: Int
    /// Seconds of processor time for one picture.
    package var processorSeconds: Int

    /// The most bytes of a thumbnail; one of noise has less than half a megabyte.
    package static let maximumFile = 2 << 20

    /// A progressive JPEG of 12 megapixels needs 80 MB, one of 50 up to 300.
    package static let usual = ThumbnailerLimits(memory: 320 << 20, processorSeconds: 30)

    package init(memory: Int, processorSeconds: Int) {
        self.memory = memory
        self.processorSeconds = processorSeconds
    }

    /// Reads ``words``.
    package init?(words: some Collection<String>) {
        let numbers = words.compactMap { Int($0) }
        guard words.count == 2, numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else {
            return nil
        }
        self.init(memory: numbers[0], processorSeconds: numbers[1])
    }

    /// The arguments of the process.
    package var words: [String] { ["\(memory)", "\(processorSeconds)"] }
}
