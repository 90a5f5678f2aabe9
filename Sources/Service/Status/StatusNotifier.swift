package import Platform

/// Tells the service manager how the mirror is whenever that has changed, and when it is kept at all.
package final class StatusNotifier: Sendable {
    private struct State {
        var status = MirrorStatus()
        /// What the service manager took last.
        var told = ""
        var isReady = false
    }

    private let manager: ServiceManager
    private let state = Monitor(State())
    private let readiness = CancellableContinuation()

    package init(_ manager: ServiceManager) {
        self.manager = manager
    }

    /// Changes what is known, and tells of it.
    package func update(_ change: (inout MirrorStatus) -> Void) {
        state.withLock { state in
            change(&state.status)
            let line = state.status.line
            // Within the lock, so that the last that is told is the last that was so.
            if line != state.told, manager.tell(.status(line)) { state.told = line }
        }
    }

    /// All is in place: said once.
    package func ready() {
        let wasReady = state.withLock { state in
            defer { state.isReady = true }
            return state.isReady
        }
        guard !wasReady else { return }
        manager.tell(.ready)
        readiness.finish(.success(()))
    }

    /// Returns once all is in place; for one task.
    func waitUntilReady() async throws { try await readiness.wait() }
}
