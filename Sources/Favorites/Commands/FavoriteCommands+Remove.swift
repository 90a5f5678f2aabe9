package import APOD
internal import Glibc
internal import Mirror
package import Platform

/// The action `favorites remove`: it deletes links in `favorites/`, and asks the daemon to forget the favorites.
///
/// A forgotten favorite is removed by the next scan of the folder. Without this request, the daemon waits for a minute after a
/// link is gone, in case it returns.
extension FavoriteCommands {
    /// A favorite whose links a command has deleted.
    package struct Removal: Hashable, Sendable {
        package let day: Day
        /// The names of the links that were deleted.
        package let names: [FavoriteName]
        /// Whether the daemon removes the favorite only after a minute, because the request could not be written.
        package var isDelayed = false
        /// Why other links are left, by which the day stays a favorite; `nil` if all were deleted.
        package var failure: SystemError?
    }

    /// Removes the favorites that `arguments` name, whether they have links or not.
    ///
    /// An argument is the name of an item in `favorites/`, or a day, see ``DayArgument``. A favorite that has a file of its own
    /// instead of a link is refused, because the file may be all that is left of it. A shortcut as the mirror makes it in place of
    /// a link counts as a link.
    ///
    /// - Returns: For each argument what was removed, or an error; nothing for a second argument that names the same favorite.
    /// - Throws: An error of reading the records or `favorites/`.
    package func remove(_ arguments: [String]) throws -> [Result<Removal, any Error>] {
        let survey = try survey()
        try requireReadableFolder(of: survey)
        var results: [Result<Removal, any Error>] = []
        var seen: Set<Day> = []
        for argument in arguments {
            do {
                let favorite = try favorite(called: argument, in: survey)
                guard seen.insert(favorite.day).inserted else { continue }
                results.append(.success(try removeFavorite(favorite, in: survey)))
            } catch {
                results.append(.failure(error))
            }
        }
        return results
    }

    /// Asks the daemon to remove all favorites without a link: those that are held, and those that it removes after a minute.
    ///
    /// - Returns: Their days.
    package func removeMissing() throws -> [Day] {
        let survey = try survey()
        try requireReadableFolder(of: survey)
        let days = survey.missing.keys.sorted()
        for day in days { try requestForget(day) }
        return days
    }

    private func favorite(called argument: String, in survey: Survey) throws -> Favorite {
        let itemDay = survey.day(ofItem: relativePath(of: argument))
        guard let day = try itemDay ?? dayArgument(argument),
            let favorite = survey.reconciliation.favorites[day]
        else {
            throw FavoriteError.refused(
                "“\(argument)” is not a favorite; “favorites list” lists all")
        }
        return favorite
    }

    // MARK: One favorite

    private func removeFavorite(_ favorite: Favorite, in survey: Survey) throws -> Removal {
        let items = try removableLinks(of: favorite, in: survey)
        try recordLinks(of: favorite, in: survey)
        // All links are checked before the first is deleted, because all are to stay if one cannot be deleted.
        for item in items { try checkRemovable(item) }
        return try deleteLinks(named: items.map(\.name), of: favorite.day)
    }

    /// Deletes links that have been checked, and asks the daemon to forget their day.
    private func deleteLinks(named names: [FavoriteName], of day: Day) throws -> Removal {
        do throws(SystemError) {
            for name in names { try tree.root.removeDurably(name.path) }
        } catch {
            let deleted = names.filter { tree.root.isCertainlyMissing($0.path) }
            guard !deleted.isEmpty else { throw error }
            return Removal(day: day, names: deleted, failure: error)
        }
        do {
            try requestForget(day)
        } catch  where !names.isEmpty {
            // The daemon notices the deleted links even if the request fails for any reason. For example, a member of the
            // group apod-favorites may delete links, but may not write requests.
            return Removal(day: day, names: names, isDelayed: true)
        }
        return Removal(day: day, names: names)
    }

    // MARK: Checks before the removal

    /// The links of `favorite`, sorted by name.
    ///
    /// - Throws: An error if a file makes the day a favorite, or if not all items of the favorite may have been found.
    private func removableLinks(
        of favorite: Favorite, in survey: Survey
    ) throws -> [ScannedItem] {
        let references = survey.classified.references.filter { $0.day == favorite.day }
        try refuseFiles(among: references)
        let items = references.map(\.item).sorted { $0.name < $1.name }
        try checkAllFound(favorite, among: items.map(\.name), unreadable: survey.failures)
        return items
    }

    /// Throws if a file makes the day a favorite, because the file may be all that is left of a picture.
    private func refuseFiles(among references: [FavoriteReference]) throws {
        let files = try references.filter { reference in
            let isLink = try reference.kind.isRemovable || links.isShortcut(reference)
            return !isLink
        }
        guard let file = files.first?.name else { return }
        let others = files.count > 1 ? " (and \(files.count - 1) more)" : ""
        throw FavoriteError.refused(
            "favorites/\(file.text) is a file, not a link\(others); remove it with rm if you do not need it"
        )
    }

    /// Throws if an item of `favorite` may be at an `unreadable` place, because it would make the day a favorite again.
    private func checkAllFound(
        _ favorite: Favorite, among found: [FavoriteName],
        unreadable: [DirectoryListing.UnreadableItem]
    ) throws(SystemError) {
        if Set(favorite.names).isSubset(of: found) { return }
        let paths = Set(favorite.names.flatMap { $0.folders + [$0] }.map(\.bytes))
        if let place = unreadable.first(where: { paths.contains($0.path) }) { throw place.error }
        // The items of a missing favorite were gone before. Those of any other may have got a name at any unreadable place.
        if !favorite.isMissing, let place = unreadable.first { throw place.error }
    }

    /// Writes the record of a favorite that is about to be removed, unless a daemon does it or the disk is full.
    ///
    /// Without a daemon, the record may be older than the links. A restoration from the trash needs the links of now.
    private func recordLinks(of favorite: Favorite, in survey: Survey) throws(SystemError) {
        let isRecorded = survey.stored.favorites[favorite.day] == favorite
        guard store.isWritable, !isRecorded else { return }
        do throws(SystemError) {
            try favoriteStore.write([survey.mirrored.withTitle(favorite)])
            try favoriteStore.flush()
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
            guard error.code == EACCES else { throw error }
            if error.isOfStickyDirectory {
                throw FavoriteError.refused(
                    "\(error): in a folder with the sticky bit, only the owner of a link may delete it; run the command as"
                        + " that user, or remove the bit with “chmod -t”")
            }
            throw permissionError(after: error, for: name)
        }
        guard try links.mayDelete(item) else {
            throw FavoriteError.refused(
                "favorites/\(name.text) was replaced meanwhile; run the command again")
        }
    }

    private func requestForget(_ day: Day) throws {
        do {
            try favoriteStore.requestForget(day)
        } catch {
            // On a full or read-only disk, the user of the daemon could not write the request, either.
            if error.isNoSpace || error.isReadOnly { throw error }
            throw FavoriteError.refused("\(error); run the command as the user of the daemon")
        }
    }
}
