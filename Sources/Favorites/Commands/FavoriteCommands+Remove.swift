package import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// The action `favorites remove`: it deletes links, and asks the daemon to forget the favorites.
extension FavoriteCommands {
    package struct Removal: Hashable, Sendable {
        package let day: Day
        /// The names of the links that were deleted.
        package let names: [FavoriteName]
        /// Whether the next scan removes the favorite, or only one after a minute, as when a person deletes its links.
        package let isImmediate: Bool
    }

    /// Removes favorites, also missing ones.
    ///
    /// - Parameter texts: Names in `favorites/`, or days: see ``DayArgument``.
    /// - Returns: For each text what was removed, or an error; a favorite that is named twice comes once. A favorite
    ///   that has files with content of their own stays as it is.
    /// - Throws: An error of reading the records or `favorites/`.
    package func remove(_ texts: [String]) throws -> [Result<Removal, any Error>] {
        let survey = try survey()
        try survey.requireReadableFolder()
        var removed: Set<Day> = []
        return texts.compactMap { text -> Result<Removal, any Error>? in
            do {
                guard let day = try survey.day(ofItem: pathInMirror(text)) ?? dayArgument(text),
                    let favorite = survey.reconciliation.favorites[day]
                else {
                    throw FavoriteError.refused(
                        "“\(text)” is not a favorite; “favorites list” lists all")
                }
                guard removed.insert(day).inserted else { return nil }
                return .success(try remove(favorite, in: survey))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Asks the daemon to remove all missing favorites; returns their days.
    package func removeMissing() throws -> [Day] {
        let survey = try survey()
        try survey.requireReadableFolder()
        let days = survey.missing.keys.sorted()
        for day in days { try requestForget(day) }
        return days
    }

    private func remove(_ favorite: Favorite, in survey: Survey) throws -> Removal {
        let references = survey.classified.references.filter { $0.day == favorite.day }
        let files = references.filter { !$0.kind.isRemovable }.map(\.name)
        if let file = files.first {
            let others = files.count > 1 ? " (and \(files.count - 1) more)" : ""
            throw FavoriteError.refused(
                "favorites/\(file.text) is a file, not a link\(others); remove it with rm if you do not need it"
            )
        }
        let items = references.map(\.item).sorted { $0.name < $1.name }
        let names = items.map(\.name)
        try checkAllFound(favorite, among: names, survey.failures)
        // Without a daemon, a link may be newer than the record: what is removed goes to the trash as it is here.
        if mirror.isWritable, survey.book.favorites[favorite.day] != favorite {
            try record(survey.targets.withTitle(favorite))
        }
        // All links are checked before the first is deleted, because all are to stay if one cannot be deleted.
        for item in items { try checkRemovable(item) }
        for name in names { try tree.root.removeDurably(name.path) }
        do {
            try requestForget(favorite.day)
        } catch {
            // A member of the group may delete links, and write no requests.
            guard !names.isEmpty else { throw error }
            return Removal(day: favorite.day, names: names, isImmediate: false)
        }
        return Removal(day: favorite.day, names: names, isImmediate: true)
    }

    /// Throws the error of one of `failures` if `favorite` may have an item there that was not found: that item would
    /// make its day a favorite again.
    private func checkAllFound(
        _ favorite: Favorite, among found: [FavoriteName],
        _ failures: [DirectoryListing.UnreadableItem]
    ) throws(SystemError) {
        guard !Set(favorite.names).isSubset(of: found) else { return }
        // Even a favorite that is held may have its link at a path that could not be read.
        let paths = Set(favorite.names.flatMap { $0.folders + [$0] }.map(\.bytes))
        if let failure = failures.first(where: { paths.contains($0.path) }) { throw failure.error }
        if !favorite.isMissing, let failure = failures.first { throw failure.error }
    }

    /// Records a favorite that is about to be removed; on a full disk, it is removed without a new record.
    private func record(_ favorite: Favorite) throws(SystemError) {
        do throws(SystemError) {
            try store.write([favorite])
            try store.flush()
        } catch {
            guard error.isNoSpace else { throw error }
        }
    }

    /// Throws unless this user may delete the link `item`, and it is as it was scanned.
    private func checkRemovable(_ item: ScannedItem) throws {
        let name = item.name
        do {
            try tree.root.folder(name.folderPath)?.checkRemovable(name.last)
        } catch {
            throw error.code == EACCES ? notPermitted(error, name) : error
        }
        guard try links.isUnchanged(item) else {
            throw FavoriteError.refused(
                "favorites/\(name.text) was replaced meanwhile; run the command again")
        }
    }

    private func requestForget(_ day: Day) throws {
        do {
            try store.requestForget(day)
        } catch {
            // The user of the daemon could not write on a full or read-only disk either.
            throw error.isNoSpace || error.isReadOnly
                ? error
                : FavoriteError.refused("\(error); run the command as the user of the daemon")
        }
    }
}
