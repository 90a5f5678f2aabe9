internal import APOD
internal import Favorites
internal import Maintenance
package import Mirror
package import Platform
internal import Thumbnails
internal import Views

/// All parts of the program that work on one mirror: ``run()`` runs them as a daemon, ``runOnce(showing:)`` for a single sync.
///
/// The parts do not know each other: what one of them reports, `MirrorAssembly` and ``MirrorContext`` pass on to others.
package struct MirrorAssembly: Sendable {
    let context: MirrorContext
    let lastRun: LastRunWriter
    let verification: Verification
    let favorites: FavoritesService
    let synchronizer: Synchronizer
    /// `nil` if the settings want no thumbnails.
    let thumbnails: ThumbnailService?
    let views: ViewService
    /// `nil` if the settings have no `--on-new`.
    let newDay: NewDayService?
    /// The note of the daemon; `nil` for a single sync.
    private let note: ServiceNoteWriter?

    /// Makes the parts in the order in which they need each other; `tree` must be open for writing.
    package init(
        _ settings: Settings, tree: Tree, log: Log, notifying manager: ServiceManager,
        note: ServiceNoteWriter?
    ) throws {
        self.note = note
        let context = try MirrorContext(settings, tree: tree, log: log, manager: manager)
        self.context = context
        Self.warnIfSinceIsInFuture(context)
        lastRun = LastRunWriter(
            context.store, settings: settings.typed, changes: context.viewChanges, log: log
        ) { service, failure, begins in
            note?.record(failure, of: service)
            // The disk may take no writes at all: the sync finds that out, and its obstacle says so.
            if begins { context.wakeReasons.send(.request) }
        }
        verification = Verification(context.store)
        favorites = context.makeFavoritesService(reportingTo: lastRun)
        synchronizer = context.makeSynchronizer(favorites: favorites, verification: verification)
        let maker = settings.views.makesThumbnails ? Thumbnails(store: context.store) : nil
        thumbnails =
            if let maker { context.makeThumbnailService(maker, reportingTo: lastRun) } else { nil }
        newDay = context.makeNewDayService(thumbnails: maker)
        // Called before the first sync: only a day that the sync finds is new.
        newDay?.recordPresentDayAsDone()
        views = context.makeViewService(
            thumbnails: maker, favorites: favorites, newDay: newDay, reportingTo: lastRun)
    }

    /// Logs a warning if `--since` is in the future; that is no error, because the clock may be behind.
    private static func warnIfSinceIsInFuture(_ context: MirrorContext) {
        // An error is ignored here, because the first sync reads the same file and reports it.
        guard case .day(let day) = context.settings.since, let state = try? context.store.state(),
            day.isFuture(newest: state.newest)
        else { return }
        context.log.warning("--since: \(day) is in the future; no day before it is mirrored")
    }

    /// Runs all services concurrently until the task is cancelled or one of them throws.
    ///
    /// Cancellation is the only shutdown. Neither cancellation nor an error leaves a partial file.
    package func run() async throws {
        // `favorites/` counts as watched by events of the kernel, until its service reports that it must poll.
        lastRun.recordWatching(.events)
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await favorites.run() }
            if let watchdog = context.manager.watchdog {
                group.addTask { try await watchdog.run() }
            }
            try await finishStart()
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

    /// Waits for the first scan of `favorites/`, and notifies systemd as soon as that has recorded the favorites.
    private func finishStart() async throws {
        // The first sync may take hours, and meanwhile `status` needs the settings of this process.
        lastRun.write()
        try await context.start.favoritesRecorded.wait()
        // Units that systemd starts after the daemon may rely on the watch of favorites/.
        context.notifier.ready()
        context.start.isReady.withLock { $0 = true }
        // The first sync begins with the favorites: it needs the result of the first scan, which other services would delay.
        try await context.start.firstScanEnded.wait()
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
        note?.record(summary.obstacle)
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
}
