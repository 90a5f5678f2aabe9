internal import Synchronization

/// Suspends one task, once, until another task, a descriptor or the clock resumes it.
///
/// Tasks wait by it for events, sockets and deadlines. The first call of ``resume(_:)`` counts, even if it comes before the
/// task is suspended; later ones have no effect.
package final class CancellableContinuation: Sendable {
    private struct ContinuationState {
        /// `nil` before the task is suspended, and once it is resumed.
        var continuation: CheckedContinuation<Void, any Error>?
        /// The outcome of the wait; `nil` until the task is resumed.
        var outcome: Result<Void, any Error>?
        /// The registrations at the event loop, which end when the task is resumed.
        var registrations: [EventLoop.Registration] = []
    }

    private let state = Mutex(ContinuationState())

    package init() {}

    /// Suspends the task until ``resume(_:)``, until `descriptor` can be read, or until `deadline`.
    ///
    /// - Throws: The failure that the task is resumed with; `CancellationError` if it is cancelled.
    package func wait(
        onReadable descriptor: CInt? = nil, by deadline: ContinuousClock.Instant? = nil
    ) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state in
                    if state.outcome == nil { state.continuation = continuation }
                    return state.outcome
                }
                if let outcome { return continuation.resume(with: outcome) }
                let resume: @Sendable () -> Void = { self.resume() }
                let registrations = [
                    descriptor.map { EventLoop.shared.onReadable($0, resume) },
                    deadline.map { EventLoop.shared.at($0, resume) },
                ].compactMap(\.self)
                // If the task was resumed meanwhile, nothing refers to the registrations, which ends them.
                state.withLock { if $0.outcome == nil { $0.registrations = registrations } }
            }
        } onCancel: {
            resume(.failure(CancellationError()))
        }
    }

    /// Resumes the task, unless it was resumed before.
    package func resume(_ outcome: Result<Void, any Error> = .success(())) {
        let (continuation, registrations) = state.withLock { state in
            defer {
                state.continuation = nil
                state.registrations = []
                state.outcome = state.outcome ?? outcome
            }
            return (state.continuation, state.registrations)
        }
        // The lock is free by now, because the end of a registration takes the lock of the event loop.
        registrations.forEach { $0.cancel() }
        continuation?.resume(with: outcome)
    }
}
