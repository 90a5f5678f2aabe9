package import FoundationEssentials
internal import Glibc
package import Mirror
package import Platform
package import Transfer

/// Writes `service.json`, and the metrics file if one is wanted; a failed write is only reported, once.
package struct MetricsWriter: Sendable {
    private struct State {
        /// What is to be written to `service.json`.
        var snapshot: MetricsSnapshot
        /// What that file contains; `nil` if it cannot be read.
        var saved: MetricsSnapshot?
        /// The last reported error of each file.
        var reported: [String: String] = [:]
    }

    private let store: Store
    private let transferMetrics: TransferMetrics
    private let changes: ChangeListener
    private let metrics: MetricsFile?
    private let log: Log
    private let state: Monitor<State>

    /// The tree of `store` is open for writing; `changes` is notified of each change of what is written.
    package init(
        _ store: Store, settings: [String: String] = [:], transferMetrics: TransferMetrics,
        changes: ChangeListener, metrics: MetricsFile?, log: Log
    ) {
        self.store = store
        self.transferMetrics = transferMetrics
        self.changes = changes
        self.metrics = metrics
        self.log = log
        let saved = MetricsSnapshot.read(from: store.tree)
        let snapshot = MetricsSnapshot(
            process: getpid(), settings: settings, lastSuccess: saved?.lastSuccess)
        state = Monitor(State(snapshot: snapshot, saved: saved))
    }

    /// Records how changes of `favorites/` are detected.
    package func record(_ mode: DirectoryWatcher.Mode) {
        state.withLock { $0.snapshot.record(mode) }
        changes.post(.all)
    }

    package func record(_ summary: SyncSummary, nextSync: Date) {
        state.withLock { state in
            state.snapshot.lastSuccess = summary.lastSuccess ?? state.snapshot.lastSuccess
            state.snapshot.nextSync = nextSync
        }
        changes.post(.all)
    }

    /// Writes both files if they have changed; `isWatching` means that changes of `favorites/` are detected.
    package func write(isWatching: Bool = false) {
        // If the watcher polls, it reports that itself.
        if isWatching {
            state.withLock { $0.snapshot.watcher = $0.snapshot.watcher ?? .events }
        }
        attempt(Layout.service) { try save() }
        guard let metrics else { return }
        attempt(metrics.path) {
            let days = try store.snapshots.current()
            try metrics.write(try StatusReport(of: store.tree, days: days).metrics)
        }
    }

    /// Writes after a single sync; if it found nothing new, at most once an hour.
    package func writeOnce(hasDownloaded: Bool) {
        let (saved, failures) = (state.withLock(\.saved), transferMetrics.count.failures)
        let isFresh = saved?.written.map { abs(Date().timeIntervalSince($0)) < 3600 } ?? false
        if metrics != nil || hasDownloaded || !isFresh || failures != saved?.count.failures {
            write()
        }
    }

    private func save() throws {
        var (snapshot, saved) = state.withLock { ($0.snapshot, $0.saved) }
        snapshot.count = transferMetrics.count
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
            defer { state.reported[path] = failure }
            return state.reported[path]
        }
        if let failure, failure != before {
            log.warning("\(failure); its metrics are not updated")
        } else if failure == nil, before != nil {
            log.notice("\(path) is updated again")
        }
    }
}
