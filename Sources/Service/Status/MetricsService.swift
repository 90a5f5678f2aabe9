package import FoundationEssentials
internal import Glibc
package import Mirror
package import Platform
package import Transfer

/// Writes `service.json`, and the metrics file if one is wanted.
///
/// It writes shortly after a change, so that many changes are written once. A failed write is only
/// reported, once.
package struct MetricsService: DaemonService {
    private struct State {
        var snapshot: MetricsSnapshot
        var saved: MetricsSnapshot?
        /// The last reported error of each file.
        var reported: [String: String] = [:]
    }

    private let store: Store
    private let transferMetrics: TransferMetrics
    let changes: ChangeListener
    private let metrics: MetricsFile?
    private let log: Log
    private let state: Monitor<State>

    /// The delay after a change, to include the changes that follow at once.
    private static let debounce = Duration.seconds(1)

    /// The tree of `store` is open for writing.
    package init(
        _ store: Store, transferMetrics: TransferMetrics, changes: ChangeListener,
        metrics: MetricsFile?, log: Log
    ) {
        self.store = store
        self.transferMetrics = transferMetrics
        self.changes = changes
        self.metrics = metrics
        self.log = log
        let saved = MetricsSnapshot.read(from: store.tree)
        let snapshot = MetricsSnapshot(process: getpid(), lastSuccess: saved?.lastSuccess)
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

    package func run() async throws {
        // If the watcher polls, it reports that itself.
        state.withLock { $0.snapshot.watcher = $0.snapshot.watcher ?? .events }
        var earliest = ContinuousClock.now
        while true {
            _ = try await changes.next(notBefore: earliest, debounce: Self.debounce)
            let work = TimedWork()
            await changes.reportingProgress { write() }
            // Counting takes longer with more days; it must not use all of the time.
            earliest = .now + work.pause
        }
    }

    /// Writes both files if they have changed.
    package func write() {
        attempt(Layout.service) { try save() }
        guard let metrics else { return }
        attempt(metrics.path) {
            try metrics.write(Metrics(try StatusReport(of: store.tree)).text)
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
        try store.write(snapshot.json, to: Layout.service)
        state.withLock { [snapshot] in $0.saved = snapshot }
    }

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
