internal import APOD
package import Favorites
package import FoundationEssentials
package import Mirror
package import Platform

/// Watches `favorites/` and reconciles it with the recorded favorites.
///
/// Each ``RescanReason`` starts a scan. After a change or a new request, only changed items are checked
/// against their files; after all other reasons, every item is.
package struct FavoritesService: DaemonService {
    private let favorites: Favorites
    private let root: Directory
    private let watcher: DirectoryWatcher
    /// What ``wantedDays`` returns.
    private let wanted = Monitor<Set<Day>>([])
    private let log: Log
    private let changes: ChangeBroadcaster
    private let requestSync: @Sendable () -> Void
    let heartbeat = Heartbeat("the favorites service")
    /// The callers of ``scanNow()`` that wait for the next scan.
    private let waiting = Monitor<[CancellableContinuation]>([])
    private let didReconcile: @Sendable (RescanReason, ReconcileOutcome) -> Void
    private let isReady: @Sendable () -> Void
    private let startLimit: Duration

    /// The tree is open for writing.
    ///
    /// `requestSync` is called for new ``wantedDays``; `didReconcile` after each successful scan; `isReady`
    /// after each scan, and once the first has taken `startLimit`; `checkSpace` before a picture is copied.
    package init(
        tree: Tree, log: Log,
        now: @escaping @Sendable () -> Date = { Date() },
        uptime: @escaping @Sendable () -> Uptime = { .now },
        startLimit: Duration = .seconds(30),
        changes: ChangeBroadcaster = ChangeBroadcaster(),
        requestSync: @escaping @Sendable () -> Void = {},
        didChangeMode: @escaping @Sendable (DirectoryWatcher.Mode) -> Void = { _ in },
        didReconcile: @escaping @Sendable (RescanReason, ReconcileOutcome) -> Void = { _, _ in },
        isReady: @escaping @Sendable () -> Void = {},
        checkSpace: @escaping @Sendable (_ bytes: Int) throws(SystemError) -> Void = { _ in }
    ) {
        favorites = Favorites(tree: tree, now: now, uptime: uptime, checkSpace: checkSpace)
        root = tree.root
        self.log = log
        self.isReady = isReady
        self.startLimit = startLimit
        self.changes = changes
        self.requestSync = requestSync
        self.didReconcile = didReconcile
        watcher = DirectoryWatcher(
            of: Layout.favorites, in: tree.root, beside: Layout.requests, by: Scan.rules
        ) { mode in
            log.notice("favorites: \(mode)")
            didChangeMode(mode)
        }
    }

    /// The longest time between two scans, in seconds.
    private static let longestPause = 3600.0

    /// The maximum number of changes that are logged one by one.
    private static let maximumLines = 10
    /// Above this number of items a scan takes megabytes of memory, which are released afterwards.
    private static let largeScan = 10_000

    /// The favorites that are not downloaded yet: they are downloaded first.
    var wantedDays: Set<Day> { wanted.withLock { $0 } }

    /// Scans the folder once; returns the first logged error of a system call, `nil` if there is none.
    @discardableResult package func scanOnce() async -> SystemError? {
        await reconcile(Scan(of: root), after: .scanRequested, readLimit: .max).error
    }

    package func requestScan() { watcher.requestScan() }

    /// Requests a scan, which begins afterwards, and waits until it has finished.
    package func scanNow() async throws {
        let continuation = CancellableContinuation()
        waiting.withLock { $0.append(continuation) }
        watcher.requestScan()
        try await continuation.wait()
    }

    /// Scans for every ``RescanReason``, until the task is cancelled.
    package func run() async {
        var deadline: ContinuousClock.Instant?
        let startTimer = Task(executorPreference: ThreadPoolExecutor.shared) {
            try await LoopClock().sleep(for: startLimit)
            isReady()
        }
        defer { startTimer.cancel() }
        await heartbeat.signallingOpenedFiles {
            // Before the first scan, which sets its watch; errors of the disk are reported by the scan.
            _ = try? root.makeDirectory(Layout.requests)
            while let reason = await heartbeat.whileWaiting(
                until: deadline, { await watcher.nextReason(by: deadline) })
            {
                // Before the scan: later callers of scanNow() wait for the next one.
                let callers = reason.contains(.scanRequested) ? takeWaiting() : []
                deadline = .now + .seconds(await scanAndReconcile(after: reason))
                startTimer.cancel()
                for continuation in callers { continuation.resume() }
            }
        }
    }

    private func takeWaiting() -> [CancellableContinuation] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }

    /// - Returns: The maximum number of seconds until the next scan.
    private func scanAndReconcile(after reason: RescanReason) async -> Double {
        let scan: Scan
        do throws(SystemError) {
            scan = Scan(try await watcher.scan())
        } catch {
            scan = Scan(failing: error)
        }
        let isLarge = scan.items.count > Self.largeScan
        let pause = await reconcile(scan, after: reason, readLimit: Favorites.readLimit).pause
        if isLarge { returnFreeMemory() }
        return pause
    }

    /// - Returns: The maximum number of seconds until the next scan, and what ``scanOnce()`` returns.
    private func reconcile(
        _ scan: Scan, after reason: RescanReason, readLimit: Int
    ) async -> (pause: Double, error: SystemError?) {
        defer { isReady() }
        do {
            let checksAll = !reason.isSubset(of: [.changed, .requestFile])
            let outcome = try await favorites.reconcile(
                scan, checksAll: checksAll, readLimit: readLimit)
            report(outcome)
            let wantsMore = wanted.withLock { wanted in
                defer { wanted = outcome.wanted }
                return !outcome.wanted.isSubset(of: wanted)
            }
            if wantsMore { requestSync() }
            if outcome.hasChanges { changes.broadcast(.favorites) }
            log.debug("favorites: scanned, \(outcome.favorites.count) found")
            didReconcile(reason, outcome)
            return (
                min(outcome.nextScan ?? Self.longestPause, Self.longestPause),
                outcome.failures.first
            )
        } catch {
            log.error("cannot record the favorites: \(error); the next scan is in a minute")
            return (RetryDelay.favorites / .seconds(1), error)
        }
    }

    /// Logs changes, messages and failures, a limited number of lines each.
    private func report(_ outcome: ReconcileOutcome) {
        for line in Self.limited(outcome.events.filter(\.isChange).map(\.description)) {
            log.event("favorites: \(line)")
        }
        for line in Self.limited(outcome.events.filter { !$0.isChange }.map(\.description)) {
            log.info("favorites: \(line)")
        }
        for failure in outcome.failures {
            log.error("favorites: \(failure); the next scan is in a minute")
        }
    }

    private static func limited(_ lines: [String]) -> [String] {
        lines.count <= maximumLines
            ? lines
            : lines.prefix(maximumLines) + ["and \(lines.count - maximumLines) more changes"]
    }
}
