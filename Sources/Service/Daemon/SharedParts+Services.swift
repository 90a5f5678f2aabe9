internal import APOD
internal import Favorites
internal import Maintenance
internal import Mirror
internal import Platform
internal import Thumbnails
internal import Transfer
internal import Views

/// Makes the services. What follows from their reports is in SharedParts+Reports.swift.
extension SharedParts {
    /// Makes the service that scans `favorites/` and records the favorites.
    func makeFavoritesService() -> FavoritesService {
        FavoritesService(of: store, log: log, changes: changes, notify: handle)
    }

    /// Makes what syncs with NASA; it asks `favorites` and `verification` which days to download besides new ones.
    func makeSynchronizer(favorites: FavoritesService, verification: Verification) -> Synchronizer {
        let client = settings.client()
        return Synchronizer(
            routes: settings.routes(through: client), client: client, store: store,
            options: .init(
                since: settings.since, jobs: settings.jobs,
                downloadsVideos: settings.downloadsVideos, rechecks: settings.rechecks,
                keep: settings.keep, mirrors: settings.mirrors),
            wantedFavorites: { favorites.wantedFavorites },
            scannedFavorites: { favorites.scannedFavorites },
            // The favorites are read before each removal: one may have been added since the last scan.
            favorites: { try FavoriteCommands(of: store).protectedDays() },
            damagedDays: { verification.daysToDownload },
            downloadDidEnd: { wakeReasons.send(.freeSlot) })
    }

    /// Makes the service that runs the command of `--on-new` for each new day; `nil` without that setting.
    func makeNewDayService(thumbnails: Thumbnails?) -> NewDayService? {
        settings.onNew.map { command in
            NewDayService(
                command: command, thumbnails: thumbnails, store: store, log: log, changes: changes,
                dayAtStart: try? store.dayInLatestRecord())
        }
    }

    /// Makes the service that makes missing `thumbnails`.
    func makeThumbnailService(_ thumbnails: Thumbnails) -> ThumbnailService {
        ThumbnailService(thumbnails: thumbnails, log: log, changes: changes) { summary in
            record(summary, of: thumbnails)
        }
    }

    /// Makes the service that updates the gallery and all other views, which are made from pictures and records.
    func makeViewService(
        thumbnails: Thumbnails?, favorites: FavoritesService, newDay: NewDayService?
    ) -> ViewService {
        let views = allViews.compactMap { $0.init(settings.views) }
        return ViewService(
            views: views, changes: viewListener, log: log, input: { try viewInput(thumbnails) }
        ) { round in
            record(round, favorites: favorites)
            newDay?.viewsDidUpdate(showing: round.shownDay)
        }
    }

    /// Reads what the views are made from.
    private func viewInput(_ thumbnails: Thumbnails?) throws -> ViewInput {
        var favorites: StoredFavorites?
        var favoritesError: SystemError?
        do throws(SystemError) {
            favorites = try FavoriteStore(tree: tree).storedFavorites()
        } catch {
            guard !error.concernsEveryFile else { throw error }
            favoritesError = error
        }
        return try ViewInput(
            store: store, snapshot: store.snapshots.current(), favorites: favorites?.days ?? [],
            collections: favorites?.collections ?? [:], favoritesError: favoritesError,
            thumbnails: thumbnails)
    }
}
