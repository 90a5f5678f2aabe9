internal import APOD
package import Favorites
package import FoundationEssentials
package import Mirror
package import Platform

/// Watches `favorites/` and reconciles it with the recorded favorites, see ``Favorites``.
///
/// The daemon calls ``run()``; commands and a single sync call ``scanOnce()``.
package struct FavoritesService: Sendable {
    /// What the service reports to the daemon.
    package enum Event: Sendable {
        /// The watcher now waits for events of the kernel, or now polls.
        case modeChanged(DirectoryWatcher.Mode)
        /// A scan has recorded which favorites there are. It still has to look for their pictures.
        case recorded
        /// A sync is needed, because there are new ``FavoritesService/wantedFavorites``, or pictures were copied back.
        case syncNeeded
        /// A scan succeeded.
        case reconciled(RescanReason, ReconcileOutcome)
        /// A scan has ended; the error is the first one because of which not all favorites could be read or recorded.
        case scanEnded(SystemError?)
        /// Nothing is to wait for the first scan any more: it takes longer than `startLimit`, or will never come.
        case startLimitReached
    }

    private struct FoundFavorites {
        var all: Set<Day> = []
        /// Those that are not downloaded yet.
        var wanted: Set<Day> = []
    }

    /// The maximum number of lines about changes that a scan logs; also of those about notices, and about failures.
    private static let maximumLines = 10

    private let favorites: Favorites
    private let tree: Tree
    private let watcher: DirectoryWatcher
    /// What the last scan found.
    private let found = SharedValue(FoundFavorites())
    private let log: Log
    private let changes: ChangeBroadcaster
    private let notify: @Sendable (Event) -> Void
    private let startLimit: Duration

    /// - Parameters:
    ///   - mirror: The mirror, which must be open for writing.
    ///   - log: Gets a line for each favorite that was added or removed.
    ///   - now: The time for records.
    ///   - uptime: Measures how long a link is missing: unlike a clock, nobody can set it.
    ///   - startLimit: The longest time for which the start of the daemon waits for the first scan.
    ///   - changes: Notified of new, removed and renamed favorites.
    ///   - notify: Receives the events of ``run()`` in their order.
    package init(
        of mirror: Store, log: Log,
        now: @escaping @Sendable () -> Date = { Date() },
        uptime: @escaping @Sendable () -> Uptime = { .now },
        startLimit: Duration = .seconds(30),
        changes: ChangeBroadcaster = ChangeBroadcaster(),
        notify: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        favorites = Favorites(of: mirror, now: now, uptime: uptime)
        tree = mirror.tree
        self.log = log
        self.startLimit = startLimit
        self.changes = changes
        self.notify = notify
        watcher = DirectoryWatcher(
            of: Layout.favorites, in: tree.root, beside: Layout.requests, by: Scan.rules
        ) { mode in
            log.notice("favorites: \(mode)")
            notify(.modeChanged(mode))
        }
    }

    /// The favorites that are not downloaded yet; a sync downloads them first.
    var wantedFavorites: Set<Day> { found.withLock(\.wanted) }

    /// All favorites that the last scan found.
    var scannedFavorites: Set<Day> { found.withLock(\.all) }

    /// Scans the folder once; returns the first failure, such as an unreadable `favorites/`, or `nil` after a success.
    @discardableResult package func scanOnce() async -> WriteFailure? {
        let scan = Scan(of: tree.root)
        let result = await reconcile(scan, after: .requestedByProgram, isBrief: false)
        return (result.error ?? scan.folderError).map(WriteFailure.ofFavorites)
    }

    /// Makes ``run()`` scan soon, after something that the program itself did.
    package func requestScan() { watcher.requestScan() }

    /// Makes ``run()`` scan at once, because a person waits for it.
    package func requestScanForUser() { watcher.requestScan(for: .requestedByUser) }

    /// Scans whenever there is a reason, until the task is cancelled, or the mirror is no longer at its path.
    package func run() async throws(TreeError) {
        let startTimer = Task(executorPreference: ThreadPoolExecutor.shared) {
            try await LoopClock().sleep(for: startLimit)
            notify(.startLimitReached)
        }
        defer { startTimer.cancel() }
        // Commands put requests into this directory, which the watcher watches, too. If it cannot be made, the first scan also
        // fails, and reports the error of the disk.
        _ = try? tree.root.makeDirectory(Layout.requests)
        do throws(TreeError) {
            try await scanRepeatedly(didScan: startTimer.cancel)
        } catch {
            // The start of the daemon must not wait for a scan that never comes.
            notify(.startLimitReached)
            throw error
        }
    }

    private func scanRepeatedly(didScan: () -> Void) async throws(TreeError) {
        var deadline: ContinuousClock.Instant?
        var failures = 0
        while let reasons = await watcher.nextReason(by: deadline) {
            if let absence = try errorOfAbsence() {
                if failures == 0 { log.error("favorites: \(absence)") }
                // The watcher needs a scan after each reason; nothing is recorded. The start goes on after its limit.
                _ = try? await watcher.scan()
                failures += 1
                deadline = .now + Self.pause(untilDue: nil, failures: failures)
                continue
            }
            let result = await scanAndReconcile(after: reasons)
            failures = result.error == nil ? 0 : failures + 1
            deadline = .now + Self.pause(untilDue: result.timeUntilDue, failures: failures)
            didScan()
        }
    }

    /// Why the mirror has no hidden directory now, in which the results of a scan are recorded; `nil` if it has one.
    ///
    /// - Throws: ``TreeError`` if another mirror is at its path, to which another process may write.
    private func errorOfAbsence() throws(TreeError) -> TreeError? {
        do throws(TreeError) {
            try tree.checkIsInPlace()
            return nil
        } catch .gone(let path) {
            // A mirror that was moved is still whole, and may be back in a minute. Otherwise, the next sync ends the daemon.
            let isWhole = (try? tree.root.status(Layout.marker)) != nil
            return isWhole ? nil : .gone(path)
        }
    }

    /// The time until the next scan if there is no other reason for one.
    ///
    /// `timeUntilDue` is the time until something must be done, such as the removal of a favorite a minute after its link;
    /// `failures` is the number of scans in a row that failed.
    private static func pause(untilDue timeUntilDue: Duration?, failures: Int) -> Duration {
        let next = min(timeUntilDue ?? RetryDelay.nextFavoriteScan, RetryDelay.nextFavoriteScan)
        guard failures > 0 else { return next }
        // What failed may be due at once, again and again: the backoff delays it. Other things that are due, such as a
        // removal, do not wait for the end of a long backoff.
        let earliest = max(next, Backoff.favorites.delay(after: 1))
        return min(earliest, Backoff.favorites.delay(after: failures))
    }

    private struct ScanResult {
        /// The time until something must be done, such as a removal; `nil` if nothing must.
        var timeUntilDue: Duration?
        /// The first error of a system call; `nil` if everything succeeded.
        var error: SystemError?
    }

    private func scanAndReconcile(after reasons: RescanReason) async -> ScanResult {
        var scan: Scan
        let start = SuspendingClock.now
        let requests = FavoriteStore.forgetRequests(in: tree.root)
        do throws(SystemError) {
            scan = Scan(try await watcher.scan(), after: requests)
            // A request from before the scan began to watch the directory causes no event.
            if FavoriteStore.forgetRequests(in: tree.root) != requests {
                watcher.requestScan(for: .requestedByCommand)
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
        // A change or a command concerns few items. After other reasons, anything in the mirror may have changed.
        let checksAll = !reasons.isSubset(of: [.changed, .requestedByCommand])
        let outcome: ReconcileOutcome
        do {
            outcome = try await favorites.reconcile(
                scan, checksAll: checksAll, isBrief: isBrief, didRecord: { notify(.recorded) })
        } catch {
            log.error("cannot record the favorites: \(error)")
            notify(.scanEnded(error))
            return ScanResult(error: error)
        }
        report(outcome)
        let hasNewWanted = recordFound(by: outcome)
        // If a picture that --keep removed was copied back, only a sync records that it is here.
        if hasNewWanted || outcome.didRestorePictures { notify(.syncNeeded) }
        log.debug("favorites: scanned, \(outcome.favorites.count) found")
        notify(.reconciled(reasons, outcome))
        if outcome.didChangeRecords { changes.broadcast(.favorites) }
        notify(.scanEnded(outcome.failures.first))
        return ScanResult(timeUntilDue: outcome.timeUntilNextScan, error: outcome.failures.first)
    }

    /// Replaces what the last scan found; returns whether there are wanted favorites that it had not.
    private func recordFound(by outcome: ReconcileOutcome) -> Bool {
        found.withLock { found in
            let hasNewWanted = !outcome.wanted.isSubset(of: found.wanted)
            found = FoundFavorites(all: Set(outcome.favorites.keys), wanted: outcome.wanted)
            return hasNewWanted
        }
    }

    private func report(_ outcome: ReconcileOutcome) {
        logLines(about: outcome.changeLines, "change", with: log.event)
        logLines(about: outcome.notices, "notice", with: log.info)
        logLines(about: outcome.failures, "failure", with: log.error)
    }

    private func logLines(
        about items: [some CustomStringConvertible], _ noun: String, with write: (String) -> Void
    ) {
        items.map { "\($0)" }.limited(to: Self.maximumLines) { counted($0, "more \(noun)") }
            .forEach { write("favorites: \($0)") }
    }
}
