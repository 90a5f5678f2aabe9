internal import APOD
internal import Platform

/// Sends the ``StatusLine`` of the daemon, and that the daemon is ready, to the service manager.
struct StatusNotifier: Sendable {
    private struct State {
        var line: StatusLine
        /// The text that was sent last.
        var sentText = ""
    }

    let manager: ServiceManager
    private let state: SharedValue<State>

    /// `newest` is the newest day that the mirror has, for the time until the first sync ends, which may take hours.
    init(manager: ServiceManager, newest: Day?) {
        self.manager = manager
        state = SharedValue(State(line: StatusLine(newest: newest)))
    }

    /// Changes the line, and sends its text if that has changed.
    func update(_ change: (inout StatusLine) -> Void) {
        state.withLock { state in
            change(&state.line)
            let text = state.line.text
            // The lock is still held, so that messages keep their order.
            if text != state.sentText, manager.notify(.status(text)) { state.sentText = text }
        }
    }

    /// Sends the line, if that was not done yet, and then readiness.
    func notifyReady() {
        update { _ in }
        manager.notify(.ready)
    }
}
