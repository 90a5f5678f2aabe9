internal import APOD
internal import Derived
internal import Favorites
internal import Gallery
package import Mirror
package import Platform
internal import Sidecars
internal import Thumbnails
internal import Transfer

/// Creates the services of the daemon and connects them; the services do not know each other.
package struct DaemonAssembly: Sendable {
    package let synchronizer: Synchronizer
    package let favorites: FavoritesService
    /// `nil` without thumbnails.
    package let thumbnails: ThumbnailService?
    package let metrics: MetricsService
    package let gallery: GalleryService
    package let derived: DerivedFilesService
    /// `nil` without sidecars.
    package let sidecars: DerivedFilesService?
    package let verification: Verification
    private let mirror: MirrorService
    private let wakeReasons = CoalescingSignal<WakeReason>()
    private let changes = ChangeBroadcaster()
    private let reloader: Reloader
    private let manager: ServiceManager
    private let log: Log

    package init(
        _ settings: Settings, tree: Tree, log: Log, apiKey: String?,
        notifying manager: ServiceManager
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
        let verification = Verification(store, expecting: { try VerifyExpectations(of: tree) })
        self.verification = verification
        let favorites = FavoritesService(
            tree: tree, spellings: settings.spellings, wanted: wanted, log: log, changes: changes,
            requestSync: { [wakeReasons] in wakeReasons.send(.sync) },
            didChangeMode: { metrics.record($0) },
            didReconcile: { [wakeReasons] _, outcome in
                notifier.update { $0.record(outcome) }
                if verification.hasNewRequest { wakeReasons.send(.sync) }
            },
            // Ready: the mirror is locked, and the first scan has set the watches.
            didScan: { notifier.ready() })
        let client = settings.client(transferMetrics: transferMetrics)
        synchronizer = Synchronizer(
            feed: settings.feed(through: client, apiKey: apiKey), client: client, store: store,
            options: .init(
                since: settings.since, jobs: settings.jobs,
                downloadsVideos: settings.downloadsVideos, rechecks: settings.rechecks,
                keep: settings.keep),
            favorites: { wanted.days },
            protected: {
                try FavoriteCommands(tree: tree, isWriter: false, spellings: settings.spellings)
                    .protectedDays()
            }, suspects: { verification.suspects })
        let thumbnails = settings.makesThumbnails ? Thumbnails(store: store) : nil
        let files = DerivedFiles(store: store, options: settings.derived, thumbnails: thumbnails)
        let favoriteDays = { @Sendable in try FavoriteStore(tree: tree).days() }
        let derived = DerivedFilesService(
            "the files of the newest days",
            { try await files.refresh(favorites: $0).problems }, favorites: favoriteDays,
            changes: changes.listener(), log: log)
        self.derived = derived
        let sidecars = settings.writesSidecars ? Sidecars(store: store) : nil
        let sidecarService = sidecars.map { [changes] sidecars in
            DerivedFilesService(
                "the sidecars", { try await sidecars.refresh(favorites: $0) },
                favorites: favoriteDays, changes: changes.listener(), log: log)
        }
        self.sidecars = sidecarService
        let verifier = VerifyLogger(
            verification: verification, log: log, changes: changes,
            requestScan: { favorites.requestScan() })
        let mirror = MirrorService(
            synchronizer, Schedule(mirror: tree.id), log: log, wakeReasons: wakeReasons,
            changes: changes,
            didReceive: { event in notifier.update { $0.record(event) } },
            willSync: { verifier.runNewRequest() },
            didSync: { summary in
                notifier.update { $0.record(summary) }
                favorites.requestScan()
                derived.request()
                sidecarService?.request()
            },
            verify: { verifier.run(after: $0) },
            willSleep: { metrics.record($0, nextSync: $1) })
        self.thumbnails = thumbnails.map { [changes] in
            ThumbnailService($0, log: log, changes: changes)
        }
        self.metrics = metrics
        reloader = Reloader(wakeReasons: wakeReasons, favorites: favorites, manager: manager)
        self.favorites = favorites
        self.mirror = mirror
        gallery = GalleryService(
            gallery: Gallery(store: store), favorites: favoriteDays,
            collections: { try FavoriteStore(tree: tree).collections() },
            changes: changes.listener(), log: log)
    }

    /// `nil` if the service manager requests no watchdog notifications.
    private var watchdog: Watchdog? {
        guard let interval = manager.watchdog else { return nil }
        let loops: [Watchdog.Loop?] = [
            .init("the mirror service") { try await mirror.ping() },
            .init("the favorites service") { try await favorites.ping() },
            .init("the gallery service") { try await gallery.ping() },
            .init("the derived files service") { try await derived.ping() },
            sidecars.map { service in
                .init("the sidecar service") { try await service.ping() }
            },
            .init("the metrics service") { try await metrics.ping() },
            thumbnails.map { service in
                .init("the thumbnail service") { try await service.ping() }
            },
        ]
        return Watchdog(every: interval, of: loops.compactMap(\.self), log: log) { [manager] in
            manager.notify(.alive)
        }
    }

    package var daemon: Daemon {
        let services: [any DaemonService] = [
            favorites, gallery, derived, mirror, metrics, reloader,
        ]
        let others: [(any DaemonService)?] = [thumbnails, sidecars, watchdog]
        return Daemon(services + others.compactMap(\.self))
    }

    /// Syncs, scans the favorites and rebuilds the gallery now.
    package func reload() {
        reloader.reload()
        changes.broadcast(.all)
    }
}
