internal import APOD
internal import Derived
internal import Favorites
internal import Gallery
internal import Mirror
internal import Platform
internal import Sidecars
internal import Thumbnails
internal import Transfer

/// What all parts of a mirror share, and how each part is made of it: see ``MirrorAssembly``.
struct MirrorContext: Sendable {
    let settings: Settings
    let tree: Tree
    let store: Store
    let log: Log
    let manager: ServiceManager
    let notifier: StatusNotifier
    /// The requests for a sync.
    let wakeReasons = CoalescingSignal<WakeReason>()
    let changes = ChangeBroadcaster()
    private let metricsChanges: ChangeListener
    private let transferMetrics: TransferMetrics

    init(_ settings: Settings, _ tree: Tree, _ log: Log, _ manager: ServiceManager) throws {
        self.settings = settings
        self.tree = tree
        self.log = log
        self.manager = manager
        store = try Store(tree: tree, minimumFree: settings.minimumFree)
        notifier = StatusNotifier(manager: manager)
        metricsChanges = changes.listener("the metrics service")
        transferMetrics = TransferMetrics(MetricsSnapshot.read(from: tree)?.count ?? .init())
    }

    /// Records the paths of the mirror, which links in `favorites/` may contain, for all processes.
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

    func makeFavorites(
        _ metrics: MetricsWriter, _ verification: Verification
    ) -> FavoritesService {
        FavoritesService(
            tree: tree, log: log, changes: changes,
            requestSync: { [wakeReasons] in wakeReasons.send(.sync) },
            didChangeMode: { metrics.record($0) },
            didReconcile: { [wakeReasons, notifier] _, outcome in
                notifier.update { $0.record(outcome) }
                if verification.hasNewRequest { wakeReasons.send(.sync) }
            },
            // Ready: the mirror is locked, and the first scan has set the watches or takes long.
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
                keep: settings.keep),
            favorites: { favorites.wantedDays },
            protected: { [tree] in
                try FavoriteCommands(tree: tree, isWriter: false).protectedDays()
            },
            suspects: { verification.suspects })
    }

    // MARK: What follows from the mirror

    func makeMetrics() -> MetricsWriter {
        MetricsWriter(
            store, transferMetrics: transferMetrics, changes: metricsChanges,
            metrics: settings.metricsFile, log: log)
    }

    func makeMetricsService(_ metrics: MetricsWriter) -> RefreshService {
        RefreshService(name: "the metrics", changes: metricsChanges, log: log) { _ in
            metrics.write(isWatching: true)
            return []
        }
    }

    /// The files of the newest days, up to the day `announced`.
    func makeDerived(
        _ thumbnails: Thumbnails?, upTo announced: Monitor<Day>, _ favorites: FavoritesService
    ) -> RefreshService {
        let files = DerivedFiles(store: store, options: settings.derived, thumbnails: thumbnails)
        return RefreshService(
            name: "the files of the newest days",
            changes: ChangeListener("the derived files service", []), log: log
        ) { _ in
            let newest = announced.withLock(\.self)
            let outcome = try await files.refresh(favorites: try favoriteDays(), upTo: newest)
            // A link in favorites/ may have led to it before it existed.
            if outcome.written.contains(DerivedFile.latestPicture.rawValue) {
                favorites.requestScan()
            }
            return outcome.problems
        }
    }

    /// The gallery, which `announces` its newest day to `derived`.
    func makeGallery(
        _ thumbnails: ThumbnailService?, announcing announced: Monitor<Day>,
        before derived: RefreshService
    ) -> RefreshService {
        let gallery = Gallery(store: store)
        return RefreshService(
            name: "the gallery", changes: changes.listener("the gallery service"), log: log
        ) { change in
            let newest = try? store.newestDay(in: store.snapshots.current())
            defer {
                announced.withLock { $0 = newest ?? .last }
                if !change.isSubset(of: .thumbnails) { derived.request() }
            }
            if change.contains(.days) { await thumbnails?.makeNewest() }
            return try await gallery.refresh(
                favorites: try favoriteDays(),
                collections: try FavoriteStore(tree: tree).collections(),
                depth: change == .all ? .files : .folders
            ).problems
        }
    }

    /// `nil` without sidecars.
    func makeSidecars() -> RefreshService? {
        guard settings.writesSidecars else { return nil }
        let sidecars = Sidecars(store: store)
        return RefreshService(
            name: "the sidecars", changes: changes.listener("the sidecar service"), log: log,
            ignored: .thumbnails
        ) { _ in try await sidecars.refresh(favorites: try favoriteDays()) }
    }

    private func favoriteDays() throws -> Set<Day> { try FavoriteStore(tree: tree).days() }
}
