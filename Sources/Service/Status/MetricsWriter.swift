package import FoundationEssentials
internal import Glibc
package import Mirror
package import Platform
package import Transfer

/// Writes the settings, the syncs and the counters of this process into `service.json`, which ``StatusReport`` reads.
///
/// An error is logged once, and ends nothing.
package struct MetricsWriter: Sendable {
    private struct State {
        /// What is to be written to `service.json`.
        var snapshot: MetricsSnapshot
        /// What that file contains; `nil` if it is missing or cannot be read.
        var saved: MetricsSnapshot?
        /// The error of the last attempt, which is logged once.
        var failure: String?
    }

    private let store: Store
    private let transferMetrics: TransferMetrics
    private let changes: ChangeListener
    private let log: Log
    private let state: SharedValue<State>
    /// Locked by the task that writes.
    private let writing = SharedValue(())

    /// The longest time, in seconds, for which the daemon does not write that it reached NASA: ``StatusReport/isStale``
    /// asks whether it did within a day, and two polls are up to five hours apart.
    private static let daemonPause = 12.0 * 3600

    /// The tree of `store` must be open for writing; `settings` are what the user typed, by the names of options.
    ///
    /// `transferMetrics` continues the counters of the last process; `changes` makes the view service call ``write()``.
    package init(
        _ store: Store, settings: [String: String] = [:], transferMetrics: TransferMetrics,
        changes: ChangeListener, log: Log
    ) {
        self.store = store
        self.transferMetrics = transferMetrics
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

    /// Records the result of a sync of the daemon, and when the next one is; writes it if the sync had news.
    package func record(_ summary: SyncSummary, nextSync: Date) {
        state.withLock { state in
            state.snapshot.lastSuccess = summary.lastSuccess ?? state.snapshot.lastSuccess
            state.snapshot.nextSync = nextSync
            state.snapshot.sync = nil
        }
        // A view round during this sync may have written that it runs, or may be about to.
        let saysItRuns = writing.withLock { _ in state.withLock { $0.saved?.sync != nil } }
        if summary.hasNews || saysItRuns || !isFresh(within: Self.daemonPause) { write() }
    }

    /// Whether the file was written in the last `seconds`.
    private func isFresh(within seconds: Double) -> Bool {
        let written = state.withLock { $0.saved?.written }
        // `abs`: the clock may have been set back.
        return written.map { abs(Date().timeIntervalSince($0)) < seconds } ?? false
    }

    /// Writes after a single sync, which a timer may start each minute.
    ///
    /// A sync that downloaded nothing and had no new failure writes at most once an hour, then also that it reached NASA:
    /// `state.json` has that time once a day.
    package func writeAfterSingleSync(_ summary: SyncSummary, hasDownloaded: Bool) {
        state.withLock { state in
            state.snapshot.lastSuccess = summary.lastSuccess ?? state.snapshot.lastSuccess
        }
        let savedFailures = state.withLock { $0.saved?.count.failures }
        let isChanged = hasDownloaded || transferMetrics.count.failures != savedFailures
        if isChanged || !isFresh(within: 3600) { write() }
    }

    /// Writes `service.json` if it has changed; logs when that begins to fail, and when it succeeds again.
    package func write() { writing.withLock { _ in writeAlone() } }

    private func writeAlone() {
        var failure: String?
        do {
            try save()
        } catch {
            failure = "\(error)"
        }
        let before = state.withLock { state in
            defer { state.failure = failure }
            return state.failure
        }
        if let failure, failure != before {
            log.warning("\(Layout.service) is not updated: \(failure)")
        } else if failure == nil, before != nil {
            log.notice("\(Layout.service) is updated again")
        }
    }

    private func save() throws {
        var (snapshot, saved) = state.withLock { ($0.snapshot, $0.saved) }
        snapshot.count = transferMetrics.count
        // The time of writing alone is no change.
        snapshot.written = saved?.written
        guard snapshot != saved else { return }
        snapshot.written = Date()
        try store.write(snapshot, to: Layout.service)
        state.withLock { [snapshot] in $0.saved = snapshot }
    }
}
