package import APOD
package import Favorites
package import Mirror
internal import Platform

/// The line that `systemctl status` shows for the daemon: a value that the events of the daemon change.
package struct StatusLine: Hashable, Sendable {
    /// The newest day whose picture or video is here.
    private var newest: Day?
    /// Missing days after the last sync; `nil` before the first.
    private var missing: Int?
    /// The running sync.
    private var progress = Progress()
    private var isUnreachable = false
    /// The number of favorites; `nil` before the first scan.
    private var favorites: Int?
    private var held = 0

    /// The line of a daemon that starts; `newest` is the newest day that its mirror has.
    package init(newest: Day?) {
        self.newest = newest
    }

    /// The line: `newest 2026-11-20, 0 days missing, 12 favorites`.
    package var text: String {
        var parts = [newest.map { "newest \($0)" } ?? "no day yet"]
        if progress.left > 0 { parts.append("\(counted(progress.left, "day")) under way") }
        if let missing { parts.append("\(counted(missing, "day")) missing") }
        if isUnreachable { parts.append("NASA is unreachable") }
        if let favorites { parts.append(counted(favorites, "favorite")) }
        if held > 0 { parts.append("\(held) of them held") }
        return parts.joined(separator: ", ")
    }

    package mutating func record(_ event: SyncEvent) {
        progress.record(event)
        guard case .day(let outcome) = event else { return }
        switch outcome.result {
        case .downloaded, .partial: newest = max(newest ?? outcome.day, outcome.day)
        case .cancelled, .edited, .incomplete, .noSpace, .removed, .unchanged: break
        }
    }

    /// Records the end of a sync.
    package mutating func record(_ summary: SyncSummary) {
        progress = Progress()
        newest = summary.newestWithFiles ?? newest
        if summary.newest != nil { missing = summary.missing }
        isUnreachable = summary.obstacle?.kind == .unreachable
    }

    package mutating func record(_ outcome: ReconcileOutcome) {
        favorites = outcome.favorites.count
        held = outcome.favorites.values.count(where: \.isHeld)
    }
}

/// Sends readiness and changes of the status line to the service manager.
struct StatusNotifier: Sendable {
    private struct State {
        var line: StatusLine
        var sent = ""
        var isReady = false
    }

    let manager: ServiceManager
    private let state: SharedValue<State>

    /// `newest` is the newest day that the mirror has: the first sync ends hours later, or never.
    init(manager: ServiceManager, newest: Day?) {
        self.manager = manager
        state = SharedValue(State(line: StatusLine(newest: newest)))
    }

    /// Changes the line, and sends its text if that has changed.
    func update(_ change: (inout StatusLine) -> Void) {
        state.withLock { state in
            change(&state.line)
            let text = state.line.text
            // Inside the lock, to keep the order of messages.
            if text != state.sent, manager.notify(.status(text)) { state.sent = text }
        }
    }

    /// Sends readiness, once, after the line.
    func ready() {
        let isFirst = state.withLock { state in
            defer { state.isReady = true }
            return !state.isReady
        }
        guard isFirst else { return }
        // The first scan, whose result changes the line, may still run.
        update { _ in }
        manager.notify(.ready)
    }
}
