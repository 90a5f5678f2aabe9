import Favorites
import Gallery
import Mirror
import Platform
import Service
import Thumbnails
import Transfer

/// What the daemon is made of, and who is told of what: the services know nothing of each other.
struct DaemonAssembly {
    let synchronizer: Synchronizer
    let favorites: FavoritesService
    /// `nil` where none are wanted.
    let thumbnails: ThumbnailService?
    let metrics: MetricsService
    let gallery: GalleryService
    private let mirror: MirrorService
    private let wakeReasons = CoalescingSignal<WakeReason>()
    private let changes = ChangeBroadcaster()
    private let reloader: Reloader
    private let manager: ServiceManager
    private let log: Log

    init(
        _ settings: Settings, tree: Tree, log: Log, apiKey: String?, telling manager: ServiceManager
    ) throws {
        self.manager = manager
        self.log = log
        let wanted = WantedDays()
        let store = try Store(tree: tree, minimumFree: settings.minimumFree)
        let transferMetrics = TransferMetrics(MetricsSnapshot.read(from: tree)?.count ?? .init())
        let metrics = MetricsService(
            store, transferMetrics: transferMetrics, changes: changes.listener(),
            metrics: settings.metricsFile,
            log: log)
        let notifier = StatusNotifier(manager)
        let favorites = FavoritesService(
            tree: tree, spellings: settings.spellings, wanted: wanted, log: log, changes: changes,
            requestSync: { [wakeReasons] in wakeReasons.send(.sync) },
            didChangeMode: { metrics.record($0) },
            didReconcile: { _, outcome in notifier.update { $0.record(outcome) } },
            // The lock and the marker are as old as the tree, and a look sets the watches, whether or not
            // anything could be written.
            didScan: { notifier.ready() })
        synchronizer = Synchronizer(
            settings, store: store, transferMetrics: transferMetrics, apiKey: apiKey,
            favorites: { wanted.days })
        let mirror = MirrorService(
            synchronizer, Schedule(mirror: tree.id), log: log, wakeReasons: wakeReasons,
            changes: changes,
            didReceive: { event in notifier.update { $0.record(event) } },
            didSync: { summary in
                notifier.update { $0.record(summary) }
                favorites.requestScan()
            },
            willSleep: { metrics.record($0, nextSync: $1) })
        thumbnails =
            settings.makesThumbnails
            ? ThumbnailService(Thumbnails(store: store), log: log, changes: changes) : nil
        self.metrics = metrics
        reloader = Reloader(wakeReasons: wakeReasons, favorites: favorites, telling: manager)
        self.favorites = favorites
        self.mirror = mirror
        gallery = GalleryService(
            Gallery(store: store), favorites: { try FavoriteStore(tree: tree).days() },
            collections: { try FavoriteStore(tree: tree).collections() },
            changes: changes.listener(), log: log)
    }

    /// `nil` where the service manager does not want to hear that all goes its way.
    private var watchdog: Watchdog? {
        guard let interval = manager.watchdog else { return nil }
        let loops: [Watchdog.Loop?] = [
            .init("the mirror service") { try await mirror.ping() },
            .init("the favorites service") { try await favorites.ping() },
            .init("the gallery service") { try await gallery.ping() },
            .init("the metrics service") { try await metrics.ping() },
            thumbnails.map { service in
                .init("the thumbnail service") { try await service.ping() }
            },
        ]
        return Watchdog(every: interval, of: loops.compactMap(\.self), log: log) { [manager] in
            manager.notify(.alive)
        }
    }

    /// All services, side by side.
    var daemon: Daemon {
        let services: [any DaemonService] = [favorites, gallery, mirror, metrics, reloader]
        let others: [(any DaemonService)?] = [thumbnails, watchdog]
        return Daemon(services + others.compactMap(\.self))
    }

    /// Looks at NASA, at the favorites and at the tree now.
    func reload() {
        reloader.reload()
        changes.broadcast(.all)
    }
}
