/// The continuous clock, whose sleepers wait on ``EventLoop`` instead of a timer of Swift's pool.
package struct LoopClock: Clock {
    package typealias Instant = ContinuousClock.Instant

    package init() {}

    package var now: Instant { .now }
    package var minimumResolution: Duration { .milliseconds(1) }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let waiter = Waiter()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiter.start(continuation) {
                    EventLoop.shared.at(deadline) { waiter.finish(.success(())) }
                }
            }
        } onCancel: {
            waiter.finish(.failure(CancellationError()))
        }
    }
}

extension Clock where Self == LoopClock {
    /// The clock of a process that sleeps when it has nothing to do.
    package static var loop: LoopClock { LoopClock() }
}

/// One suspended task: resumed once, by whoever comes first, also before it was suspended.
package final class Waiter: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var outcome: Result<Void, any Error>?
        var interest: EventLoop.Interest?
    }

    private let state = Monitor(State())

    package init() {}

    /// Suspends `continuation` until ``finish(_:)``; `interest` is held as long.
    package func start(
        _ continuation: CheckedContinuation<Void, any Error>,
        _ interest: () -> EventLoop.Interest?
    ) {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.continuation = continuation }
            return state.outcome
        }
        if let outcome { return continuation.resume(with: outcome) }
        let interest = interest()
        state.withLock { if $0.outcome == nil { $0.interest = interest } }
    }

    /// Resumes the task, unless that was done before.
    package func finish(_ outcome: Result<Void, any Error>) {
        let (continuation, interest) = state.withLock { state in
            defer {
                state.continuation = nil
                state.interest = nil
                state.outcome = state.outcome ?? outcome
            }
            return (state.continuation, state.interest)
        }
        _ = interest
        continuation?.resume(with: outcome)
    }
}
