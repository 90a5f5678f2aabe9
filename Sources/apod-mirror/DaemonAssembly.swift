import Favorites
import Gallery
import Mirror
import Platform
import Service
import Thumbnails
import Transfer

/// What the daemon is made of, and who is told of what: the keepers know nothing of each other.
struct DaemonAssembly {
    let synchronizer: Synchronizer
    let favorites: FavoritesService
    /// `nil` where none are wanted.
    let thumbnails: ThumbnailService?
    let vitals: MetricsService
    let gallery: GalleryService
    private let mirror: MirrorService
    private let calls = CoalescingSignal<WakeReason>()
    private let changes = ChangeBroadcaster()
    private let reloader: Reloader
    private let manager: ServiceManager
    private let log: Log
    private let start: StartTimeoutExtender

    init(
        _ settings: Settings, tree: Tree, log: Log, apiKey: String?, telling manager: ServiceManager
    ) throws {
        self.manager = manager
        self.log = log
        let wanted = WantedDays()
        let store = try Store(tree: tree, minimumFree: settings.minimumFree)
        let transferMetrics = TransferMetrics(MetricsSnapshot.read(from: tree)?.count ?? .init())
        let vitals = MetricsService(
            store, transferMetrics: transferMetrics, news: changes.listener(),
            metrics: settings.metricsFile,
            log: log)
        let teller = StatusNotifier(manager)
        let favorites = FavoritesService(
            tree: tree, spellings: settings.spellings, wanted: wanted, log: log, changes: changes,
            fetch: { [calls] in calls.put(.look) }, didChangeMode: { vitals.note($0) },
            didLook: { _, outcome in teller.update { $0.take(outcome) } },
            // The lock and the marker are as old as the tree, and a look sets the watches, whether or not
            // anything could be written.
            didTry: { teller.ready() })
        synchronizer = Synchronizer(
            settings, store: store, transferMetrics: transferMetrics, apiKey: apiKey,
            favorites: { wanted.days })
        let mirror = MirrorService(
            synchronizer, Schedule(mirror: tree.id), log: log, calls: calls, changes: changes,
            didHappen: { event in teller.update { $0.take(event) } },
            didPass: { summary in
                teller.update { $0.take(summary) }
                favorites.ask()
            },
            willSleep: { vitals.note($0, nextLook: $1) })
        thumbnails =
            settings.makesThumbnails
            ? ThumbnailService(Thumbnails(store: store), log: log, changes: changes) : nil
        self.vitals = vitals
        reloader = Reloader(calls: calls, favorites: favorites, telling: manager)
        start = StartTimeoutExtender(
            until: teller, headway: { try await favorites.headway() },
            ask: { manager.tell(.patience($0)) })
        self.favorites = favorites
        self.mirror = mirror
        gallery = GalleryService(
            Gallery(store: store), favorites: { try FavoriteStore(tree: tree).days() },
            collections: { try FavoriteStore(tree: tree).collections() },
            news: changes.listener(), log: log)
    }

    /// `nil` where the service manager does not want to hear that all goes its way.
    private var watchdog: Watchdog? {
        guard let interval = manager.watchdog else { return nil }
        let loops: [Watchdog.Loop?] = [
            .init("the keeper of the days") { try await mirror.answer() },
            .init("the keeper of the favorites") { try await favorites.answer() },
            .init("the keeper of the gallery") { try await gallery.answer() },
            .init("the keeper of the figures") { try await vitals.answer() },
            thumbnails.map { keeper in
                .init("the keeper of the thumbnails") { try await keeper.answer() }
            },
        ]
        return Watchdog(every: interval, of: loops.compactMap(\.self), log: log) { [manager] in
            manager.tell(.alive)
        }
    }

    /// All keepers, side by side.
    var daemon: Daemon {
        let keepers: [any DaemonService] = [favorites, gallery, mirror, vitals, reloader, start]
        let others: [(any DaemonService)?] = [thumbnails, watchdog]
        return Daemon(keepers + others.compactMap(\.self))
    }

    /// Looks at NASA, at the favorites and at the tree now.
    func lookNow() {
        reloader.look()
        changes.tell(.all)
    }
}
