internal import Platform

/// Sends readiness and changes of the status line to the service manager.
struct StatusNotifier: Sendable {
    private struct State {
        var status = MirrorStatus()
        var sent = ""
        var isReady = false
    }

    let manager: ServiceManager
    private let state = Monitor(State())

    /// Changes the status, and sends the line if it has changed.
    func update(_ change: (inout MirrorStatus) -> Void) {
        state.withLock { state in
            change(&state.status)
            let line = state.status.line
            // Inside the lock, to keep the order of messages.
            if line != state.sent, manager.notify(.status(line)) { state.sent = line }
        }
    }

    /// Sends readiness, once.
    func ready() {
        let wasReady = state.withLock { state in
            defer { state.isReady = true }
            return state.isReady
        }
        if !wasReady { manager.notify(.ready) }
    }
}
