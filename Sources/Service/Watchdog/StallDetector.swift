internal import Mirror

/// Detects a stalled sync: one without events and received bytes for too long.
///
/// A slow server is no stall; no request survives that long without a single byte.
struct StallDetector {
    /// Longer than any request waits for a byte, including retries, redirects and pauses.
    static let timeout = Duration.seconds(1800)

    private let timeout: Duration
    private var bytes = 0
    private var latest: ContinuousClock.Instant

    init(from start: ContinuousClock.Instant, timeout: Duration = Self.timeout) {
        self.timeout = timeout
        latest = start
    }

    /// - Parameters:
    ///   - event: An event of the sync.
    ///   - bytes: The bytes received so far.
    ///   - now: The current time.
    /// - Returns: Whether the sync made progress recently.
    mutating func isProgressing(
        _ event: SyncEvent, bytes: Int, now: ContinuousClock.Instant
    ) -> Bool {
        var isProgress = bytes != self.bytes
        if case .alive = event {} else { isProgress = true }
        if isProgress {
            self.bytes = bytes
            latest = now
        }
        return latest.duration(to: now) < timeout
    }
}
