internal import Synchronization

/// Delays requests, so that the starts of two requests are at least the interval of `--pace` apart.
final class RateLimiter: Sendable {
    private let interval: Duration
    private let clock: any Clock<Duration>
    /// Returns the time since the creation of this object, by ``clock``.
    private let elapsed: @Sendable () -> Duration
    /// When the next request may start, by ``elapsed``.
    private let nextStart = Mutex(Duration.zero)

    init(_ interval: Duration, clock: any Clock<Duration>) {
        self.interval = interval
        self.clock = clock
        elapsed = stopwatch(clock)
    }

    /// Waits until the next request may start; requests start in the order of their calls.
    func wait() async throws {
        let pause = nextStart.withLock { nextStart in
            let now = elapsed()
            let start = max(now, nextStart)
            nextStart = start + interval
            return start - now
        }
        if pause > .zero { try await clock.sleep(for: pause) }
    }
}

private func stopwatch<Time: Clock<Duration>>(_ clock: Time) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
}
