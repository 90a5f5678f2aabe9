internal import APOD
internal import Mirror
internal import Platform

/// The action `favorites restore`.
///
/// A missing favorite has a record and no link; a removed one has its record in the trash. A present favorite, which
/// has a link, is neither, even while its record is still in the trash.
extension FavoriteCommands {
    /// The removed favorites, the newest day first.
    package func removedFavorites() throws -> [Favorite] {
        try removedFavorites(by: survey()).values.sorted { $0.day > $1.day }
    }

    private func removedFavorites(by survey: Survey) throws -> [Day: Favorite] {
        try store.removedFavorites().filter { !survey.isPresent($0.key) }
    }

    /// Restores the links of the favorites that `arguments` name, by a day or by an item, else of all missing ones.
    ///
    /// - Returns: First an error for each argument that names none. Then, for each favorite in the order of days, the
    ///   names of its links or the error of a link.
    /// - Throws: An error of reading the records or `favorites/`.
    package func restore(
        _ arguments: [String] = []
    ) throws -> [Result<[FavoriteName], any Error>] {
        let survey = try survey()
        try survey.requireReadableFolder()
        var favorites = arguments.isEmpty ? survey.missing : [:]
        var unknown: [Result<[FavoriteName], any Error>] = []
        let removed = try arguments.isEmpty ? [:] : removedFavorites(by: survey)
        for text in arguments {
            do {
                let named = try favorite(called: text, in: survey, removed: removed)
                favorites[named.day] = named
            } catch {
                unknown.append(.failure(error))
            }
        }
        let results = favorites.values.sorted { $0.day < $1.day }.map { favorite in
            Result {
                try createLinks(to: favorite.day, named: favorite.names, in: survey.targets)
            }
        }
        return unknown + results
    }

    /// The missing or removed favorite that `text` names, by an item or by its day.
    private func favorite(
        called text: String, in survey: Survey, removed: [Day: Favorite]
    ) throws(FavoriteError) -> Favorite {
        let restorable = removed.merging(survey.missing) { $1 }
        let path = pathInMirror(text)
        let named = restorable.values.lastPresent(withItem: path)
        // An error, such as that of `latest` in an unreadable mirror, names no favorite either.
        let day = named?.day ?? survey.day(ofItem: path) ?? (try? dayArgument(text))
        if let favorite = day.flatMap({ restorable[$0] }) { return favorite }
        let isPresent = day.map(survey.isPresent) ?? false
        throw isPresent ? FavoriteError.hasLink(text) : .notRestorable(text)
    }
}
