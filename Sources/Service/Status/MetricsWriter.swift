package import FoundationEssentials
internal import Glibc
package import Mirror
package import Platform

/// Writes the settings and the syncs of this process into `service.json`, which ``StatusReport`` reads.
///
/// A failure is logged once, and does not end the process.
package struct MetricsWriter: Sendable {
    private struct State {
        /// What is to be written to `service.json`.
        var snapshot: MetricsSnapshot
        /// What `service.json` contains now; `nil` if it is missing or cannot be read.
        var saved: MetricsSnapshot?
        /// The error of the last attempt, which is logged once.
        var failure: String?
    }

    private let store: Store
    private let changes: ChangeListener
    private let log: Log
    private let state: SharedValue<State>
    /// Locked by the task that writes the file, so that an older snapshot never replaces a newer one.
    private let writing = SharedValue(())

    /// The longest time, in seconds, for which it is not written that NASA was reached: ``StatusReport/isStale`` asks
    /// whether it was within a day, and two polls of a daemon are up to five hours apart.
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
        let saved = MetricsSnapshot.read(from: store.tree)
        let snapshot = MetricsSnapshot(
            process: getpid(), settings: settings, lastSuccess: saved?.lastSuccess)
        state = SharedValue(State(snapshot: snapshot, saved: saved))
    }

    /// Records how changes of `favorites/` are detected.
    package func record(_ mode: DirectoryWatcher.Mode) {
        state.withLock { $0.snapshot.record(mode) }
        changes.post(.all)
    }

    /// Records an event of the running sync, which the next call of ``write()`` writes.
    package func record(_ event: SyncEvent) {
        state.withLock { $0.snapshot.record(event, at: Date()) }
    }

    /// Records the result of a sync, and when the daemon's next one is; writes it if the sync `hasNews`, else twice a day.
    package func record(_ summary: SyncSummary, nextSync: Date?, hasNews: Bool) {
        state.withLock { state in
            state.snapshot.lastSuccess = summary.lastSuccess ?? state.snapshot.lastSuccess
            state.snapshot.nextSync = nextSync
            state.snapshot.sync = nil
        }
        // When views are made during this sync, the file is written, too, and says that the sync runs.
        let saysSyncRuns = writing.withLock { _ in state.withLock { $0.saved?.sync != nil } }
        if hasNews || saysSyncRuns || !isFresh { write() }
    }

    private var isFresh: Bool {
        let written = state.withLock { $0.saved?.written }
        // `abs`: the clock may have been set back.
        return written.map { abs(Date().timeIntervalSince($0)) < Self.longestPause } ?? false
    }

    /// Writes `service.json` if it has changed; logs when that begins to fail, and when it succeeds again.
    package func write() { writing.withLock { _ in writeLocked() } }

    private func writeLocked() {
        var failure: String?
        do {
            try save()
        } catch {
            failure = "\(error)"
        }
        let earlierFailure = state.withLock { state in
            defer { state.failure = failure }
            return state.failure
        }
        if let failure, failure != earlierFailure {
            log.warning("\(Layout.service) is not updated: \(failure)")
        } else if failure == nil, earlierFailure != nil {
            log.notice("\(Layout.service) is updated again")
        }
    }

    private func save() throws {
        var (snapshot, saved) = state.withLock { ($0.snapshot, $0.saved) }
        // The time of writing alone is no change.
        snapshot.written = saved?.written
        guard snapshot != saved else { return }
        snapshot.written = Date()
        try store.write(snapshot, to: Layout.service)
        state.withLock { [snapshot] in $0.saved = snapshot }
    }
}
