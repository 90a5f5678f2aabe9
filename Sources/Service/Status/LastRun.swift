package import FoundationEssentials
internal import Glibc
package import Mirror
package import Platform

/// What the last process of “run” knew: the contents of `service.json` in the mirror.
///
/// ``LastRunWriter`` writes the file, and ``StatusReport`` reads it. The file may be deleted.
package struct LastRun: Hashable, Codable, Sendable {
    /// How the daemon detects changes of `favorites/`.
    package enum Watcher: String, Hashable, Codable, Sendable, CaseIterable {
        case events, polling
    }

    /// The ID of the process that wrote the file; ``watcher`` and ``nextSync`` are valid while it runs.
    package var process: Int32
    /// The settings that the user typed for that process, by the names of their options.
    package var settings: [String: String] = [:]
    /// How that process detects changes of `favorites/`; `nil` if it is no daemon.
    package var watcher: Watcher?
    /// Why ``watcher`` is polling, and how to change that; `nil` if it is not.
    package var reason: String?
    /// When NASA was last reached.
    package var lastSuccess: Date?
    package var nextSync: Date?
    /// The running sync; `nil` between two.
    package var sync: Progress?
    /// When the file was written.
    package var written: Date?

    /// Records how changes of `favorites/` are detected.
    package mutating func record(_ mode: DirectoryWatcher.Mode) {
        switch mode {
        case .events:
            watcher = .events
            reason = nil
        case .polling(let obstacle, _):
            watcher = .polling
            reason = "\(obstacle)"
        }
    }

    /// Reads the file in `tree`; `nil` if there is none or it is damaged.
    package static func read(from tree: Tree) throws(SystemError) -> LastRun? {
        try tree.state(at: Layout.service)
    }
}

/// Keeps the ``LastRun`` of this process, and writes it when ``StatusReport`` would show something else.
///
/// An error of the disk is logged, and does not end the process.
package struct LastRunWriter: Sendable {
    private struct State {
        /// What this process knows, written or not.
        var current: LastRun
        /// What `service.json` contains; `nil` if it is missing or damaged.
        var saved: LastRun?
        /// Whether the file was read, which says when the process before reached NASA.
        var isRead = false
    }

    private let store: Store
    private let changes: ChangeListener
    private let log: Log
    /// Locked while the file is written, so that an older state never replaces a newer one.
    private let state: SharedValue<State>

    /// The longest time, in seconds, for which the file may not say that NASA was reached.
    ///
    /// ``StatusReport/isStale`` needs such a time within a day, and two polls of a daemon are up to five hours apart.
    private static let longestPause = 12.0 * 3600

    /// The tree of `store` must be open for writing; `settings` are what the user typed, by the names of options.
    ///
    /// `changes` makes the view service call ``write()``.
    package init(
        _ store: Store, settings: [String: String] = [:], changes: ChangeListener, log: Log
    ) {
        self.store = store
        self.changes = changes
        self.log = log
        state = SharedValue(
            State(current: LastRun(process: getpid(), settings: settings)))
    }

    /// Records how changes of `favorites/` are detected.
    package func record(_ mode: DirectoryWatcher.Mode) {
        state.withLock { $0.current.record(mode) }
        changes.post(.all)
    }

    /// Records an event of the running sync, which the next call of ``write()`` writes.
    package func record(_ event: SyncEvent) {
        state.withLock { $0.current.sync.record(event) }
    }

    /// Records the result of a sync, and when the daemon's next one is; writes it if the sync `hasNews`, else twice a day.
    package func record(_ summary: SyncSummary, nextSync: Date?, hasNews: Bool) {
        let isDue = state.withLock { state in
            // If the file cannot be read, `isDue` is true, and `write` reports the error.
            try? read(into: &state)
            state.current.lastSuccess = summary.lastSuccess ?? state.current.lastSuccess
            state.current.nextSync = nextSync
            state.current.sync.record(summary)
            return Self.isDue(state)
        }
        if hasNews || isDue { write() }
    }

    /// Whether the file is to be written though the sync had no news: it is old, or ``StatusReport`` would be wrong by it.
    private static func isDue(_ state: State) -> Bool {
        guard let saved = state.saved, let written = saved.written else { return true }
        // `abs`, because the clock may have been set back.
        let isOld = abs(Date().timeIntervalSince(written)) > longestPause
        // A view that was updated during the sync wrote that the sync runs.
        let saysThatSyncRuns = saved.sync != nil
        // The process before had other settings, or was a daemon while this one is a single sync.
        let isOfOtherRun =
            saved.settings != state.current.settings || saved.watcher != state.current.watcher
        return isOld || saysThatSyncRuns || isOfOtherRun
    }

    /// Reads what the process before wrote, before the first write replaces it.
    private func read(into state: inout State) throws(SystemError) {
        guard !state.isRead else { return }
        state.saved = try LastRun.read(from: store.tree)
        state.isRead = true
        state.current.lastSuccess = state.current.lastSuccess ?? state.saved?.lastSuccess
    }

    /// Writes `service.json` if it has changed.
    package func write() {
        do {
            try state.withLock { state in
                try read(into: &state)
                var current = state.current
                // The time of writing alone is no change.
                current.written = state.saved?.written
                guard current != state.saved else { return }
                current.written = Date()
                try store.write(current, to: Layout.service)
                state.saved = current
            }
        } catch {
            log.warning("\(Layout.service) is not updated: \(error)", about: Layout.service)
        }
    }
}
