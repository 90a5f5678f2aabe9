package import FoundationEssentials
internal import Glibc
package import Mirror
package import Platform
package import Transfer

/// Writes the settings, the syncs and the counters of this process into `service.json`, which ``StatusReport`` reads,
/// and the whole report into the metrics file, if the user named one.
///
/// An error is logged once, and ends nothing. Only one task of one process writes at a time: the view service of the
/// daemon, or a single sync.
package struct MetricsWriter: Sendable {
    private struct State {
        /// What is to be written to `service.json`.
        var snapshot: MetricsSnapshot
        /// What that file contains; `nil` if it is missing or cannot be read.
        var saved: MetricsSnapshot?
        /// The last logged error of each file, by its path.
        var errors: [String: String] = [:]
    }

    private let store: Store
    private let transferMetrics: TransferMetrics
    private let changes: ChangeListener
    private let metricsFile: MetricsFile?
    private let log: Log
    private let state: SharedValue<State>

    /// The tree of `store` must be open for writing; `settings` are what the user typed, by the names of options.
    ///
    /// `transferMetrics` continues the counters of the last process; `changes` makes the view service call ``write()``.
    package init(
        _ store: Store, settings: [String: String] = [:], transferMetrics: TransferMetrics,
        changes: ChangeListener, metricsFile: MetricsFile?, log: Log
    ) {
        self.store = store
        self.transferMetrics = transferMetrics
        self.changes = changes
        self.metricsFile = metricsFile
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

    /// Records the result of a sync, and when the next one is.
    package func record(_ summary: SyncSummary, nextSync: Date) {
        state.withLock { state in
            state.snapshot.lastSuccess = summary.lastSuccess ?? state.snapshot.lastSuccess
            state.snapshot.nextSync = nextSync
        }
        changes.post(.all)
    }

    /// Writes `service.json` if it has changed, and the metrics file.
    package func write() {
        attempt(Layout.service) { try save() }
        guard let metricsFile else { return }
        attempt(metricsFile.path) {
            let days = try store.snapshots.current()
            try metricsFile.write(try StatusReport(of: store.tree, days: days).metrics)
        }
    }

    /// Writes after a single sync, which a timer may start each minute.
    ///
    /// Without a metrics file, a sync that downloaded nothing and had no new failure writes at most once an hour.
    package func writeAfterSingleSync(hasDownloaded: Bool) {
        let (saved, failures) = (state.withLock(\.saved), transferMetrics.count.failures)
        // `abs`: the clock may have been set back.
        let isFresh = saved?.written.map { abs(Date().timeIntervalSince($0)) < 3600 } ?? false
        if metricsFile != nil || hasDownloaded || !isFresh || failures != saved?.count.failures {
            write()
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

    /// Writes the file at `path` by `body`; logs when that begins to fail, and when it succeeds again.
    private func attempt(_ path: String, _ body: () throws -> Void) {
        var failure: String?
        do {
            try body()
        } catch {
            failure = "\(error)"
        }
        let before = state.withLock { state in
            defer { state.errors[path] = failure }
            return state.errors[path]
        }
        if let failure, failure != before {
            log.warning("\(path) is not updated: \(failure)")
        } else if failure == nil, before != nil {
            log.notice("\(path) is updated again")
        }
    }
}
