/// The hint that is not yet delivered; all that comes until then is joined to it.
final class PendingRescan: Sendable {
    private struct State {
        var hint: RescanReason
        var isNew = false
        var waiter: CancellableContinuation?
    }

    private let state: Monitor<State>

    init(_ hint: RescanReason) {
        state = Monitor(State(hint: hint))
    }

    /// Joins `hint` and wakes who waits.
    func add(_ hint: RescanReason) {
        let waiter = state.withLock { state in
            state.hint.formUnion(hint)
            state.isNew = true
            return state.waiter
        }
        waiter?.finish(.success(()))
    }

    /// Makes ``add(_:)`` wake `waiter`: at once where something came since the last call.
    func wake(_ waiter: CancellableContinuation) {
        let isNew = state.withLock { state in
            defer { state.isNew = false }
            state.waiter = waiter
            return state.isNew
        }
        if isNew { waiter.finish(.success(())) }
    }

    /// Whether `hint` has come, and nothing else.
    func holdsOnly(_ hint: RescanReason) -> Bool { state.withLock { $0.hint == hint } }

    /// What has come since the last call, `nil` where nothing has.
    func take() -> RescanReason? {
        state.withLock { state in
            defer { state.hint = [] }
            return state.hint.isEmpty ? nil : state.hint
        }
    }
}
