internal import APOD
internal import Favorites
internal import Maintenance
internal import Mirror
internal import Platform
internal import Thumbnails
internal import Transfer
internal import Views

/// Makes the parts of a ``MirrorAssembly`` whose reports concern other parts, and passes these reports on.
extension MirrorContext {
    func makeFavorites(reportingTo lastRun: LastRunWriter) -> FavoritesService {
        FavoritesService(of: store, log: log, changes: changes) { event in
            handle(event, lastRun)
        }
    }

    private func handle(_ event: FavoritesService.Event, _ lastRun: LastRunWriter) {
        switch event {
        case .modeChanged(let mode): lastRun.record(mode)
        case .recorded: start.firstRecords.resume()
        case .syncNeeded: wakeReasons.send(.request)
        case .reconciled(let reasons, let outcome):
            if outcome.didRestorePictures || reasons.contains(.mounted) {
                store.snapshots.invalidate()
            }
            notifier.update { $0.record(outcome) }
        case .ended(let error):
            if error?.isCancelled == true { return }
            lastRun.record(error.map(WriteFailure.init(ofFavorites:)), of: .favorites)
        case .scanned:
            start.firstRecords.resume()
            start.firstScan.resume()
        }
    }

    func makeSynchronizer(
        favorites: FavoritesService, verification: Verification
    ) -> Synchronizer {
        let client = settings.client()
        return Synchronizer(
            routes: settings.routes(through: client), client: client, store: store,
            options: synchronizerOptions,
            wantedFavorites: { favorites.wantedFavorites },
            // They are read again before each removal: a favorite may have been added since the last scan.
            favorites: { [store] in try FavoriteCommands(of: store).protectedDays() },
            damagedDays: { verification.daysToDownload },
            downloadDidEnd: { [wakeReasons] in wakeReasons.send(.freeSlot) })
    }

    private var synchronizerOptions: Synchronizer.Options {
        Synchronizer.Options(
            since: settings.since, jobs: settings.jobs,
            downloadsVideos: settings.downloadsVideos, rechecks: settings.rechecks,
            keep: settings.keep, mirrors: settings.mirrors)
    }

    /// Makes the service that updates the views; `thumbnails` and `newDay` are `nil` if the settings do not ask for them.
    func makeViews(
        thumbnails: Thumbnails?, lastRun: LastRunWriter, favorites: FavoritesService,
        newDay: NewDayService?
    ) -> ViewService {
        let views = allViews.compactMap { $0.init(settings.views) }
        return ViewService(views: views, changes: viewChanges, log: log) {
            try viewInput(thumbnails)
        } didUpdate: { round in
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
