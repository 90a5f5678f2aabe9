/// The continuous clock, whose sleepers wait on ``EventLoop`` instead of a timer of Swift's pool.
package struct LoopClock: Clock {
    package typealias Instant = ContinuousClock.Instant

    package init() {}

    package var now: Instant { .now }
    package var minimumResolution: Duration { .milliseconds(1) }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await CancellableContinuation().wait { waiter in
            EventLoop.shared.at(deadline) { waiter.finish(.success(())) }
        }
    }
}

extension Clock where Self == LoopClock {
    /// The clock of a process that sleeps when it has nothing to do.
    package static var loop: LoopClock { LoopClock() }
}
