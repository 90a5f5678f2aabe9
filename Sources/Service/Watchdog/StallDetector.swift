internal import Mirror

/// Whether a look at NASA gets on: something happened, or bytes came, not too long ago.
///
/// A server may be slow for hours; that nothing at all comes is what no request outlives.
struct StallDetector {
    /// Longer than any request waits for its next byte, with all its attempts, redirects and pauses.
    static let patience = Duration.seconds(1800)

    private let patience: Duration
    private var bytes = 0
    private var latest: ContinuousClock.Instant

    init(from start: ContinuousClock.Instant, patience: Duration = Self.patience) {
        self.patience = patience
        latest = start
    }

    /// - Parameters:
    ///   - event: What the look just told.
    ///   - bytes: What arrived so far.
    ///   - now: The time.
    /// - Returns: Whether it may be called alive.
    mutating func isMade(_ event: SyncEvent, bytes: Int, now: ContinuousClock.Instant) -> Bool {
        var isNews = bytes != self.bytes
        if case .alive = event {} else { isNews = true }
        if isNews {
            self.bytes = bytes
            latest = now
        }
        return latest.duration(to: now) < patience
    }
}
