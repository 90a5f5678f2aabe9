internal import Platform

/// Keeps the starts of requests apart: one turn after the other, in the order of asking.
final class Pace: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [CancellableContinuation] = []
        /// When the latest turn began, by ``elapsed``.
        var latest: Duration?
    }

    private let state = Monitor(State())
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration

    init(_ interval: Duration, clock: any Clock<Duration>) {
        self.interval = interval
        self.clock = clock
        elapsed = stopwatch(clock)
    }

    /// Waits until the latest turn began at least the interval ago.
    ///
    /// The next one waits until this turn has begun or is let go of.
    ///
    /// - Throws: `CancellationError`; the turn goes to the next one.
    func turn() async throws -> Turn {
        try await wait()
        let turn = Turn { [self] hasBegun in
            pass(hasBegun)
        }
        let latest = state.withLock(\.latest)
        if let latest, case let rest = latest + interval - elapsed(), rest > .zero {
            try await clock.sleep(for: rest)
        }
        return turn
    }

    private func wait() async throws {
        let waiter = CancellableContinuation()
        let isFree = state.withLock { state in
            if state.isTaken { state.waiting.append(waiter) }
            defer { state.isTaken = true }
            return !state.isTaken
        }
        if isFree { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter.start($0) { nil } }
        } onCancel: {
            let isInLine = state.withLock { state in
                let index = state.waiting.firstIndex { $0 === waiter }
                if let index { state.waiting.remove(at: index) }
                return index != nil
            }
            // Else the turn has come already, and is given back by who has it.
            if isInLine { waiter.finish(.failure(CancellationError())) }
        }
    }

    private func pass(_ hasBegun: Bool) {
        let next = state.withLock { state -> CancellableContinuation? in
            if hasBegun { state.latest = elapsed() }
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.isTaken = false
            return nil
        }
        next?.finish(.success(()))
    }
}

private func stopwatch<Time: Clock<Duration>>(_ clock: Time) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
}
