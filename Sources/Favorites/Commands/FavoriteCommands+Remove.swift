package import APOD
internal import Mirror
internal import Platform

/// The action `favorites remove`.
extension FavoriteCommands {
    package struct Removal: Hashable, Sendable {
        package let day: Day
        /// The names of the links that were deleted.
        package let names: [FavoriteName]
    }

    /// Removes favorites, also missing ones: deletes their links, and requests to forget them at once.
    ///
    /// - Parameter texts: Names in `favorites/`, or days: see ``DayArgument``.
    /// - Returns: For each favorite what was removed, or an error: ``FavoriteError/files(_:)``, and nothing
    ///   is deleted, if it has files with content of their own.
    /// - Throws: An error of reading the records or `favorites/`.
    package func remove(_ texts: [String]) throws -> [Result<Removal, any Error>] {
        let snapshot = try readSnapshot()
        try snapshot.requireReadableFolder()
        var removed: Set<Day> = []
        return texts.compactMap { text -> Result<Removal, any Error>? in
            do {
                guard let day = try snapshot.day(called: text) ?? dayArgument(text),
                    snapshot.changes.favorites[day] != nil
                else { throw FavoriteError.noFavorite(text) }
                guard removed.insert(day).inserted else { return nil }
                return .success(try remove(day, in: snapshot))
            } catch {
                return .failure(error)
            }
        }
    }

    private func remove(_ day: Day, in snapshot: Snapshot) throws -> Removal {
        let references = snapshot.classified.references.filter { $0.day == day }
        let files = references.filter { !$0.kind.isPointer }.map(\.name)
        guard files.isEmpty else { throw FavoriteError.files(files) }
        let names = references.map(\.name).sorted()
        // A link that the scan did not find may be at a path that cannot be read.
        let recordedNames = snapshot.changes.favorites[day]?.names ?? []
        if !names.isEmpty, let failure = snapshot.classified.failures.first,
            !Set(recordedNames).isSubset(of: names)
        {
            throw failure.error
        }
        // The request comes first: a daemon scans as soon as a link is deleted.
        try requestForget([day])
        do {
            // If one link cannot be deleted, all stay.
            for name in names { try checkRemovable(name) }
            for name in names { try links.remove(name) }
        } catch {
            // The request would remove the favorite as soon as its links are missing. That the links stay is
            // the error to report, also if the request stays.
            try? store.removeForgetRequests([day])
            throw error
        }
        return Removal(day: day, names: names)
    }

    /// Throws unless this user may delete the link called `name`.
    private func checkRemovable(_ name: FavoriteName) throws {
        do {
            try tree.root.folder(name.folderPath)?.checkRemovable(name.last)
        } catch {
            throw error.isPermissionDenied ? notPermitted(error, name) : error
        }
    }

    /// Removes all missing favorites; returns their days.
    package func removeMissing() throws -> [Day] {
        let snapshot = try readSnapshot()
        try snapshot.requireReadableFolder()
        let days = snapshot.missing.keys.sorted()
        try requestForget(days)
        return days
    }

    private func requestForget(_ days: [Day]) throws {
        do {
            for day in days { try store.requestForget(day) }
        } catch {
            // A full or read-only disk prevents the user of the daemon, too.
            throw error.isNoSpace || error.isReadOnly ? error : FavoriteError.cannotRequest(error)
        }
    }
}
