internal import Platform

/// Wakes one task that waits; rung while nobody waits, it wakes the next one at once.
package final class Bell: Sendable {
    private let state = Monitor((isRung: false, waiter: Waiter?.none))

    package init() {}

    package func ring() {
        let waiter = state.withLock { state in
            state.isRung = true
            return state.waiter
        }
        waiter?.finish(.success(()))
    }

    /// Returns once the bell has been rung since the last time.
    ///
    /// - Throws: `CancellationError`.
    func wait() async throws {
        let waiter = Waiter()
        let isRung = state.withLock { state in
            state.waiter = waiter
            return state.isRung
        }
        if !isRung { try await waiter.wait() }
        state.withLock { $0 = (false, nil) }
    }
}
