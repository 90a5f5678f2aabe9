internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// The action `favorites restore`.
///
/// A missing favorite has a record and no link; a removed one has its record in the trash. A favorite that has a link
/// again is neither, also where no scan has taken it out of the trash yet.
extension FavoriteCommands {
    /// The removed favorites, the newest day first.
    package func removedFavorites() throws -> [Favorite] {
        try removedFavorites(readSnapshot()).values.sorted { $0.day > $1.day }
    }

    private func removedFavorites(_ snapshot: Snapshot) throws -> [Day: Favorite] {
        try store.removedFavorites().filter { !snapshot.isPresent($0.key) }
    }

    /// Restores the links of the missing and removed favorites that `texts` name, else of all missing ones.
    ///
    /// - Returns: First an error for each text that names none. Then, for each favorite in the order of days, the names
    ///   of its links or the error of a link.
    /// - Throws: An error of reading the records or `favorites/`.
    package func restore(
        _ texts: [String] = [], isDryRun: Bool
    ) throws -> [Result<[FavoriteName], any Error>] {
        let snapshot = try readSnapshot()
        try snapshot.requireReadableFolder()
        var favorites = texts.isEmpty ? Array(snapshot.missing.values) : []
        var unknown: [Result<[FavoriteName], any Error>] = []
        let removed = try texts.isEmpty ? [:] : removedFavorites(snapshot)
        for text in texts {
            do {
                let named = try favorite(called: text, in: snapshot, removed: removed)
                if !favorites.contains(named) { favorites.append(named) }
            } catch {
                unknown.append(.failure(error))
            }
        }
        // The names that a dry run has given: it makes no links that would take them.
        var planned: Set<FavoriteName> = []
        let results = favorites.sorted { $0.day < $1.day }.map { favorite in
            Result {
                try createLinks(to: favorite.day, named: favorite.names, snapshot.targets) {
                    name, path throws(SystemError) in
                    guard isDryRun else { return try links.make(name, to: path) }
                    guard try tree.root.status(name.path) == nil, planned.insert(name).inserted
                    else { throw SystemError("symlink", path: name.text, code: EEXIST) }
                }
            }
        }
        return unknown + results
    }

    /// The missing favorite that `text` names, else the removed one.
    private func favorite(
        called text: String, in snapshot: Snapshot, removed: [Day: Favorite]
    ) throws(FavoriteError) -> Favorite {
        let missing = snapshot.missing
        let named = missing.values.last(withItem: text) ?? removed.values.last(withItem: text)
        var day = named?.day ?? snapshot.day(ofItem: text)
        // Also an error says that `text` is no day.
        if day == nil { day = try? dayArgument(text) }
        guard let day else { throw .notRestorable(text) }
        if let favorite = missing[day] ?? removed[day] { return favorite }
        throw snapshot.isPresent(day) ? .hasLink(text) : .notRestorable(text)
    }
}
