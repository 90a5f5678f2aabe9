internal import Platform
internal import Synchronization

/// Delays requests, so that the starts of two requests are at least the interval of `--pace` apart.
final class RateLimiter: Sendable {
    private let interval: Duration
    private let clock: any Clock<Duration>
    /// Returns the time since the creation of this object, by ``clock``.
    private let elapsed: @Sendable () -> Duration
    /// Lets the requests wait in the order of their arrival.
    private let order = AsyncSemaphore(1)
    /// When the latest request started, by ``elapsed``; `nil` before the first request.
    private let latestStart = Mutex(Duration?.none)

    init(_ interval: Duration, clock: any Clock<Duration>) {
        self.interval = interval
        self.clock = clock
        elapsed = stopwatch(clock)
    }

    /// Waits until this request may start.
    ///
    /// - Throws: `CancellationError` if the task is cancelled; the requests behind it then wait as if it had not come.
    func wait() async throws {
        let permit = try await order.waitForPermit()
        defer { permit.release() }
        if let start = latestStart.withLock(\.self) {
            let rest = start + interval - elapsed()
            if rest > .zero { try await clock.sleep(for: rest) }
        }
        latestStart.withLock { $0 = elapsed() }
    }
}

private func stopwatch<Time: Clock<Duration>>(_ clock: Time) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
}
