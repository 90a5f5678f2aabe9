package import FoundationEssentials
internal import Glibc
package import Mirror
package import Platform

/// Writes the settings and the syncs of this process into `service.json`, which ``StatusReport`` reads.
///
/// A failure is logged, and does not end the process.
package struct LastRunWriter: Sendable {
    private struct State {
        /// What is to be written to `service.json`.
        var snapshot: LastRun
        /// What `service.json` contains now; `nil` if it is missing or damaged.
        var saved: LastRun?
        /// Whether it was read: it says when the process before reached NASA.
        var isRead = false
    }

    private let store: Store
    private let changes: ChangeListener
    private let log: Log
    /// Locked while the file is written, so that an older snapshot never replaces a newer one.
    private let state: SharedValue<State>

    /// The longest time, in seconds, for which it is not written that NASA was reached: ``StatusReport/isStale`` needs
    /// such a time within a day, and two polls of a daemon are up to five hours apart.
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
            State(snapshot: LastRun(process: getpid(), settings: settings)))
    }

    /// Records how changes of `favorites/` are detected.
    package func record(_ mode: DirectoryWatcher.Mode) {
        state.withLock { $0.snapshot.record(mode) }
        changes.post(.all)
    }

    /// Records an event of the running sync, which the next call of ``write()`` writes.
    package func record(_ event: SyncEvent) {
        state.withLock { $0.snapshot.sync.record(event) }
    }

    /// Records the result of a sync, and when the daemon's next one is; writes it if the sync `hasNews`, else twice a day.
    package func record(_ summary: SyncSummary, nextSync: Date?, hasNews: Bool) {
        let isDue = state.withLock { state in
            // After an error it is to be written, which reports that.
            try? read(into: &state)
            state.snapshot.lastSuccess = summary.lastSuccess ?? state.snapshot.lastSuccess
            state.snapshot.nextSync = nextSync
            state.snapshot.sync.record(summary)
            guard let saved = state.saved, let written = saved.written else { return true }
            // `abs`: the clock may have been set back. Views that were made during this sync wrote that it runs.
            let isOld = abs(Date().timeIntervalSince(written)) > Self.longestPause
            // After a daemon, the file of a single sync says that none has ended.
            return isOld || saved.sync != nil || saved.settings != state.snapshot.settings
                || saved.watcher != state.snapshot.watcher
        }
        if hasNews || isDue { write() }
    }

    /// Reads what the process before wrote, unless that is done: it would be lost by the first write.
    private func read(into state: inout State) throws(SystemError) {
        guard !state.isRead else { return }
        state.saved = try LastRun.read(from: store.tree)
        state.isRead = true
        state.snapshot.lastSuccess = state.snapshot.lastSuccess ?? state.saved?.lastSuccess
    }

    /// Writes `service.json` if it has changed.
    package func write() {
        do {
            try state.withLock { state in
                try read(into: &state)
                var snapshot = state.snapshot
                // The time of writing alone is no change.
                snapshot.written = state.saved?.written
                guard snapshot != state.saved else { return }
                snapshot.written = Date()
                try store.write(snapshot, to: Layout.service)
                state.saved = snapshot
            }
        } catch {
            log.warning("\(Layout.service) is not updated: \(error)", about: Layout.service)
        }
    }
}
