/// The hint that is not yet delivered; all that comes until then is joined to it.
final class PendingHint: Sendable {
    private struct State {
        var hint: FolderHint
        var isNew = false
        var waiter: Waiter?
    }

    private let state: Monitor<State>

    init(_ hint: FolderHint) {
        state = Monitor(State(hint: hint))
    }

    /// Joins `hint` and wakes who waits.
    func add(_ hint: FolderHint) {
        let waiter = state.withLock { state in
            state.hint.formUnion(hint)
            state.isNew = true
            return state.waiter
        }
        waiter?.finish(.success(()))
    }

    /// Makes ``add(_:)`` wake `waiter`: at once where something came since the last call.
    func wake(_ waiter: Waiter) {
        let isNew = state.withLock { state in
            defer { state.isNew = false }
            state.waiter = waiter
            return state.isNew
        }
        if isNew { waiter.finish(.success(())) }
    }

    /// Whether `hint` has come, and nothing else.
    func holdsOnly(_ hint: FolderHint) -> Bool { state.withLock { $0.hint == hint } }

    /// What has come since the last call, `nil` where nothing has.
    func take() -> FolderHint? {
        state.withLock { state in
            defer { state.hint = [] }
            return state.hint.isEmpty ? nil : state.hint
        }
    }
}
