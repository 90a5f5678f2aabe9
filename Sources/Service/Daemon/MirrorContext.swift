internal import APOD
internal import Favorites
internal import Maintenance
internal import Mirror
internal import Platform
internal import Thumbnails
internal import Transfer
internal import Views

/// What the services of one process share: the mirror, the log, and the signals by which one service wakes another.
///
/// ``MirrorAssembly`` creates it first, and then makes each service by one of its functions.
struct MirrorContext: Sendable {
    let settings: Settings
    /// The mirror, which is open for writing.
    let tree: Tree
    let store: Store
    let log: Log
    /// Notifies systemd, if systemd has started the process.
    let manager: ServiceManager
    /// The line of the daemon in `systemctl status`.
    let notifier: StatusNotifier
    let start = StartProgress()
    /// A signal that wakes ``MirrorService``, which syncs with NASA.
    let wakeReasons = CoalescingSignal<WakeReason>()
    /// Notifies all services of changes in the mirror, such as new favorites.
    let changes = ChangeBroadcaster()
    /// Wakes ``ViewService`` after all ``changes``, and after those of which only the views are notified.
    let viewChanges: ChangeListener

    init(_ settings: Settings, tree: Tree, log: Log, manager: ServiceManager) throws {
        self.settings = settings
        self.tree = tree
        self.log = log
        self.manager = manager
        store = try Store(tree: tree, minimumFree: settings.minimumFree)
        // If this fails, the first sync fails to read the same files, and reports the error.
        notifier = StatusNotifier(manager: manager, newest: try? store.dayInLatestRecord())
        viewChanges = changes.makeListener()
    }
}

/// The steps of the start of the daemon, in this order.
///
/// A first scan of `favorites/` that takes too long counts as ended.
struct StartProgress: Sendable {
    /// Resumed when the first scan has recorded which favorites there are.
    let favoritesRecorded = CancellableContinuation()
    /// Whether systemd was then notified that the daemon is ready.
    let isReady = SharedValue(false)
    /// Resumed when the first scan has also searched for the pictures of favorites; then the first sync begins.
    let firstScanEnded = CancellableContinuation()
}

/// How the services are made, and what follows from their reports.
///
/// The services do not know each other. For example, a scan of `favorites/` reports that a picture is missing, and this extension
/// wakes the service that downloads it. ``LastRunWriter`` writes what `status` shows.
extension MirrorContext {
    /// Makes the service that scans `favorites/` and records the favorites.
    func makeFavoritesService(reportingTo lastRun: LastRunWriter) -> FavoritesService {
        FavoritesService(of: store, log: log, changes: changes) { event in
            handle(event, reportingTo: lastRun)
        }
    }

    private func handle(_ event: FavoritesService.Event, reportingTo lastRun: LastRunWriter) {
        switch event {
        case .modeChanged(let mode): lastRun.recordWatching(mode)
        case .recorded: start.favoritesRecorded.resume()
        case .syncNeeded: wakeReasons.send(.request)
        case .reconciled(let reasons, let outcome): didReconcile(outcome, after: reasons)
        case .ended(let error):
            // A scan that was interrupted has not failed.
            if error?.isCancelled == true { return }
            lastRun.record(error.map(WriteFailure.init(ofFavorites:)), of: .favorites)
        case .scanned:
            // A scan that failed or is slow may not have reported `.recorded`.
            start.favoritesRecorded.resume()
            start.firstScanEnded.resume()
        }
    }

    private func didReconcile(_ outcome: ReconcileOutcome, after reasons: RescanReason) {
        // Other days may have files now: of pictures that a person moved, or of another disk that was mounted.
        if outcome.didRestorePictures || reasons.contains(.mounted) { store.snapshots.invalidate() }
        notifier.update { $0.record(outcome) }
    }

    /// Makes what syncs with NASA; it asks `favorites` and `verification` which days to download besides new ones.
    func makeSynchronizer(favorites: FavoritesService, verification: Verification) -> Synchronizer {
        let client = settings.client()
        return Synchronizer(
            routes: settings.routes(through: client), client: client, store: store,
            options: .init(
                since: settings.since, jobs: settings.jobs,
                downloadsVideos: settings.downloadsVideos, rechecks: settings.rechecks,
                keep: settings.keep, mirrors: settings.mirrors),
            wantedFavorites: { favorites.wantedFavorites },
            // The favorites are read before each removal: one may have been added since the last scan.
            favorites: { try FavoriteCommands(of: store).protectedDays() },
            damagedDays: { verification.daysToDownload },
            downloadDidEnd: { wakeReasons.send(.freeSlot) })
    }

    /// Makes the service that runs the command of `--on-new` for each new day; `nil` without that setting.
    func makeNewDayService(thumbnails: Thumbnails?) -> NewDayService? {
        settings.onNew.map { command in
            NewDayService(
                command: command, thumbnails: thumbnails, store: store, log: log, changes: changes)
        }
    }

    /// Makes the service that makes missing `thumbnails`.
    func makeThumbnailService(
        _ thumbnails: Thumbnails, reportingTo lastRun: LastRunWriter
    ) -> ThumbnailService {
        ThumbnailService(thumbnails: thumbnails, log: log, changes: changes) { summary in
            // A file that could not be written waits for another attempt. Until then, a round without failure proves nothing.
            let isCertain = summary.diskFailure != nil || !thumbnails.hasDiskErrors
            if isCertain { lastRun.record(summary.diskFailure, of: .thumbnails) }
        }
    }

    /// Makes the service that updates the gallery and all other views, which are made from pictures and records.
    func makeViewService(
        thumbnails: Thumbnails?, favorites: FavoritesService, newDay: NewDayService?,
        reportingTo lastRun: LastRunWriter
    ) -> ViewService {
        let views = allViews.compactMap { $0.init(settings.views) }
        return ViewService(
            views: views, changes: viewChanges, log: log, input: { try viewInput(thumbnails) }
        ) { round in
            // A link in favorites/ may lead to latest.jpg, which is now another picture.
            if round.changedPaths.contains(Layout.latestPicture) { favorites.requestScan() }
            lastRun.record(round)
            lastRun.write()
            newDay?.viewsDidUpdate()
        }
    }

    /// Reads what the views are made from.
    private func viewInput(_ thumbnails: Thumbnails?) throws -> ViewInput {
        let favorites = try FavoriteStore(tree: tree).storedFavorites()
        return try ViewInput(
            store: store, snapshot: store.snapshots.current(), favorites: favorites.days,
            collections: favorites.collections, thumbnails: thumbnails)
    }
}
