package import FoundationEssentials
internal import Glibc
internal import JSON
package import Mirror
package import Platform
package import Transfer

/// Keeps `service.json` true, and the file of metrics where one is wanted.
///
/// It writes when something has changed, and a moment later, so that many changes are one file.
/// That it cannot write keeps nobody from anything: it is said once.
package struct MetricsService: DaemonService {
    private struct State {
        var vitals: MetricsSnapshot
        var saved: MetricsSnapshot?
        /// What was last said of each file that could not be written.
        var said: [String: String] = [:]
    }

    private let store: Store
    private let transferMetrics: TransferMetrics
    private let news: ChangeListener
    private let metrics: MetricsFile?
    private let log: Log
    private let state: Monitor<State>

    /// More changes come at once after one: a file tells of all of them.
    private static let quiet = Duration.seconds(1)
    /// So many times as long as it takes to write is waited before the next time.
    private static let rarity = 20

    /// - Parameters:
    ///   - store: Of the tree, open for writing.
    ///   - transferMetrics: What is counted.
    ///   - news: When there is something new.
    ///   - metrics: The file for Prometheus.
    ///   - log: Where it tells of files that cannot be written.
    package init(
        _ store: Store, transferMetrics: TransferMetrics, news: ChangeListener,
        metrics: MetricsFile?, log: Log
    ) {
        self.store = store
        self.transferMetrics = transferMetrics
        self.news = news
        self.metrics = metrics
        self.log = log
        let saved = MetricsSnapshot.read(from: store.tree)
        var vitals = MetricsSnapshot(process: getpid())
        vitals.lastSuccess = saved?.lastSuccess
        state = Monitor(State(vitals: vitals, saved: saved))
    }

    /// Notes how changes of `favorites/` are noticed from now on.
    package func note(_ mode: DirectoryWatcher.Mode) {
        state.withLock { $0.vitals.note(mode) }
        news.put(.all)
    }

    /// Notes what a look at NASA came to, and when the next one is.
    package func note(_ summary: SyncSummary, nextLook: Date) {
        state.withLock { state in
            state.vitals.lastSuccess = summary.lastSuccess ?? state.vitals.lastSuccess
            state.vitals.nextLook = nextLook
        }
        news.put(.all)
    }

    /// Returns once the loop has gone round, or the writing got on; see ``Watchdog``.
    package func answer() async throws { try await news.answer() }

    package func run() async throws {
        // Where it is otherwise, that is said by who watches.
        state.withLock { $0.vitals.watcher = $0.vitals.watcher ?? .events }
        var earliest = ContinuousClock.now
        while true {
            _ = try await news.next(notBefore: earliest, settling: Self.quiet)
            let start = ContinuousClock.now
            await news.whileWorking { write() }
            // To count all days takes the longer the more there are; it must not be all that is done.
            earliest = .now + start.duration(to: .now) * Self.rarity
        }
    }

    /// Writes what has changed.
    package func write() {
        attempt(Layout.service) { try save() }
        guard let metrics else { return }
        attempt(metrics.path) {
            try metrics.write(Metrics(try StatusReport(of: store.tree)).text)
        }
    }

    /// Writes after a single look, for which nobody waits: one that found nothing new counts once an hour.
    package func writeOnce(foundSomething: Bool) {
        let (saved, failures) = (state.withLock(\.saved), transferMetrics.count.failures)
        let isFresh = saved?.written.map { abs(Date().timeIntervalSince($0)) < 3600 } ?? false
        if metrics != nil || foundSomething || !isFresh || failures != saved?.count.failures {
            write()
        }
    }

    private func save() throws {
        var (vitals, saved) = state.withLock { ($0.vitals, $0.saved) }
        vitals.count = transferMetrics.count
        vitals.written = saved?.written
        guard vitals != saved else { return }
        vitals.written = Date()
        try store.write(vitals.json, to: Layout.service)
        state.withLock { [vitals] in $0.saved = vitals }
    }

    private func attempt(_ path: String, _ body: () throws -> Void) {
        var trouble: String?
        do {
            try body()
        } catch {
            trouble = "\(error)"
        }
        let before = state.withLock { state in
            defer { state.said[path] = trouble }
            return state.said[path]
        }
        if let trouble, trouble != before {
            log.warning("\(trouble): the figures there are not written, all else goes on")
        } else if trouble == nil, before != nil {
            log.notice("\(path) is written again")
        }
    }
}
