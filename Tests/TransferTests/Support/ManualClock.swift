import Platform

/// A clock that advances only when a test does so.
final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [(deadline: Instant, waiter: CancellableContinuation)] = []
    }

    private let state = Monitor(State())
    private let arrivals = AsyncStream.makeStream(of: Duration.self)

    var now: Instant { state.withLock(\.now) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let waiter = CancellableContinuation()
        let left = state.withLock { state in
            if deadline > state.now { state.sleepers.append((deadline, waiter)) }
            return state.now.duration(to: deadline)
        }
        guard left > .zero else { return }
        arrivals.continuation.yield(left)
        defer { state.withLock { $0.sleepers.removeAll { $0.waiter === waiter } } }
        try await waiter.wait()
    }

    /// Waits until a task sleeps, and advances to its deadline.
    ///
    /// - Returns: The duration of the sleep.
    func wakeNextSleeper() async -> Duration? {
        let left = await arrivals.stream.first { _ in true }
        let due = state.withLock { state in
            state.now = state.sleepers.map(\.deadline).min() ?? state.now
            let due = state.sleepers.filter { $0.deadline <= state.now }.map(\.waiter)
            state.sleepers.removeAll { $0.deadline <= state.now }
            return due
        }
        for waiter in due { waiter.resume() }
        return left
    }
}
