internal import APOD
internal import Favorites
internal import Maintenance
internal import Mirror
internal import Platform
internal import Thumbnails
internal import Transfer
internal import Views

/// What the parts of ``MirrorAssembly`` share: the mirror, the log, and the signals by which a part wakes others.
///
/// It also makes the parts whose reports concern other parts, and passes these reports on.
struct MirrorContext: Sendable {
    let settings: Settings
    let tree: Tree
    let store: Store
    let log: Log
    let manager: ServiceManager
    /// The line of the daemon in `systemctl status`.
    let notifier: StatusNotifier
    /// Wakes ``MirrorService``.
    let wakeReasons = CoalescingSignal<WakeReason>()
    /// Resumed when the first scan of `favorites/` has recorded the favorites, or takes too long.
    let firstRecords = CancellableContinuation()
    /// Resumed when the first scan has ended, which includes the search for the pictures of favorites, or takes too long.
    let firstScan = CancellableContinuation()
    /// Whether systemd was notified that the start is over.
    let isReady = SharedValue(false)
    let changes = ChangeBroadcaster()
    /// Wakes the view service, which also writes `service.json` after each round.
    let viewChanges: ChangeListener

    init(_ settings: Settings, tree: Tree, log: Log, manager: ServiceManager) throws {
        self.settings = settings
        self.tree = tree
        self.log = log
        self.manager = manager
        store = try Store(tree: tree, minimumFree: settings.minimumFree)
        // An error is ignored here, because the first sync reads the same files and reports it.
        notifier = StatusNotifier(manager: manager, newest: try? store.dayInLatestRecord())
        viewChanges = changes.makeListener()
    }

    /// Logs a warning if `--since` is in the future; that is no error, because the clock may be behind.
    func warnOfFutureSince() {
        // Here, too, the first sync reports an error.
        guard case .day(let day) = settings.since, let state = try? store.state(),
            day.isFuture(newest: state.newest)
        else { return }
        log.warning("--since: \(day) is in the future; no day before it is mirrored")
    }

    func makeFavorites(reportingTo lastRun: LastRunWriter) -> FavoritesService {
        FavoritesService(
            of: store, log: log, changes: changes
        ) { event in
            switch event {
            case .modeChanged(let mode): lastRun.record(mode)
            case .recorded: firstRecords.resume()
            case .syncNeeded: wakeReasons.send(.sync)
            case .reconciled(let reasons, let outcome):
                if outcome.changedPictures || reasons.contains(.mounted) {
                    store.snapshots.invalidate()
                }
                notifier.update { $0.record(outcome) }
            case .ended(let error):
                if error?.isCancelled == true { return }
                lastRun.record(error.map(WriteFailure.init(ofFavorites:)), of: .favorites)
            case .scanned:
                firstRecords.resume()
                firstScan.resume()
            }
        }
    }

    func makeSynchronizer(
        favorites: FavoritesService, verification: Verification
    ) -> Synchronizer {
        let client = settings.client()
        return Synchronizer(
            routes: settings.routes(through: client), client: client, store: store,
            options: .init(
                since: settings.since, jobs: settings.jobs,
                downloadsVideos: settings.downloadsVideos, rechecks: settings.rechecks,
                keep: settings.keep, mirrors: settings.mirrors),
            wantedFavorites: { favorites.wantedFavorites },
            // They are read again before each removal: a favorite may have been added since the last scan.
            favorites: { [store] in try FavoriteCommands(of: store).protectedDays() },
            damagedDays: { verification.daysToDownload },
            downloadDidEnd: { [wakeReasons] in wakeReasons.send(.dueDays) })
    }

    /// `thumbnails` and `newDay` are `nil` if the settings do not ask for them.
    func makeViews(
        thumbnails: Thumbnails?, lastRun: LastRunWriter, favorites: FavoritesService,
        newDay: NewDayService?
    ) -> ViewService {
        ViewService(
            views: allViews.compactMap { $0.init(settings.views) }, changes: viewChanges, log: log
        ) {
            let favorites = try FavoriteStore(tree: tree).storedFavorites()
            return try ViewInput(
                store: store, snapshot: store.snapshots.current(), favorites: favorites.days,
                collections: favorites.collections, thumbnails: thumbnails)
        } didUpdate: { round in
            // A link in favorites/ may lead to latest.jpg, which is now another picture.
            if round.changedPaths.contains(Layout.latestPicture) { favorites.requestScan() }
            lastRun.record(round)
            lastRun.write()
            newDay?.viewsDidUpdate()
        }
    }
}
