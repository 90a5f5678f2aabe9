internal import APOD
internal import Favorites
internal import Maintenance
package import Mirror
package import Platform
internal import Thumbnails
internal import Views

/// All parts of the program that work on one mirror: ``run()`` runs them as a daemon, ``runOnce(showing:)`` for a single sync.
///
/// The parts do not know each other. Each reports what it did, and `MirrorAssembly` and ``MirrorContext`` tell the others.
package struct MirrorAssembly: Sendable {
    private let context: MirrorContext
    private let lastRun: LastRunWriter
    private let verification: Verification
    private let favorites: FavoritesService
    private let synchronizer: Synchronizer
    /// `nil` if the settings want no thumbnails.
    private let thumbnails: ThumbnailService?
    private let views: ViewService
    /// `nil` if the settings have no `--on-new`.
    private let newDay: NewDayService?
    /// Called after each sync of the daemon with what kept all days away; with `nil` if nothing did.
    private let reportObstacle: @Sendable (Obstacle?) -> Void

    /// Makes the parts in the order in which they need each other; `tree` must be open for writing.
    package init(
        _ settings: Settings, tree: Tree, log: Log, notifying manager: ServiceManager,
        reportObstacle: @escaping @Sendable (Obstacle?) -> Void
    ) throws {
        self.reportObstacle = reportObstacle
        let context = try MirrorContext(settings, tree: tree, log: log, manager: manager)
        self.context = context
        Self.warnIfSinceIsInFuture(context)
        lastRun = LastRunWriter(
            context.store, settings: settings.typed, changes: context.viewChanges, log: log)
        verification = Verification(context.store)
        favorites = context.makeFavorites(reportingTo: lastRun)
        synchronizer = context.makeSynchronizer(favorites: favorites, verification: verification)
        let maker = settings.views.makesThumbnails ? Thumbnails(store: context.store) : nil
        thumbnails = maker.map { [lastRun] maker in
            ThumbnailService(thumbnails: maker, log: log, changes: context.changes) { summary in
                // The rounds until the next attempt do not show that the file can be written.
                guard summary.writeFailure != nil || !maker.hasDiskErrors else { return }
                lastRun.record(summary.writeFailure, of: .thumbnails)
            }
        }
        newDay = settings.onNew.map { command in
            NewDayService(
                command: command, thumbnails: maker, store: context.store, log: log,
                changes: context.changes)
        }
        // Called before the first sync: only a day that the sync finds is new.
        newDay?.recordPresentDayAsDone()
        views = context.makeViews(
            thumbnails: maker, lastRun: lastRun, favorites: favorites, newDay: newDay)
    }

    /// Logs a warning if `--since` is in the future; that is no error, because the clock may be behind.
    private static func warnIfSinceIsInFuture(_ context: MirrorContext) {
        // An error is ignored here, because the first sync reads the same file and reports it.
        guard case .day(let day) = context.settings.since, let state = try? context.store.state(),
            day.isFuture(newest: state.newest)
        else { return }
        context.log.warning("--since: \(day) is in the future; no day before it is mirrored")
    }

    // MARK: The daemon

    /// Runs all services concurrently until the task is cancelled or one of them throws.
    ///
    /// Cancellation is the only shutdown. Neither cancellation nor an error leaves a partial file.
    package func run() async throws {
        // `favorites/` counts as watched by events of the kernel, until its service reports that it must poll.
        lastRun.record(.events)
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await favorites.run() }
            if let watchdog = context.manager.watchdog {
                group.addTask { try await watchdog.run() }
            }
            // The first sync may take hours, and meanwhile `status` needs the settings of this process.
            lastRun.write()
            try await context.start.firstRecords.wait()
            // Units that systemd starts after the daemon may rely on the watch of favorites/.
            context.notifier.ready()
            context.start.isReady.withLock { $0 = true }
            // The first sync begins with the favorites: it needs the result of the first scan, which other services would delay.
            try await context.start.firstScan.wait()
            let verifier = makeVerificationService()
            group.addTask { try await makeMirrorService(verifier).run() }
            group.addTask { try await verifier.run() }
            group.addTask { try await views.run() }
            if let thumbnails { group.addTask { try await thumbnails.run() } }
            if let newDay { group.addTask { try await newDay.run() } }
            // A service ends only by an error, which this throws, or after a cancellation.
            try await group.next()
        }
    }

    private func makeVerificationService() -> VerificationService {
        VerificationService(
            verification: verification, log: context.log, changes: context.changes,
            requestScan: favorites.requestScan,
            requestSync: { [wakeReasons = context.wakeReasons] in wakeReasons.send(.request) })
    }

    private func makeMirrorService(_ verifier: VerificationService) -> MirrorService {
        MirrorService(
            synchronizer: synchronizer, schedule: Schedule(mirror: context.tree.id),
            log: context.log, wakeReasons: context.wakeReasons, changes: context.changes
        ) { event in
            switch event {
            case .syncBegins: newDay?.syncWillBegin()
            case .sync(let event):
                lastRun.record(event)
                context.notifier.update { $0.record(event) }
            case .syncEnded(let summary): didSync(summary, verifier)
            case .waits(let summary, let next):
                lastRun.record(summary, nextSync: next, hasNews: summary.hasNews)
            }
        }
    }

    private func didSync(_ summary: SyncSummary, _ verifier: VerificationService) {
        context.store.snapshots.release(holdingUntilMidnight: true)
        context.notifier.update { $0.record(summary) }
        reportObstacle(summary.obstacle)
        verifier.syncDidEnd(summary)
        guard summary.hasNews else { return }
        favorites.requestScan()
        context.viewChanges.post(.days)
    }

    /// Requests a sync, a scan of the favorites and an update of all views, and waits for none of them.
    package func reload() {
        // During the start, systemd would take the `.ready` below for the end of the start.
        let isReady = context.start.isReady.withLock(\.self)
        if isReady { context.manager.notify(.reloading) }
        // A person may have changed the tree.
        context.store.snapshots.invalidate()
        context.wakeReasons.send(.request)
        favorites.requestScanForUser()
        context.changes.broadcast(.all)
        if isReady { context.manager.notify(.ready) }
    }

    // MARK: A single run

    /// Syncs once, and does what the services of the daemon do before and after a sync; verifies only days with known damage.
    ///
    /// `show` consumes the events of the sync, shows `receivedBytes`, and returns the summary of the sync.
    package func runOnce(
        showing show: (SyncEvents, _ receivedBytes: SharedValue<Int>) async -> SyncSummary
    ) async -> SingleRun {
        var run = SingleRun()
        // The sync first downloads the favorites that this scan finds; the scan after the sync pins their pictures.
        let errorBefore = await favorites.scanOnce()
        run.summary = await syncBesideThumbnails(show)
        context.store.snapshots.release()
        let errorAfter = await favorites.scanOnce()
        // If both scans failed, the cause is mostly the same, such as a full disk: one error is reported.
        if let error = errorAfter ?? errorBefore {
            run.failures.append(WriteFailure(ofFavorites: error))
        }
        verifyDaysWithDamage()
        if let thumbnails, !Task.isCancelled {
            let summary = await thumbnails.makeMissing()
            // It is no failure if the thumbnailer is not installed.
            run.thumbnails = thumbnails.isAvailable ? summary : nil
        }
        // `SyncSummary.hasNews` does not help here: it is true after each walk over the tree, and a single sync always walks. A
        // run that received nothing, as without a network, has no news.
        let hasReceived = synchronizer.traffic.withLock { $0 > 0 }
        lastRun.record(run.summary, nextSync: nil, hasNews: hasReceived)
        let round = await views.update()
        run.failures += round.failures
        lastRun.record(round)
        await newDay?.runIfDue()
        return run
    }

    private func syncBesideThumbnails(
        _ show: (SyncEvents, SharedValue<Int>) async -> SyncSummary
    ) async -> SyncSummary {
        await withTaskGroup(of: Void.self) { group in
            // Errors are ignored: the service logs them, and the thumbnails are tried again after the sync.
            group.addTask { try? await thumbnails?.run() }
            defer { group.cancelAll() }
            return await show(synchronizer.sync(retry: .anyFailure), synchronizer.traffic)
        }
    }

    /// Verifies the days with known damage again, because the sync may have repaired them.
    private func verifyDaysWithDamage() {
        let days = verification.daysWithDamage
        guard !days.isEmpty, !Task.isCancelled else { return }
        do {
            _ = try verification.verify(days)
        } catch {
            context.log.error("apod-mirror: cannot verify damaged days: \(error)")
        }
    }
}

/// The result of ``MirrorAssembly/runOnce(showing:)``.
package struct SingleRun: Sendable {
    package var summary = SyncSummary()
    /// `nil` if no thumbnails were to be made, their program is not installed, or the run was interrupted.
    package var thumbnails: ThumbnailSummary?
    package var failures: [WriteFailure] = []
}

extension LastRunWriter {
    /// Records what an update of the views could not write.
    func record(_ round: ViewService.Round) {
        if let paths = round.inTheWay { record(inTheWay: paths) }
        // A view that was not updated before the end of the process has not failed.
        if !Task.isCancelled { record(round.failures.first, of: .views) }
    }
}

/// A failure to write records, thumbnails or views.
package struct WriteFailure: Hashable, Sendable {
    /// The sentence to log: `cannot update the gallery: no space left on device`.
    package let text: String
    /// `nil` if no system call failed.
    package let error: SystemError?

    /// The sentence with what to do.
    func advice(in tree: Tree) -> String {
        error.flatMap(tree.remedy).map { "\(text); \($0)" } ?? text
    }
}

extension WriteFailure {
    init(ofFavorites error: SystemError) {
        self.init(text: "cannot record all favorites: \(error)", error: error)
    }
}
