internal import APOD
internal import Glibc
internal import Mirror
internal import Platform

/// The action `favorites restore`: it creates again the links of favorites that were removed, or whose links are missing.
extension FavoriteCommands {
    /// Restores the links of the favorites that `arguments` name by a day or an item, or else of all that are missing.
    ///
    /// - Returns: First an error for each argument that names no favorite to restore. Then, for each favorite in the order of
    ///   days, the names of its links, and the errors of links that could not be made.
    /// - Throws: An error of reading the records or `favorites/`.
    package func restore(_ arguments: [String] = []) throws -> [Result<[FavoriteName], any Error>] {
        let survey = try survey()
        try requireReadableFolder(of: survey)
        guard !arguments.isEmpty else { return createLinks(to: survey.missing, in: survey) }
        let removed = try removedFavorites(by: survey).mapValues(\.favorite)
        // A missing favorite may also be in the trash, from an earlier removal; its own record is the newer one. One of which
        // no item was found may have one where the scan could not read, but a person who names it wants links.
        let found = Set(survey.classified.references.map(\.day))
        let absent = survey.reconciliation.favorites.filter { !found.contains($0.key) }
        let restorable = removed.merging(absent) { $1 }
        var named: [Day: Favorite] = [:]
        var errors: [Result<[FavoriteName], any Error>] = []
        for argument in arguments {
            do {
                let favorite = try favorite(called: argument, among: restorable, in: survey)
                named[favorite.day] = favorite
            } catch {
                errors.append(.failure(error))
            }
        }
        return errors + createLinks(to: named, in: survey)
    }

    /// The one of the `restorable` favorites that `text` names, by an item or by its day.
    private func favorite(
        called text: String, among restorable: [Day: Favorite], in survey: Survey
    ) throws(FavoriteError) -> Favorite {
        let path = relativePath(of: text)
        if let favorite = restorable.values.lastPresent(withItem: path) { return favorite }
        // If `text` cannot be interpreted, as `latest` in an unreadable mirror, it names no favorite.
        guard let day = survey.day(ofItem: path) ?? (try? dayArgument(text)) else {
            throw .notRestorable(text)
        }
        guard let favorite = restorable[day] else {
            throw survey.isPresent(day) ? .hasLink(text) : .notRestorable(text)
        }
        return favorite
    }

    // MARK: Removed favorites

    /// The removed favorites, the last removed first: their records are in the trash or about to go there, and they have no link.
    package func removedFavorites() throws -> [RemovedFavorite] {
        let survey = try survey()
        return try removedFavorites(by: survey).values
            .sorted { $0.restoreOrder > $1.restoreOrder }
            .map {
                RemovedFavorite(
                    favorite: survey.mirrored.withTitle($0.favorite), removed: $0.removed)
            }
    }

    private func removedFavorites(by survey: Survey) throws -> [Day: RemovedFavorite] {
        // A daemon that is stopped, or whose disk is full, has not removed yet what a command asked it to remove.
        let today = Day(utcDateOf: now())
        let waiting = survey.reconciliation.removed.map {
            ($0.day, RemovedFavorite(favorite: $0, removed: today))
        }
        return try favoriteStore.removedFavorites().filter { !survey.isPresent($0.key) }
            .merging(waiting) { $1 }
    }

    // MARK: Creating links

    private func createLinks(
        to favorites: [Day: Favorite], in survey: Survey
    ) -> [Result<[FavoriteName], any Error>] {
        favorites.values.sorted { $0.day < $1.day }.flatMap {
            createLinks(to: $0, in: survey.mirrored)
        }
    }

    /// Creates the links of `favorite` under their ``Favorite/linkNames``.
    ///
    /// Without any, or if another item has one of the names, or if the disk allows no such name, a link is made that is called
    /// like the picture.
    private func createLinks(
        to favorite: Favorite, in mirrored: MirroredFavorites
    ) -> [Result<[FavoriteName], any Error>] {
        var created: [FavoriteName] = []
        var errors: [any Error] = []
        var needsDefaultName = favorite.names.isEmpty
        for name in favorite.linkNames {
            do {
                created.append(try createLink(to: favorite.day, named: name, in: mirrored).name)
            } catch  where Self.isOfName(error) {
                needsDefaultName = true
            } catch {
                // Another link may be in a folder of another person.
                errors.append(error)
            }
        }
        if needsDefaultName {
            do {
                created.append(try createLink(to: favorite.day, named: nil, in: mirrored).name)
            } catch {
                errors.append(error)
            }
        }
        // Two links may have the same shortcut in their place.
        let names: [FavoriteName] = created.reduce(into: []) {
            if !$0.contains($1) { $0.append($1) }
        }
        return (names.isEmpty ? [] : [.success(names)]) + errors.map { .failure($0) }
    }

    /// Whether a link with another name may be created after `error`: the name is taken, or the file system refuses it.
    private static func isOfName(_ error: any Error) -> Bool {
        switch error {
        case FavoriteError.nameTaken: true
        // A name that another file system allowed, such as `a: b` on exFAT.
        case let error as SystemError: [EINVAL, EILSEQ, ENOENT].contains(error.code)
        default: false
        }
    }
}

extension RemovedFavorite {
    /// Greater if it was removed later; one that was removed at an unknown time is the greatest.
    fileprivate var restoreOrder: (Day, Day) { (removed ?? .last, favorite.day) }
}
