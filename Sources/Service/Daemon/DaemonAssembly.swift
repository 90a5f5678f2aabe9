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
    package let metrics: MetricsWriter
    private let metricsService: RefreshService
    package let gallery: RefreshService
    package let derived: RefreshService
    /// `nil` without sidecars.
    package let sidecars: RefreshService?
    package let verification: Verification
    private let mirror: MirrorService
    private let wakeReasons = CoalescingSignal<WakeReason>()
    private let changes = ChangeBroadcaster()
    private let reloader: Reloader
    private let manager: ServiceManager
    private let log: Log

    /// `first` is the answer that was requested before the mirror was created, if it is new.
    package init(
        _ settings: Settings, tree: Tree, log: Log, apiKey: String?, first: FirstAnswer? = nil,
        notifying manager: ServiceManager
    ) throws {
        self.manager = manager
        self.log = log
        // Before the first scan: links in favorites/ may contain them, and every process reads them.
        let roots = [settings.typedRoot, tree.root.path].compactMap(\.self)
        do {
            try FavoriteStore(tree: tree).addRootPaths(roots)
        } catch {
            log.warning(
                "\(error): links in favorites/ that contain the path \(roots[0]) may not be recognized"
            )
        }
        let store = try Store(tree: tree, minimumFree: settings.minimumFree)
        let transferMetrics =
            first?.client.metrics
            ?? TransferMetrics(MetricsSnapshot.read(from: tree)?.count ?? .init())
        let metricsChanges = changes.listener()
        let metrics = MetricsWriter(
            store, transferMetrics: transferMetrics, changes: metricsChanges,
            metrics: settings.metricsFile, log: log)
        metricsService = RefreshService(
            name: "the metrics", changes: metricsChanges, log: log
        ) { _ in
            metrics.write(isWatching: true)
            return []
        }
        let notifier = StatusNotifier(manager: manager)
        let verification = Verification(store, expecting: { try VerifyExpectations(of: tree) })
        self.verification = verification
        let favorites = FavoritesService(
            tree: tree, log: log, changes: changes,
            requestSync: { [wakeReasons] in wakeReasons.send(.sync) },
            didChangeMode: { metrics.record($0) },
            didReconcile: { [wakeReasons] _, outcome in
                notifier.update { $0.record(outcome) }
                if verification.hasNewRequest { wakeReasons.send(.sync) }
            },
            // Ready: the mirror is locked, and the first scan has set the watches or takes long.
            isReady: { notifier.ready() },
            checkSpace: { bytes throws(SystemError) in
                try store.checkFreeSpace(for: bytes + 1, at: tree.root.path)
            })
        let client = first?.client ?? settings.client(transferMetrics: transferMetrics)
        synchronizer = Synchronizer(
            feed: first?.feed ?? settings.feed(through: client, apiKey: apiKey), client: client,
            store: store,
            options: .init(
                since: settings.since, jobs: settings.jobs,
                downloadsVideos: settings.downloadsVideos, rechecks: settings.rechecks,
                keep: settings.keep),
            favorites: { favorites.wantedDays },
            protected: { try FavoriteCommands(tree: tree, isWriter: false).protectedDays() },
            suspects: { verification.suspects })
        let thumbnails = settings.makesThumbnails ? Thumbnails(store: store) : nil
        let thumbnailService = thumbnails.map { [changes] in
            ThumbnailService($0, log: log, changes: changes)
        }
        self.thumbnails = thumbnailService
        let files = DerivedFiles(store: store, options: settings.derived, thumbnails: thumbnails)
        let favoriteDays = { @Sendable in try FavoriteStore(tree: tree).days() }
        // The newest day whose thumbnail and gallery pages are there.
        let announced = Monitor(Day.last)
        let derived = RefreshService(
            name: "the files of the newest days", changes: ChangeListener([]), log: log
        ) { _ in
            let newest = announced.withLock(\.self)
            let outcome = try await files.refresh(favorites: try favoriteDays(), upTo: newest)
            // A link in favorites/ may have led to it before it existed.
            if outcome.written.contains(DerivedFile.latestPicture.rawValue) {
                favorites.requestScan()
            }
            return outcome.problems
        }
        self.derived = derived
        let gallery = Gallery(store: store)
        let galleryService = RefreshService(
            name: "the gallery", changes: changes.listener(), log: log
        ) { change in
            // In this order: who waits for latest.json finds the thumbnail and the gallery pages.
            let newest = try? store.newestDay(in: TreeSnapshot(of: tree.root))
            defer {
                announced.withLock { $0 = newest ?? .last }
                if !change.isSubset(of: .thumbnails) { derived.request() }
            }
            if change.contains(.days) { await thumbnailService?.makeNewest() }
            return try await gallery.refresh(
                favorites: try favoriteDays(),
                collections: try FavoriteStore(tree: tree).collections(),
                depth: change == .all ? .files : .folders
            ).problems
        }
        self.gallery = galleryService
        let sidecars = settings.writesSidecars ? Sidecars(store: store) : nil
        let sidecarService = sidecars.map { [changes] sidecars in
            RefreshService(
                name: "the sidecars", changes: changes.listener(), log: log, ignored: .thumbnails
            ) { _ in try await sidecars.refresh(favorites: try favoriteDays()) }
        }
        self.sidecars = sidecarService
        let verifier = VerifyLogger(
            verification: verification, log: log, changes: changes,
            requestScan: { favorites.requestScan() })
        let mirror = MirrorService(
            synchronizer: synchronizer, schedule: Schedule(mirror: tree.id), log: log,
            wakeReasons: wakeReasons, changes: changes,
            didReceive: { event in notifier.update { $0.record(event) } },
            willSync: { verifier.runNewRequest() },
            didSync: { summary in
                notifier.update { $0.record(summary) }
                favorites.requestScan()
                galleryService.request()
                sidecarService?.request()
            },
            verify: { verifier.run(after: $0) },
            willSleep: { metrics.record($0, nextSync: $1) })
        self.metrics = metrics
        reloader = Reloader(wakeReasons: wakeReasons, favorites: favorites, manager: manager)
        self.favorites = favorites
        self.mirror = mirror
    }

    /// `nil` if the service manager requests no watchdog notifications.
    private var watchdog: Watchdog? {
        guard let interval = manager.watchdog else { return nil }
        let loops: [Watchdog.Loop?] = [
            ("the mirror service", mirror.ping),
            ("the favorites service", favorites.ping),
            ("the gallery service", gallery.changes.ping),
            ("the derived files service", derived.changes.ping),
            sidecars.map { ("the sidecar service", $0.changes.ping) },
            ("the metrics service", metricsService.changes.ping),
            thumbnails.map { ("the thumbnail service", $0.listener.ping) },
        ]
        return Watchdog(interval: interval, loops: loops.compactMap(\.self), log: log) {
            [manager] in
            manager.notify(.alive)
        }
    }

    package var services: [any DaemonService] {
        let services: [(any DaemonService)?] = [
            favorites, gallery, derived, mirror, metricsService, reloader, thumbnails, sidecars,
            watchdog,
        ]
        return services.compactMap(\.self)
    }

    /// Syncs, scans the favorites and rebuilds the gallery now.
    package func reload() {
        reloader.reload()
        changes.broadcast(.all)
    }
}

/// A long-running part of the daemon.
///
/// Services run concurrently and do not know each other.
package protocol DaemonService: Sendable {
    /// Runs until the task is cancelled; files are consistent at any time.
    ///
    /// - Throws: A fatal error, which ends the daemon; or `CancellationError`.
    func run() async throws
}

extension [any DaemonService] {
    /// Runs all services concurrently until the task is cancelled or one of them throws.
    ///
    /// Cancellation is the only shutdown; it leaves no partial file.
    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in self {
                group.addTask { try await service.run() }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}
