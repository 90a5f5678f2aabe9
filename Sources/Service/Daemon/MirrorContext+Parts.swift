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
            passOn(event, to: lastRun)
        }
    }

    private func passOn(_ event: FavoritesService.Event, to lastRun: LastRunWriter) {
        switch event {
        case .modeChanged(let mode): lastRun.recordWatching(mode)
        case .recorded: start.favoritesRecorded.resume()
        case .syncNeeded: wakeReasons.send(.request)
        case .reconciled(let reasons, let outcome):
            // Other days may have files now: of pictures that a person moved, or of another disk that was mounted.
            if outcome.didRestorePictures || reasons.contains(.mounted) {
                store.snapshots.invalidate()
            }
            notifier.update { $0.record(outcome) }
        case .ended(let error):
            if error?.isCancelled == true { return }
            lastRun.record(error.map(WriteFailure.init(ofFavorites:)), of: .favorites)
        case .scanned:
            // A scan that failed or is slow may not have reported `.recorded`.
            start.favoritesRecorded.resume()
            start.firstScanEnded.resume()
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
            // The favorites are read before each removal: one may have been added since the last scan.
            favorites: { try FavoriteCommands(of: store).protectedDays() },
            damagedDays: { verification.daysToDownload },
            downloadDidEnd: { wakeReasons.send(.freeSlot) })
    }

    func makeThumbnailService(
        _ thumbnails: Thumbnails?, reportingTo lastRun: LastRunWriter
    ) -> ThumbnailService? {
        guard let thumbnails else { return nil }
        return ThumbnailService(thumbnails: thumbnails, log: log, changes: changes) { summary in
            // The rounds until the next attempt do not show that the file can be written.
            guard summary.diskFailure != nil || !thumbnails.hasDiskErrors else { return }
            lastRun.record(summary.diskFailure, of: .thumbnails)
        }
    }

    /// Makes the service that runs the command of `--on-new`; `nil` without that setting.
    func makeNewDayService(thumbnails: Thumbnails?) -> NewDayService? {
        settings.onNew.map { command in
            NewDayService(
                command: command, thumbnails: thumbnails, store: store, log: log, changes: changes)
        }
    }

    /// Makes the service that updates the views; `thumbnails` and `newDay` are `nil` if the settings do not ask for them.
    func makeViews(
        thumbnails: Thumbnails?, lastRun: LastRunWriter, favorites: FavoritesService,
        newDay: NewDayService?
    ) -> ViewService {
        let views = allViews.compactMap { $0.init(settings.views) }
        return ViewService(
            views: views, changes: viewChanges, log: log, input: { try viewInput(thumbnails) }
        ) { round in
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

extension LastRunWriter {
    /// Records what an update of the views could not write.
    func record(_ round: ViewService.Round) {
        if let paths = round.inTheWay { record(inTheWay: paths) }
        // A view that was not updated before the end of the process has not failed.
        if !Task.isCancelled { record(round.failures.first, of: .views) }
    }
}
