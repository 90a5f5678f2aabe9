internal import Maintenance
package import Mirror
package import Platform
internal import Thumbnails
internal import Views

/// Builds the parts of a mirror in the order of their dependence, and runs them: as a daemon, or once.
///
/// The parts do not know each other; what one does for another is a closure of ``MirrorContext``.
package struct MirrorAssembly: Sendable {
    private let context: MirrorContext
    private let metrics: MetricsWriter
    private let verification: Verification
    private let favorites: FavoritesService
    private let synchronizer: Synchronizer
    /// `nil` without thumbnails.
    private let thumbnails: ThumbnailService?
    private let views: ViewService
    /// Requests that arrive during a reload are one.
    private let reloads = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// The tree is open for writing.
    package init(
        _ settings: Settings, tree: Tree, log: Log, apiKey: String?,
        notifying manager: ServiceManager
    ) throws {
        context = try MirrorContext(settings, tree, log, manager)
        // Before the first scan: it recognizes links in favorites/ by the paths that this records.
        context.recordRootPaths()
        metrics = context.makeMetrics()
        verification = context.makeVerification()
        favorites = context.makeFavorites(metrics, verification)
        synchronizer = context.makeSynchronizer(apiKey: apiKey, favorites, verification)
        let pictures = settings.views.makesThumbnails ? Thumbnails(store: context.store) : nil
        thumbnails = pictures.map(context.makeThumbnailService)
        views = context.makeViews(pictures, metrics, favorites)
    }

    // MARK: The daemon

    /// Runs all services concurrently until the task is cancelled or one of them throws.
    ///
    /// Cancellation is the only shutdown; it leaves no partial file.
    package func run() async throws {
        let mirror = makeMirrorService()
        var services: [any DaemonService] = [favorites, mirror, views]
        var heartbeats = [favorites.heartbeat, mirror.heartbeat, views.changes.heartbeat]
        if let thumbnails {
            services.append(thumbnails)
            heartbeats.append(thumbnails.listener.heartbeat)
        }
        if let interval = context.manager.watchdogTimeout {
            let manager = context.manager
            services.append(
                Watchdog(interval: interval, heartbeats: heartbeats, log: context.log) {
                    manager.notify(.alive)
                })
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in services { group.addTask { try await service.run() } }
            group.addTask { try await handleReloads() }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func makeMirrorService() -> MirrorService {
        MirrorService(
            synchronizer: synchronizer, schedule: Schedule(mirror: context.tree.id),
            log: context.log, wakeReasons: context.wakeReasons, changes: context.changes,
            didReceive: { event in context.notifier.update { $0.record(event) } },
            willSync: { verifier.prepareSync() },
            didSync: { [context] summary in
                // Others may have changed the tree since the walk of the sync: the views walk again.
                context.store.snapshots.release()
                context.notifier.update { $0.record(summary) }
                favorites.requestScan()
                context.viewChanges.post(.days)
            },
            verify: { verifier.run(after: $0) },
            willSleep: { metrics.record($0, nextSync: $1) })
    }

    private var verifier: VerifyLogger {
        VerifyLogger(
            verification: verification, log: context.log, changes: context.changes,
            requestScan: favorites.requestScan)
    }

    /// Syncs, scans the favorites and updates all views now.
    package func reload() {
        reloads.continuation.yield()
        context.changes.broadcast(.all)
    }

    /// Reports a reload as finished after the scan, without waiting for the sync, which may take hours.
    private func handleReloads() async throws {
        for await _ in reloads.stream {
            context.manager.notify(.reloading)
            context.wakeReasons.send(.sync)
            try await favorites.scanNow()
            context.manager.notify(.ready)
        }
    }

    // MARK: A single run

    /// Syncs once, with all that the services of the daemon do before and after a sync.
    ///
    /// `showing` consumes the events of the sync; the number beside them is ``Synchronizer/traffic``.
    package func runOnce(
        showing show: (SyncEvents, Monitor<Int>) async -> SyncSummary
    ) async -> SingleRun {
        var run = SingleRun()
        // Before the sync, to download favorites first; after it, to link the new days.
        let first = await favorites.scanOnce()
        verifier.recoverCopy()
        run.summary = await syncBesideThumbnails(show)
        context.store.snapshots.release()
        let second = await favorites.scanOnce()
        if let error = first ?? second {
            run.failures.append(("cannot record all favorites: \(error)", error))
        }
        verifySuspects()
        if let thumbnails, !Task.isCancelled {
            run.hasThumbnailer = thumbnails.isAvailable
            run.thumbnails = await thumbnails.makeMissing(ignoresBackoff: true)
        }
        metrics.writeOnce(hasDownloaded: synchronizer.traffic.withLock { $0 > 0 })
        for failure in await views.update().failures {
            run.failures.append(("\(failure)", failure.error as? SystemError))
        }
        return run
    }

    /// Makes the thumbnails of downloaded days during the sync.
    private func syncBesideThumbnails(
        _ show: (SyncEvents, Monitor<Int>) async -> SyncSummary
    ) async -> SyncSummary {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await thumbnails?.run() }
            defer { group.cancelAll() }
            return await show(synchronizer.sync(retry: .anyFailure), synchronizer.traffic)
        }
    }

    /// Verifies the days with known damage again, which the sync may have repaired.
    private func verifySuspects() {
        let suspects = verification.suspects
        guard !suspects.isEmpty, !Task.isCancelled else { return }
        do {
            _ = try verification.verify(.days(suspects))
        } catch {
            context.log.error("apod-mirror: cannot verify damaged days: \(error)")
        }
    }
}
