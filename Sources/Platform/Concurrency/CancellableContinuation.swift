/// One suspended task: resumed once, by whoever comes first, also before it was suspended.
package final class CancellableContinuation: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Void, any Error>?
        var outcome: Result<Void, any Error>?
        var interest: EventLoop.Interest?
    }

    private let state = Monitor(State())

    package init() {}

    /// Suspends the task until ``finish(_:)``.
    ///
    /// - Parameter interest: Makes what is held as long.
    /// - Throws: What the task is finished with; `CancellationError` where it is cancelled.
    package func wait(
        _ interest: (CancellableContinuation) -> EventLoop.Interest? = { _ in nil }
    ) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                start(continuation) { interest(self) }
            }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }

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
