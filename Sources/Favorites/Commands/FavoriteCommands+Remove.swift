package import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// The commands “favorites remove” and “favorites restore”.
extension FavoriteCommands {
    package struct Removal: Hashable, Sendable {
        package let day: Day
        /// The names of the links that were deleted.
        package let names: [FavoriteName]
    }

    /// Removes favorites, also missing ones: deletes their links, and requests to forget them at once.
    ///
    /// - Parameter texts: Names in `favorites/`, or arguments of ``add(_:as:)``.
    /// - Returns: For each favorite what was removed, or an error: ``FavoriteError/files(_:)``, and nothing
    ///   is deleted, if it has files with content of their own.
    /// - Throws: An error of reading the records or `favorites/`.
    package func remove(_ texts: [String]) throws -> [Result<Removal, any Error>] {
        let snapshot = try snapshot()
        try snapshot.requireReadableFolder()
        var days: Set<Day> = []
        return texts.compactMap { text -> Result<Removal, any Error>? in
            do {
                guard let day = try snapshot.day(called: text) ?? argument(text),
                    snapshot.changes.favorites[day] != nil
                else { throw FavoriteError.noFavorite(text) }
                guard days.insert(day).inserted else { return nil }
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
        // A link that the scan did not find may be at a path that cannot be read.
        let names = snapshot.changes.favorites[day]?.names ?? []
        if !references.isEmpty, let failure = snapshot.classified.failures.first,
            !Set(names).isSubset(of: references.map(\.name))
        {
            throw failure.error
        }
        // Before the links are deleted, because a daemon scans then.
        try requestForget([day])
        var current: FavoriteName?
        do {
            // No link is deleted if one cannot be.
            for reference in references {
                current = reference.name
                try tree.root.folder(reference.name.folderPath)?
                    .checkRemovable(reference.name.last)
            }
            for reference in references {
                current = reference.name
                try links.remove(reference.name)
            }
        } catch {
            // The request would remove the favorite as soon as its links are missing.
            try? store.removeForgetRequests([day])
            if let current, error.isPermissionDenied { throw notPermitted(error, current) }
            throw error
        }
        return Removal(day: day, names: references.map(\.name).sorted())
    }

    /// Removes all missing favorites; returns their days.
    package func removeMissing() throws -> [Day] {
        let snapshot = try snapshot()
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

    // MARK: restore

    /// The removed favorites that are in the trash, the newest day first.
    package func removedFavorites() throws -> [Favorite] {
        let snapshot = try snapshot()
        return try store.removedFavorites().values.filter { !snapshot.isPresent($0.day) }
            .sorted { $0.day > $1.day }
    }

    /// Restores the links of the missing and removed favorites that `texts` name, else of all missing ones.
    ///
    /// - Returns: For each favorite the names of its links, or ``FavoriteError`` or the error of a link.
    /// - Throws: An error of reading the records or `favorites/`.
    package func restore(
        _ texts: [String] = [], isDryRun: Bool
    ) throws -> [Result<[FavoriteName], any Error>] {
        let snapshot = try snapshot()
        try snapshot.requireReadableFolder()
        var favorites = Array(snapshot.missing.values)
        var unknown: [Result<[FavoriteName], any Error>] = []
        if !texts.isEmpty {
            let removed = try store.removedFavorites()
            favorites = []
            for text in texts {
                do {
                    let named = try favorite(called: text, in: snapshot, removed)
                    if !favorites.contains(named) { favorites.append(named) }
                } catch {
                    unknown.append(.failure(error))
                }
            }
        }
        var plan = LinkPlan()
        let make: MakeLink? =
            isDryRun
            ? { name, _ throws(SystemError) in try plan.add(name, in: tree) } : nil
        let results = favorites.sorted { $0.day < $1.day }.map { favorite in
            Result { try makeLinks(to: favorite.day, favorite.names, snapshot.files, by: make) }
        }
        return unknown + results
    }

    /// The missing favorite that `text` names, else the removed one.
    private func favorite(
        called text: String, in snapshot: Snapshot, _ removed: [Day: Favorite]
    ) throws(FavoriteError) -> Favorite {
        let missing = snapshot.missing
        let named = missing.values.called(text) ?? removed.values.called(text)
        guard
            let day = named?.day ?? snapshot.day(called: text)
                ?? (try? day(text, in: snapshot.classified))
        else { throw .notRemoved(text) }
        if let favorite = missing[day] ?? removed[day] { return favorite }
        throw snapshot.isPresent(day)
            ? FavoriteError.notMissing(text) : FavoriteError.notRemoved(text)
    }
}

extension FavoriteCommands.Snapshot {
    /// The day of the item called `text`, else of the favorite whose item had that name.
    fileprivate func day(called text: String) -> Day? {
        classified.references.first { $0.name.isCalled(text) }?.day
            ?? changes.favorites.values.called(text)?.day
    }
}

extension FavoriteName {
    /// Whether `text` is the name, unchanged or as `favorites list` prints it.
    fileprivate func isCalled(_ text: String) -> Bool {
        bytes.elementsEqual(text.utf8) || escaped == text
    }
}

extension Sequence<Favorite> {
    /// The favorite whose item has or had the name `text`; of several, the one that was present last.
    fileprivate func called(_ text: String) -> Favorite? {
        filter { $0.names.contains { $0.isCalled(text) } }
            .max { $0.lastPresent < $1.lastPresent }
    }
}
