internal import APOD
internal import Platform

/// The command “favorites restore”.
extension FavoriteCommands {
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
        var favorites = texts.isEmpty ? Array(snapshot.missing.values) : []
        var unknown: [Result<[FavoriteName], any Error>] = []
        let removed = try texts.isEmpty ? [:] : store.removedFavorites()
        for text in texts {
            do {
                let named = try favorite(called: text, in: snapshot, removed: removed)
                if !favorites.contains(named) { favorites.append(named) }
            } catch {
                unknown.append(.failure(error))
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
        called text: String, in snapshot: Snapshot, removed: [Day: Favorite]
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
