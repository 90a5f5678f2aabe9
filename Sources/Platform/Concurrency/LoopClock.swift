/// The continuous clock, with ``EventLoop`` as its timer in place of Swift's thread pool.
package struct LoopClock: Clock {
    package typealias Instant = ContinuousClock.Instant

    package init() {}

    package var now: Instant { .now }
    package var minimumResolution: Duration { .milliseconds(1) }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await CancellableContinuation().wait(by: deadline)
    }
}
