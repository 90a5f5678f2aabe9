package import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// The action `favorites remove`: it deletes links, and asks the daemon to forget the favorites.
///
/// A forgotten favorite is removed by the next scan. Otherwise the daemon waits for a minute after a link is gone.
extension FavoriteCommands {
    /// A favorite whose links a command has deleted.
    package struct Removal: Hashable, Sendable {
        package let day: Day
        /// The names of the links that were deleted.
        package let names: [FavoriteName]
        /// Whether the next scan removes the favorite; otherwise that takes a minute, as when a person deletes its links.
        package let isImmediate: Bool
    }

    /// Removes the favorites that `arguments` name, whether they have links or not.
    ///
    /// An argument is the name of an item in `favorites/`, or a day, see ``DayArgument``. A favorite that has a file of its own
    /// instead of a link is refused, because the file may be all that is left of it.
    ///
    /// - Returns: For each argument what was removed, or an error. A second argument for the same favorite is left out.
    /// - Throws: An error of reading the records or `favorites/`.
    package func remove(_ arguments: [String]) throws -> [Result<Removal, any Error>] {
        let survey = try survey()
        try survey.requireReadableFolder()
        var removed: Set<Day> = []
        return arguments.compactMap { argument -> Result<Removal, any Error>? in
            do {
                guard
                    let day = try survey.day(ofItem: shortened(argument))
                        ?? dayArgument(argument),
                    let favorite = survey.reconciliation.favorites[day]
                else {
                    throw FavoriteError.refused(
                        "“\(argument)” is not a favorite; “favorites list” lists all")
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
        try checkAllFound(favorite, among: names, unreadable: survey.failures)
        // Without a daemon, the record may be older than the links. The trash is to get the links that are deleted now.
        if mirror.isWritable, survey.stored.favorites[favorite.day] != favorite {
            try record(survey.mirrored.withTitle(favorite))
        }
        // All links are checked before the first is deleted, because all are to stay if one cannot be deleted.
        for item in items { try checkRemovable(item) }
        for name in names { try tree.root.removeDurably(name.path) }
        do {
            try requestForget(favorite.day)
        } catch {
            // A member of the group apod-favorites may delete links, but may not write requests.
            guard !names.isEmpty else { throw error }
            return Removal(day: favorite.day, names: names, isImmediate: false)
        }
        return Removal(day: favorite.day, names: names, isImmediate: true)
    }

    /// Throws if an item of `favorite` may be at an `unreadable` place, because it would make the day a favorite again.
    private func checkAllFound(
        _ favorite: Favorite, among found: [FavoriteName],
        unreadable: [DirectoryListing.UnreadableItem]
    ) throws(SystemError) {
        guard !Set(favorite.names).isSubset(of: found) else { return }
        let paths = Set(favorite.names.flatMap { $0.folders + [$0] }.map(\.bytes))
        if let place = unreadable.first(where: { paths.contains($0.path) }) { throw place.error }
        // The items of a missing favorite were gone before. Those of any other may have got a name at any unreadable place.
        if !favorite.isMissing, let place = unreadable.first { throw place.error }
    }

    /// Records a favorite that is about to be removed, unless the disk is full.
    private func record(_ favorite: Favorite) throws(SystemError) {
        do throws(SystemError) {
            try store.write([favorite])
            try store.flush()
        } catch {
            guard error.isNoSpace else { throw error }
        }
    }

    /// Throws unless this user may delete the link `item`, and the link is as it was scanned.
    private func checkRemovable(_ item: ScannedItem) throws {
        let name = item.name
        do {
            try tree.root.folder(name.folderPath)?.checkRemovable(name.last)
        } catch {
            throw error.code == EACCES ? permissionError(after: error, for: name) : error
        }
        guard try links.mayDelete(item) else {
            throw FavoriteError.refused(
                "favorites/\(name.text) was replaced meanwhile; run the command again")
        }
    }

    private func requestForget(_ day: Day) throws {
        do {
            try store.requestForget(day)
        } catch {
            // On a full or read-only disk, the user of the daemon could not write the request, either.
            throw error.isNoSpace || error.isReadOnly
                ? error
                : FavoriteError.refused("\(error); run the command as the user of the daemon")
        }
    }
}
