internal import Synchronization

/// Joins the reasons that any tasks send, until one task receives all of them at once.
///
/// A service of the daemon waits in ``next(onReadable:by:)`` for reasons to work, such as a change of the mirror or
/// SIGHUP. Only one task may wait at a time.
package final class CoalescingSignal<Reasons: OptionSet & Sendable>: Sendable {
    private struct SignalState {
        var pending: Reasons
        /// Whether something was sent since the last call that waited or received.
        var isNew: Bool
        /// The last task that waited; resuming it again has no effect.
        var waiter: CancellableContinuation?
    }

    private let state: Mutex<SignalState>

    /// - Parameter pending: The reasons that the first call receives.
    package init(_ pending: Reasons = []) {
        state = Mutex(SignalState(pending: pending, isNew: !pending.isEmpty))
    }

    /// The reasons that were sent and not received yet.
    package var pending: Reasons { state.withLock { $0.pending } }

    /// Adds reasons, at least one, and wakes the waiting task.
    package func send(_ reasons: Reasons) {
        let waiter = state.withLock { state in
            state.pending.formUnion(reasons)
            state.isNew = true
            return state.waiter
        }
        waiter?.resume()
    }

    /// Receives the reasons without waiting; `nil` if there are none.
    package func receive() -> Reasons? {
        state.withLock { state in
            defer { (state.pending, state.isNew) = ([], false) }
            return state.pending.isEmpty ? nil : state.pending
        }
    }

    /// Waits for reasons and receives them; none if `descriptor` can be read or `deadline` comes first.
    ///
    /// A cancelled wait throws `CancellationError`, and the reasons stay.
    package func next(
        onReadable descriptor: CInt? = nil, by deadline: ContinuousClock.Instant? = nil
    ) async throws -> Reasons {
        if let reasons = receive() { return reasons }
        try await wait(onReadable: descriptor, by: deadline)
        return receive() ?? []
    }

    /// Waits until something is sent, `descriptor` can be read or `deadline` comes, but receives nothing.
    ///
    /// Returns at once if something was sent since the last call that waited or received.
    package func wait(
        onReadable descriptor: CInt? = nil, by deadline: ContinuousClock.Instant?
    ) async throws {
        let waiter = CancellableContinuation()
        let isNew = state.withLock { state in
            defer { state.isNew = false }
            state.waiter = waiter
            return state.isNew
        }
        if !isNew { try await waiter.wait(onReadable: descriptor, by: deadline) }
    }
}
