internal import Platform

/// The claim to one turn on a thread of the pool; whoever holds it can call the work off.
final class Ticket: Sendable {
    private struct State {
        var isCancelled = false
        var working: MultiHandle?
    }

    private let state = Monitor(State())

    var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// Calls the work off, and wakes the thread that is at it.
    func cancel() {
        let working = state.withLock { state in
            state.isCancelled = true
            return state.working
        }
        working?.wakeUp()
    }

    /// Who is to be woken, `nil` when the work is done.
    func assign(_ handle: MultiHandle?) {
        state.withLock { $0.working = handle }
    }
}
