package import APOD
internal import Mirror
internal import Platform

/// The action `favorites remove`.
extension FavoriteCommands {
    package struct Removal: Hashable, Sendable {
        package let day: Day
        /// The names of the links that were deleted.
        package let names: [FavoriteName]
        /// Whether the favorite is removed at the next scan; otherwise when its links were missing for a minute, as
        /// after a person deletes them.
        package let isImmediate: Bool
    }

    /// Removes favorites, also missing ones: deletes their links, and asks the daemon to remove them at once.
    ///
    /// - Parameter texts: Names in `favorites/`, or days: see ``DayArgument``.
    /// - Returns: For each text what was removed, or an error; a favorite that is named twice comes once. One that
    ///   has files with content of their own stays as it is: ``FavoriteError/containsFiles(_:)``.
    /// - Throws: An error of reading the records or `favorites/`.
    package func remove(_ texts: [String]) throws -> [Result<Removal, any Error>] {
        let survey = try survey()
        try survey.requireReadableFolder()
        var removed: Set<Day> = []
        return texts.compactMap { text -> Result<Removal, any Error>? in
            do {
                guard let day = try survey.day(ofItem: text) ?? dayArgument(text),
                    let favorite = survey.reconciliation.favorites[day]
                else { throw FavoriteError.notAFavorite(text) }
                guard removed.insert(day).inserted else { return nil }
                return .success(try remove(favorite, in: survey))
            } catch {
                return .failure(error)
            }
        }
    }

    private func remove(_ favorite: Favorite, in survey: Survey) throws -> Removal {
        let references = survey.classified.references.filter { $0.day == favorite.day }
        let files = references.filter { !$0.kind.isRemovable }.map(\.name)
        guard files.isEmpty else { throw FavoriteError.containsFiles(files) }
        let names = references.map(\.name).sorted()
        // A link that could not be read would make the day a favorite again.
        if !favorite.isMissing, let failure = survey.failure(ofLinksTo: favorite, besides: names) {
            throw failure
        }
        // The request comes first: a daemon scans as soon as a link is deleted.
        let isRequested: Bool
        do {
            try requestForget([favorite.day])
            isRequested = true
        } catch FavoriteError.requestFailed(let error)
            where error.isPermissionDenied && !names.isEmpty
        {
            // A member of the group may delete links, and write no requests.
            isRequested = false
        }
        do {
            // Before the first is deleted, because all are to stay if one cannot be.
            for name in names { try checkRemovable(name) }
            for name in names { try links.remove(name) }
        } catch {
            // The request would remove the favorite as soon as its last link is missing. If it cannot be
            // withdrawn, the error of the link is still the one to report.
            try? store.removeForgetRequests([favorite.day])
            throw error
        }
        return Removal(day: favorite.day, names: names, isImmediate: isRequested)
    }

    /// Throws unless this user may delete the link called `name`.
    private func checkRemovable(_ name: FavoriteName) throws {
        do {
            try tree.root.folder(name.folderPath)?.checkRemovable(name.last)
        } catch {
            throw error.isPermissionDenied ? notPermitted(error, name) : error
        }
    }

    /// Asks the daemon to remove all missing favorites; returns their days.
    package func removeMissing() throws -> [Day] {
        let survey = try survey()
        try survey.requireReadableFolder()
        let days = survey.missing.keys.sorted()
        try requestForget(days)
        return days
    }

    /// Writes requests to the daemon, all or none; the daemon may have applied some before an error.
    private func requestForget(_ days: [Day]) throws {
        var requested: [Day] = []
        do {
            for day in days {
                // Before the request is made: one that fails may exist.
                requested.append(day)
                try store.requestForget(day)
            }
        } catch {
            // One that cannot be withdrawn does not change which error is reported.
            for day in requested { try? store.removeForgetRequests([day]) }
            // The advice to run as the user of the daemon would not help on a full or read-only disk.
            throw error.isNoSpace || error.isReadOnly ? error : FavoriteError.requestFailed(error)
        }
    }
}
