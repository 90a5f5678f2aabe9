internal import Synchronization

/// Suspends one task; the first call of ``resume(_:)`` resumes it, even before it is suspended.
package final class CancellableContinuation: Sendable {
    private struct ContinuationState {
        var continuation: CheckedContinuation<Void, any Error>?
        var outcome: Result<Void, any Error>?
        var registration: EventLoop.Registration?
    }

    private let state = Mutex(ContinuationState())

    package init() {}

    /// Suspends the task until ``resume(_:)``.
    ///
    /// - Parameter register: Returns a registration, which lasts until the task resumes.
    /// - Throws: The failure that the task is resumed with; `CancellationError` if it is cancelled.
    package func wait(
        _ register: (CancellableContinuation) -> EventLoop.Registration? = { _ in nil }
    ) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state in
                    if state.outcome == nil { state.continuation = continuation }
                    return state.outcome
                }
                if let outcome { return continuation.resume(with: outcome) }
                let registration = register(self)
                state.withLock { if $0.outcome == nil { $0.registration = registration } }
            }
        } onCancel: {
            resume(.failure(CancellationError()))
        }
    }

    /// Resumes the task, unless it was resumed before.
    package func resume(_ outcome: Result<Void, any Error> = .success(())) {
        let (continuation, registration) = state.withLock { state in
            defer {
                state.continuation = nil
                state.registration = nil
                state.outcome = state.outcome ?? outcome
            }
            return (state.continuation, state.registration)
        }
        _ = registration
        continuation?.resume(with: outcome)
    }
}
