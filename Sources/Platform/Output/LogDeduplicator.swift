/// Remembers the lines of the last hour, and how often each of them was left out.
struct LogDeduplicator {
    private static let hour = Duration.seconds(3600)
    /// The most lines that are remembered; if more different lines come in an hour, all of them are forgotten.
    private static let limit = 512

    /// When each line was last written, and how often it was left out since then.
    private var lines: [String: (written: ContinuousClock.Instant, omissions: Int)] = [:]

    /// Records that `line` is about to be written.
    ///
    /// - Returns: How often the line was left out since it was last written; `nil` if it must be left out, because it was written
    ///   within the last hour.
    mutating func add(_ line: String, at now: ContinuousClock.Instant) -> Int? {
        let known = lines[line]
        if let known, known.written.duration(to: now) < Self.hour {
            lines[line]?.omissions += 1
            return nil
        }
        if known == nil, lines.count >= Self.limit {
            lines = lines.filter { $0.value.written.duration(to: now) < Self.hour }
            if lines.count >= Self.limit { lines = [:] }
        }
        lines[line] = (now, 0)
        return known?.omissions ?? 0
    }
}
