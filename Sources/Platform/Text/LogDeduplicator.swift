/// What was said within the last hour, so that it is not said again: a pure value.
struct LogDeduplicator {
    private static let hour = Duration.seconds(3600)
    /// More lines than a well-behaved hour has; the oldest are forgotten.
    private static let most = 512

    private var times: [String: ContinuousClock.Instant] = [:]

    /// - Returns: Whether the line is to be said now; then it is remembered.
    mutating func add(_ line: String, at now: ContinuousClock.Instant) -> Bool {
        if let time = times[line], time.duration(to: now) < Self.hour { return false }
        if times.count >= Self.most { forget(at: now) }
        times[line] = now
        return true
    }

    private mutating func forget(at now: ContinuousClock.Instant) {
        times = times.filter { $0.value.duration(to: now) < Self.hour }
        while times.count >= Self.most, let oldest = times.min(by: { $0.value < $1.value }) {
            times[oldest.key] = nil
        }
    }
}
