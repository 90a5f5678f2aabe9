internal import APOD
package import Favorites
package import FoundationEssentials
package import Mirror
package import Platform

/// Watches `favorites/` and reconciles it with the recorded favorites, see ``Favorites``.
///
/// The daemon runs it; commands and a single sync call ``scanOnce()``.
package struct FavoritesService: Sendable {
    /// What the service reports to the daemon.
    package enum Event: Sendable {
        /// The watcher begins or ends to poll.
        case modeChanged(DirectoryWatcher.Mode)
        /// A scan has recorded what is in `favorites/`, and goes on with the pictures.
        case recorded
        /// There are new ``FavoritesService/wantedDays``, or pictures were copied back.
        case syncNeeded
        /// A scan succeeded.
        case reconciled(RescanReason, ReconcileOutcome)
        /// A scan ended, also one that failed, or the first one has taken `startLimit`.
        case scanned
    }

    /// The maximum number of lines of each kind that a scan logs.
    private static let maximumLines = 10

    private let favorites: Favorites
    private let root: Directory
    private let watcher: DirectoryWatcher
    /// What ``wantedDays`` returns.
    private let wanted = SharedValue<Set<Day>>([])
    private let log: Log
    private let changes: ChangeBroadcaster
    private let notify: @Sendable (Event) -> Void
    private let startLimit: Duration

    /// Creates the service of `mirror`, which must be open for writing.
    ///
    /// `now` is the time that records get; `uptime` measures how long a link is missing, whatever the clock shows.
    package init(
        of mirror: Store, log: Log,
        now: @escaping @Sendable () -> Date = { Date() },
        uptime: @escaping @Sendable () -> Uptime = { .now },
        startLimit: Duration = .seconds(30),
        changes: ChangeBroadcaster = ChangeBroadcaster(),
        notify: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        favorites = Favorites(of: mirror, now: now, uptime: uptime)
        root = mirror.tree.root
        self.log = log
        self.startLimit = startLimit
        self.changes = changes
        self.notify = notify
        watcher = DirectoryWatcher(
            of: Layout.favorites, in: root, beside: Layout.requests, by: Scan.rules
        ) { mode in
            log.notice("favorites: \(mode)")
            notify(.modeChanged(mode))
        }
    }

    /// The favorites that are not downloaded yet: they are downloaded first.
    var wantedDays: Set<Day> { wanted.withLock { $0 } }

    /// Scans the folder once; returns the first logged error of a system call, `nil` if there is none.
    @discardableResult package func scanOnce() async -> SystemError? {
        await reconcile(Scan(of: root), after: .scanRequested, isBrief: false).error
    }

    /// Makes ``run()`` scan soon, because of what the program itself did: no more often than others can.
    package func requestScan() { watcher.requestScan() }

    /// Makes ``run()`` scan at once, for a person.
    package func scanNow() { watcher.requestScan(for: .userRequest) }

    /// Scans whenever there is a reason, until the task is cancelled.
    package func run() async {
        var deadline: ContinuousClock.Instant?
        var failures = 0
        let startTimer = Task(executorPreference: ThreadPoolExecutor.shared) {
            try await LoopClock().sleep(for: startLimit)
            notify(.scanned)
        }
        defer { startTimer.cancel() }
        // The first scan watches it, too, and reports errors of the disk.
        _ = try? root.makeDirectory(Layout.requests)
        while let reasons = await watcher.nextReason(by: deadline) {
            let (nextScan, error) = await scanAndReconcile(after: reasons)
            failures = error == nil ? 0 : failures + 1
            deadline = .now + Self.pause(until: nextScan, after: failures)
            startTimer.cancel()
        }
    }

    /// The time until the next scan without another reason; `nextScan` is when something is due, such as a removal.
    private static func pause(until nextScan: Duration?, after failures: Int) -> Duration {
        let next = min(nextScan ?? RetryDelay.favorites, RetryDelay.favorites)
        guard failures > 0 else { return next }
        // What failed may have left something undone that a scan would be due for at once; what does not fail goes on: a
        // link that is gone is removed a minute later.
        let earliest = max(next, Backoff.favorites.delay(after: 1))
        return min(earliest, Backoff.favorites.delay(after: failures))
    }

    /// What a scan leaves to the next one.
    private typealias ScanResult = (nextScan: Duration?, error: SystemError?)

    private func scanAndReconcile(after reasons: RescanReason) async -> ScanResult {
        var scan: Scan
        let start = SuspendingClock.now
        let requests = FavoriteStore.forgetRequests(in: root)
        do throws(SystemError) {
            scan = Scan(try await watcher.scan(), after: requests)
            // One that came before the scan watched the directory causes no event.
            if FavoriteStore.forgetRequests(in: root) != requests {
                watcher.requestScan(for: .requestFile)
            }
        } catch {
            scan = Scan(failing: error)
        }
        scan.duration = start.duration(to: .now)
        return await reconcile(scan, after: reasons, isBrief: true)
    }

    private func reconcile(
        _ scan: Scan, after reasons: RescanReason, isBrief: Bool
    ) async -> ScanResult {
        defer { notify(.scanned) }
        do {
            // A change, and a command of the user, concern few items; other reasons may follow changes of the mirror.
            let checksAll = !reasons.isSubset(of: [.changed, .requestFile])
            let outcome = try await favorites.reconcile(
                scan, checksAll: checksAll, isBrief: isBrief, didRecord: { notify(.recorded) })
            report(outcome)
            let wantsMore = wanted.withLock { wanted in
                defer { wanted = outcome.wanted }
                return !outcome.wanted.isSubset(of: wanted)
            }
            // A sync records that a picture which retention removed is here again.
            if wantsMore || outcome.changedPictures { notify(.syncNeeded) }
            log.debug("favorites: scanned, \(outcome.favorites.count) found")
            notify(.reconciled(reasons, outcome))
            if outcome.hasChanges { changes.broadcast(.favorites) }
            return (outcome.nextScan.map { Duration.seconds($0) }, outcome.failures.first)
        } catch {
            log.error("cannot record the favorites: \(error)")
            return (nil, error)
        }
    }

    /// Logs changes, notices and failures.
    private func report(_ outcome: ReconcileOutcome) {
        logLines(outcome.changes, "more change", with: log.event)
        logLines(outcome.notices, "more notice", with: log.info)
        logLines(outcome.failures, "more failure", with: log.error)
    }

    private func logLines(
        _ items: [some CustomStringConvertible], _ more: String, with write: (String) -> Void
    ) {
        items.map { "\($0)" }.limited(to: Self.maximumLines) { counted($0, more) }
            .forEach { write("favorites: \($0)") }
    }
}
