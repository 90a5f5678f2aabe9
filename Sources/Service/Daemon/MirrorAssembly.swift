internal import APOD
internal import Favorites
internal import Maintenance
package import Mirror
package import Platform
internal import Thumbnails
internal import Views

/// All parts of the program that work on one mirror: ``run()`` runs them as a daemon, ``runOnce(showing:)`` for a single sync.
///
/// The services do not know each other: `MirrorAssembly` and ``SharedParts`` pass on to the others what one of them reports.
package struct MirrorAssembly: Sendable {
    let shared: SharedParts
    let verification: Verification
    let favorites: FavoritesService
    let synchronizer: Synchronizer
    /// `nil` if the settings want no thumbnails.
    let thumbnails: ThumbnailService?
    let views: ViewService
    /// `nil` if the settings have no `--on-new`.
    let newDay: NewDayService?

    /// Makes each part after the ones that it needs.
    ///
    /// `tree` must be open for writing. `note` writes outside of the mirror what keeps the daemon from its work, see
    /// ``ServiceNote``; `nil` for a single sync.
    package init(
        _ settings: Settings, tree: Tree, log: Log, notifying manager: ServiceManager,
        note: ServiceNoteWriter?
    ) throws {
        let shared = try SharedParts(settings, tree: tree, log: log, manager: manager, note: note)
        self.shared = shared
        Self.warnIfSinceIsInFuture(shared)
        verification = Verification(shared.store)
        favorites = shared.makeFavoritesService()
        synchronizer = shared.makeSynchronizer(favorites: favorites, verification: verification)
        let maker = settings.views.makesThumbnails ? Thumbnails(store: shared.store) : nil
        thumbnails = maker.map(shared.makeThumbnailService)
        newDay = shared.makeNewDayService(thumbnails: maker)
        // Before the first sync, because only a day that the sync finds is new.
        newDay?.recordPresentDayAsDone()
        views = shared.makeViewService(thumbnails: maker, favorites: favorites, newDay: newDay)
    }

    /// Logs a warning if `--since` is in the future; that is no error, because the clock may be behind.
    private static func warnIfSinceIsInFuture(_ shared: SharedParts) {
        // An error is ignored here, because the first sync reads the same file and reports it.
        guard case .day(let day) = shared.settings.since, let state = try? shared.store.state(),
            day.isFuture(newest: state.newest)
        else { return }
        shared.log.warning("--since: \(day) is in the future; no day before it is mirrored")
    }

    // MARK: The daemon

    /// Runs all services concurrently until the task is cancelled or one of them throws.
    ///
    /// Cancellation is the only shutdown. Neither cancellation nor an error leaves a partial file.
    package func run() async throws {
        // `favorites/` counts as watched by events of the kernel, until its service reports that it must poll.
        shared.lastRun.recordWatching(.events)
        defer { logMovedItems() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await favorites.run() }
            if let watchdog = shared.manager.watchdog {
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
        shared.lastRun.write()
        try await shared.start.favoritesRecorded.wait()
        // Only now, because units that systemd starts after the daemon may rely on the watch of favorites/.
        shared.notifier.notifyReady()
        shared.start.recordReadiness()
        // The first sync begins with the favorites: it needs the result of the first scan, which other services would delay.
        try await shared.start.firstScanEnded.wait()
    }

    // MARK: Verifications and syncs

    private func makeVerificationService() -> VerificationService {
        VerificationService(
            verification: verification, log: shared.log, changes: shared.changes,
            requestScan: favorites.requestScan,
            requestSync: { [wakeReasons = shared.wakeReasons] in wakeReasons.send(.request) })
    }

    private func makeMirrorService(_ verifier: VerificationService) -> MirrorService {
        MirrorService(
            synchronizer: synchronizer, schedule: Schedule(mirror: shared.tree.id),
            log: shared.log, wakeReasons: shared.wakeReasons, changes: shared.changes
        ) { event in
            logMovedItems()
            switch event {
            case .syncBegan: newDay?.syncDidBegin()
            case .syncReported(let event):
                shared.lastRun.recordProgress(event)
                shared.notifier.update { $0.record(event) }
            case .syncEnded(let summary): syncDidEnd(summary, verifier)
            case .waitBegan(let summary, let nextSync):
                shared.lastRun.recordResult(
                    of: summary, nextSync: nextSync, hasNews: summary.hasNews)
            }
        }
    }

    func logMovedItems() { shared.tree.logMovedItems(to: shared.log) }

    /// Passes the result of a sync on to the services that depend on it; none of these calls waits for another.
    private func syncDidEnd(_ summary: SyncSummary, _ verifier: VerificationService) {
        shared.store.snapshots.release(holdingUntilMidnight: true)
        // What is kept outside of the mirror: the status line, the list of known mirrors, and the note.
        shared.notifier.update { $0.record(summary) }
        shared.tree.addToKnownMirrors()
        shared.note?.record(summary.obstacle)

        verifier.syncDidEnd(summary)
        guard summary.hasNews else { return }
        favorites.requestScan()
        shared.viewListener.post(.days)
    }

    // MARK: A request of a person

    /// Requests a sync, a scan of the favorites and an update of all views, and waits for none of them.
    package func reload() {
        // During the start, systemd would take the `.ready` below for the end of the start.
        let isReady = shared.start.isReady
        if isReady { shared.manager.notify(.reloading) }
        // A person may have changed the tree.
        shared.store.snapshots.invalidate()
        shared.wakeReasons.send(.request)
        favorites.requestScanForUser()
        shared.changes.broadcast(.all)
        if isReady { shared.manager.notify(.ready) }
    }
}

extension Tree {
    /// Logs what was moved out of the way of the mirror's files since the last call, in at most six lines.
    package func logMovedItems(to log: Log) {
        let lines = takeMovedItems().map(\.text).limited(to: 5) {
            "\(counted($0, "more item")) moved into \(Layout.aside) or \(Layout.damaged)"
        }
        for line in lines { log.warning(line) }
    }
}
