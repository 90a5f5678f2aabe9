internal import APOD
internal import Favorites
internal import Maintenance
internal import Mirror
internal import Platform
internal import Thumbnails
internal import Transfer
internal import Views

/// What all parts of a mirror share, and how each part is made of it: see ``MirrorAssembly``.
struct MirrorContext: Sendable {
    let settings: Settings
    let tree: Tree
    let store: Store
    let log: Log
    let manager: ServiceManager
    let notifier: StatusNotifier
    let wakeReasons = CoalescingSignal<WakeReason>()
    let changes = ChangeBroadcaster()
    let viewChanges: ChangeListener
    private let transferMetrics: TransferMetrics

    init(_ settings: Settings, _ tree: Tree, _ log: Log, _ manager: ServiceManager) throws {
        self.settings = settings
        self.tree = tree
        self.log = log
        self.manager = manager
        store = try Store(tree: tree, minimumFree: settings.minimumFree)
        notifier = StatusNotifier(manager: manager)
        viewChanges = changes.listener("the view service")
        transferMetrics = TransferMetrics(MetricsSnapshot.read(from: tree)?.count ?? .init())
    }

    /// Records the paths by which users know the mirror: links in `favorites/` may contain them.
    func recordRootPaths() {
        let roots = [settings.typedRoot, tree.root.path].compactMap(\.self)
        do {
            try FavoriteStore(tree: tree).addRootPaths(roots)
        } catch {
            log.warning(
                "\(error): links in favorites/ that contain the path \(roots[0]) may not be recognized"
            )
        }
    }

    // MARK: The mirror

    func makeVerification() -> Verification {
        Verification(store, expecting: { [tree] in try VerifyExpectations(of: tree) })
    }

    func makeFavorites(_ metrics: MetricsWriter, _ verification: Verification) -> FavoritesService {
        FavoritesService(
            tree: tree, log: log, changes: changes,
            requestSync: { [wakeReasons] in wakeReasons.send(.sync) },
            didChangeMode: { metrics.record($0) },
            didReconcile: { [wakeReasons, notifier] _, outcome in
                notifier.update { $0.record(outcome) }
                if verification.hasRequest { wakeReasons.send(.sync) }
            },
            // The mirror is locked; the first scan has set the watches, or takes long.
            isReady: { [notifier] in notifier.ready() },
            checkSpace: { [store, tree] bytes throws(SystemError) in
                try store.checkFreeSpace(for: bytes + 1, at: tree.root.path)
            })
    }

    func makeSynchronizer(
        apiKey: String?, _ favorites: FavoritesService, _ verification: Verification
    ) -> Synchronizer {
        let client = settings.client(transferMetrics: transferMetrics)
        return Synchronizer(
            feed: settings.feed(through: client, apiKey: apiKey), client: client, store: store,
            options: .init(
                since: settings.since, jobs: settings.jobs,
                downloadsVideos: settings.downloadsVideos, rechecks: settings.rechecks,
                keep: settings.keep, mirrors: settings.mirrors),
            missingFavorites: { favorites.wantedDays },
            favorites: { [tree] in
                try FavoriteCommands(tree: tree, isWriter: false).protectedDays()
            },
            suspects: { verification.suspects })
    }

    // MARK: What follows from the mirror

    func makeMetrics() -> MetricsWriter {
        MetricsWriter(
            store, settings: settings.typed, transferMetrics: transferMetrics,
            changes: viewChanges, metrics: settings.metricsFile, log: log)
    }

    /// What the views are made from now.
    private func viewInput(_ thumbnails: Thumbnails?) throws -> ViewInput {
        let favorites = try FavoriteStore(tree: tree).contents()
        return try ViewInput(
            store: store, snapshot: store.snapshots.current(), favorites: favorites.days,
            collections: favorites.collections, thumbnails: thumbnails)
    }

    func makeThumbnailService(_ thumbnails: Thumbnails) -> ThumbnailService {
        let v1 = V1View(settings.views)
        return ThumbnailService(thumbnails, log: log, changes: changes) {
            try v1.daysWithoutPicture(viewInput(nil))
        }
    }

    /// Makes the service of all views, which also writes the metrics after each round.
    func makeViews(
        _ thumbnails: Thumbnails?, _ metrics: MetricsWriter, _ favorites: FavoritesService
    ) -> ViewService {
        ViewService(
            allViews.compactMap { $0.init(settings.views) }, changes: viewChanges, log: log
        ) {
            try viewInput(thumbnails)
        } didUpdate: { written in
            // A link in favorites/ may lead to latest.jpg, which did not exist before.
            if written.contains(OwnedPath.latestPicture.path) { favorites.requestScan() }
            metrics.write(isWatching: true)
        }
    }
}
