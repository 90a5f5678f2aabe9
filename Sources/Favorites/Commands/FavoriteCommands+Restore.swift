internal import APOD
internal import Glibc
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
        _ arguments: [String] = [], isDryRun: Bool
    ) throws -> [Result<[FavoriteName], any Error>] {
        let survey = try survey()
        try survey.requireReadableFolder()
        var favorites = arguments.isEmpty ? Array(survey.missing.values) : []
        var unknown: [Result<[FavoriteName], any Error>] = []
        // The trash is needed only for removed favorites: a missing one is restored also if it cannot be read.
        let removed = Result<[Day: Favorite], any Error> {
            try arguments.isEmpty ? [:] : removedFavorites(by: survey)
        }
        for text in arguments {
            do {
                let named = try favorite(called: text, in: survey, removed: removed)
                if !favorites.contains(named) { favorites.append(named) }
            } catch {
                unknown.append(.failure(error))
            }
        }
        let results = favorites.sorted { $0.day < $1.day }.map { favorite in
            Result {
                try createLinks(to: favorite.day, named: favorite.names, in: survey.targets) {
                    name, path throws(SystemError) in
                    isDryRun ? try checkFree(name) : try links.make(name, to: path)
                }
            }
        }
        return unknown + results
    }

    /// Fails where ``FavoriteLinks/make(_:to:)`` finds an item of that name; a dry run makes none that could be one.
    private func checkFree(_ name: FavoriteName) throws(SystemError) {
        guard try tree.root.status(name.path) == nil else {
            throw SystemError("symlink", path: name.text, code: EEXIST)
        }
    }

    /// The missing favorite that `text` names, else the removed one.
    ///
    /// - Throws: ``FavoriteError``, or the error of `removed` if no missing favorite is named.
    private func favorite(
        called text: String, in survey: Survey, removed: Result<[Day: Favorite], any Error>
    ) throws -> Favorite {
        let missing = survey.missing
        let readable = (try? removed.get()) ?? [:]
        let named =
            missing.values.lastPresent(withItem: text)
            ?? readable.values.lastPresent(withItem: text)
        var day = named?.day ?? survey.day(ofItem: text)
        // An error, such as that of `latest` in an unreadable mirror, names no favorite either.
        if day == nil { day = try? dayArgument(text) }
        if let day, let favorite = missing[day] ?? readable[day] { return favorite }
        _ = try removed.get()
        let isPresent = day.map(survey.isPresent) ?? false
        throw isPresent ? FavoriteError.hasLink(text) : .notRestorable(text)
    }
}
