internal import APOD
internal import Favorites
internal import Maintenance
internal import Mirror
internal import Platform
internal import Thumbnails
internal import Transfer
internal import Views

/// What the parts of a mirror share; it makes those parts whose reports concern other parts.
///
/// ``MirrorAssembly`` makes one context, and keeps the parts.
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
    /// Resumed when the first scan of `favorites/` has recorded the favorites, or takes long.
    let firstRecords = CancellableContinuation()
    /// Resumed when the first scan has looked for the pictures of favorites, too, or takes long.
    let firstScan = CancellableContinuation()
    /// Whether systemd was notified that the start is over.
    let isReady = SharedValue(false)
    let changes = ChangeBroadcaster()
    /// Wakes the view service, which also writes `service.json` after each round.
    let viewChanges: ChangeListener

    init(_ settings: Settings, _ tree: Tree, _ log: Log, _ manager: ServiceManager) throws {
        self.settings = settings
        self.tree = tree
        self.log = log
        self.manager = manager
        store = try Store(tree: tree, minimumFree: settings.minimumFree)
        // The first sync reports what cannot be read.
        notifier = StatusNotifier(manager: manager, newest: try? store.dayShownAsLatest())
        viewChanges = changes.makeListener()
    }

    /// Warns if `--since` is in the future; this is no error, because the clock may be behind.
    func warnOfFutureSince() {
        // The first sync reports that the state cannot be read.
        guard case .day(let day) = settings.since, let state = try? store.state(),
            day.isFuture(newest: state.newest)
        else { return }
        log.warning("--since: \(day) is in the future; no day before it is mirrored")
    }

    func makeFavorites(_ lastRun: LastRunWriter) -> FavoritesService {
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
            case .scanned:
                firstRecords.resume()
                firstScan.resume()
            }
        }
    }

    func makeSynchronizer(
        _ favorites: FavoritesService, _ verification: Verification
    ) -> Synchronizer {
        let client = settings.client()
        return Synchronizer(
            routes: settings.routes(through: client), client: client, store: store,
            options: .init(
                since: settings.since, jobs: settings.jobs,
                downloadsVideos: settings.downloadsVideos, rechecks: settings.rechecks,
                keep: settings.keep, mirrors: settings.mirrors),
            missingFavorites: { favorites.wantedDays },
            // Read again before each removal, so that a favorite which was added since the last scan is not removed.
            favorites: { [store] in try FavoriteCommands(of: store).protectedDays() },
            suspects: { verification.suspects },
            downloadDidEnd: { [wakeReasons] in wakeReasons.send(.dueDays) })
    }

    /// Reads what the views are made from; `thumbnails` is `nil` if none are made.
    private func viewInput(_ thumbnails: Thumbnails?) throws -> ViewInput {
        let favorites = try FavoriteStore(tree: tree).book()
        return try ViewInput(
            store: store, snapshot: store.snapshots.current(), favorites: favorites.days,
            collections: favorites.collections, thumbnails: thumbnails)
    }

    func makeViews(
        _ thumbnails: Thumbnails?, _ lastRun: LastRunWriter, _ favorites: FavoritesService,
        _ newDay: NewDayService?
    ) -> ViewService {
        ViewService(
            views: allViews.compactMap { $0.init(settings.views) }, changes: viewChanges, log: log
        ) {
            try viewInput(thumbnails)
        } didUpdate: { written in
            // A link in favorites/ may lead to latest.jpg, which is new.
            if written.contains(Layout.latestPicture) { favorites.requestScan() }
            lastRun.write()
            newDay?.viewsDidUpdate()
        }
    }
}
