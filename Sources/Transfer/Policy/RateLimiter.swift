internal import Platform
internal import Synchronization

/// Keeps the starts of requests at least the interval of `--pace` apart, in the order of arrival.
final class RateLimiter: Sendable {
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private let order = AsyncSemaphore(1)
    /// When the latest request started, by ``elapsed``.
    private let latest = Mutex(Duration?.none)

    init(_ interval: Duration, clock: any Clock<Duration>) {
        self.interval = interval
        self.clock = clock
        elapsed = stopwatch(clock)
    }

    /// Waits until the next request may start; if the task is cancelled, the request behind it starts at that time.
    func wait() async throws {
        let permit = try await order.permit()
        defer { permit.release() }
        if let latest = latest.withLock(\.self) {
            let rest = latest + interval - elapsed()
            if rest > .zero { try await clock.sleep(for: rest) }
        }
        latest.withLock { $0 = elapsed() }
    }
}

private func stopwatch<Time: Clock<Duration>>(_ clock: Time) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
}
