internal import APOD
internal import FoundationEssentials
internal import Glibc
internal import MediaFormat
internal import Mirror
internal import Platform

/// The actions that create links: `favorites add` and `favorites restore`.
extension FavoriteCommands {
    /// A favorite that ``makeFavorites(of:named:)`` made or found.
    package struct AddedFavorite: Hashable, Sendable {
        package let name: FavoriteName
        /// Whether the link was created now.
        package let isNew: Bool
    }

    // MARK: Add

    /// Makes favorites of the days that `arguments` name: see ``DayArgument``.
    ///
    /// A new link is called `name`. If that is `nil`, it is called like its picture, and a day with a link gets no second one.
    ///
    /// - Returns: For each argument, in order, its favorite, or why there is none.
    /// - Throws: An error of reading the records.
    package func makeFavorites(
        of arguments: [String], named name: String?
    ) throws -> [Result<AddedFavorite, any Error>] {
        let survey = try survey()
        // If the newest day cannot be read, the clock alone says which days are in the future.
        let newest = (try? mirror.newestPublishedDay(at: now())) ?? nil
        var linkNames = Dictionary(
            survey.classified.references.map { ($0.day, $0.name) }
        ) { first, _ in first }
        return arguments.map { argument in
            Result {
                let day = try namedDay(argument, in: survey)
                if let absence = day.absence(newest: newest, at: now()) {
                    throw FavoriteError.refused("\(absence); use another date")
                }
                if name == nil, let existing = linkNames[day] {
                    return AddedFavorite(name: existing, isNew: false)
                }
                let chosen = try name.map { try linkName($0, of: day, in: survey.mirrored) }
                let added = try createLink(to: day, named: chosen, in: survey.mirrored)
                linkNames[day] = added.name
                return added
            }
        }
    }

    /// The day that `argument` names by itself, see ``DayArgument``, or by the path of an item in `favorites/`.
    ///
    /// Without its folder, an item is not meant: `2026-11-20` is a day, even if a link to another day has that name.
    private func namedDay(_ argument: String, in survey: Survey) throws -> Day {
        let path = pathInMirror(argument)
        if path.hasPrefix("\(Layout.favorites)/"), let day = survey.day(ofItem: path) { return day }
        guard let day = try dayArgument(argument) else {
            throw FavoriteError.refused(
                "“\(argument)” is no day of APOD and no file; use \(DayArgument.expected)")
        }
        return day
    }

    /// The name `text` for a link to `day`: `Orion` becomes `Orion.jpg`, because file managers need the extension.
    private func linkName(
        _ text: String, of day: Day, in mirrored: MirroredFavorites
    ) throws -> FavoriteName {
        let name = try Self.validName(text)
        // The extensions of the files of a mirror, and `jpeg` of other programs.
        let extensions = MediaType.allCases.map(\.fileExtension) + ["jpeg", "html", "json"]
        guard !extensions.contains(where: { text.lowercased().hasSuffix(".\($0)") }),
            let ending = try mirrored.linkPath(to: day)?.splitAtLastDot?.ending
        else { return name }
        return try Self.validName(text + ending)
    }

    private static func validName(_ text: String) throws(FavoriteError) -> FavoriteName {
        guard let name = FavoriteName(text), !IgnoreRules.ignores(name) else {
            throw .refused(
                "“\(text)” cannot be the name of a favorite: hidden, temporary and too long names are ignored;"
                    + " choose another with --as")
        }
        return name
    }

    // MARK: Restore

    /// The removed favorites, the last removed first: their records are in the trash or about to go there, and they have no link.
    package func removedFavorites() throws -> [RemovedFavorite] {
        try removedFavorites(by: survey()).values.sorted { first, second in
            (first.removed ?? .last, first.favorite.day)
                > (second.removed ?? .last, second.favorite.day)
        }
    }

    private func removedFavorites(by survey: Survey) throws -> [Day: RemovedFavorite] {
        // A daemon that is stopped, or whose disk is full, has not removed yet what a command asked it to remove.
        let waiting = survey.reconciliation.removed.map {
            ($0.day, RemovedFavorite(favorite: $0, removed: Day(utcDateOf: Date())))
        }
        return try store.removedFavorites().filter { !survey.isPresent($0.key) }
            .merging(waiting) { $1 }
    }

    /// Restores the links of the favorites that `arguments` name by a day or an item, or else of all that lack their links.
    ///
    /// - Returns: First an error for each argument that names no favorite to restore. Then, for each favorite in the order of
    ///   days, the names of its links, or the error of a link.
    /// - Throws: An error of reading the records or `favorites/`.
    package func restore(
        _ arguments: [String] = []
    ) throws -> [Result<[FavoriteName], any Error>] {
        let survey = try survey()
        try survey.requireReadableFolder()
        var favorites = arguments.isEmpty ? survey.missing : [:]
        var errors: [Result<[FavoriteName], any Error>] = []
        let removed =
            try arguments.isEmpty ? [:] : removedFavorites(by: survey).mapValues(\.favorite)
        for text in arguments {
            do {
                let named = try favorite(called: text, in: survey, removed: removed)
                favorites[named.day] = named
            } catch {
                errors.append(.failure(error))
            }
        }
        let results = favorites.values.sorted { $0.day < $1.day }.map { favorite in
            Result { try createLinks(to: favorite, in: survey.mirrored) }
        }
        return errors + results
    }

    /// The missing or removed favorite that `text` names, by an item or by its day.
    private func favorite(
        called text: String, in survey: Survey, removed: [Day: Favorite]
    ) throws(FavoriteError) -> Favorite {
        let restorable = removed.merging(survey.missing) { $1 }
        let path = pathInMirror(text)
        let named = restorable.values.lastPresent(withItem: path)
        // If `text` cannot be interpreted, as `latest` in an unreadable mirror, it names no favorite.
        let day = named?.day ?? survey.day(ofItem: path) ?? (try? dayArgument(text))
        if let favorite = day.flatMap({ restorable[$0] }) { return favorite }
        let isPresent = day.map(survey.isPresent) ?? false
        throw isPresent ? FavoriteError.hasLink(text) : .notRestorable(text)
    }

    /// Creates the links of `favorite` under their ``Favorite/linkNames``.
    ///
    /// Without any, or if another item has one of the names, a link is made that is called like the picture.
    private func createLinks(
        to favorite: Favorite, in mirrored: MirroredFavorites
    ) throws -> [FavoriteName] {
        var created: [FavoriteName] = []
        var needsDefaultName = favorite.names.isEmpty
        for name in favorite.linkNames {
            do {
                created.append(try createLink(to: favorite.day, named: name, in: mirrored).name)
            } catch FavoriteError.nameTaken {
                needsDefaultName = true
            }
        }
        if needsDefaultName {
            created.append(try createLink(to: favorite.day, named: nil, in: mirrored).name)
        }
        return created
    }

    // MARK: Creating one link

    /// Creates a link to `day`, unless the same link exists.
    ///
    /// It has the `chosen` name; if that is `nil`, it is called like its picture, or like the day if there is no picture yet.
    private func createLink(
        to day: Day, named chosen: FavoriteName?, in mirrored: MirroredFavorites
    ) throws -> AddedFavorite {
        // The link of a day that is not mirrored yet leads to a missing file. The daemon repairs it after the download.
        let path = try mirrored.linkPath(to: day) ?? MirroredFavorites.placeholder(day)
        let isPicture = path.hasPrefix("\(Layout.pictures)/")
        let name = try chosen ?? Self.validName(isPicture ? Layout.split(path).name : "\(day)")
        do throws(SystemError) {
            return AddedFavorite(name: name, isNew: try links.createLink(name, to: path))
        } catch {
            throw explanation(of: error, creating: name)
        }
    }

    /// An error that tells the user why the link `name` could not be created, after the system's `error`.
    func explanation(of error: SystemError, creating name: FavoriteName) -> any Error {
        if error.code == EEXIST { return FavoriteError.nameTaken(name) }
        if error.isNotDirectory {
            // Something that is no folder has the name of a folder in the path, or of `favorites/` itself.
            let obstacle = name.folders.first { folder in
                let kind = (try? tree.root.status(folder.path))??.kind
                return kind.map { $0 != .directory } ?? false
            }
            return obstacle.map(FavoriteError.nameTaken) ?? FavoriteError.notADirectory
        }
        // EPERM is left to the check below, because it may mean that the file system has no links.
        if error.code == EACCES { return notPermitted(error, changing: name) }
        guard let folder = try? tree.root.folder(name.folderPath),
            (try? folder.requireNoSymlinks(after: error)) != nil
        else { return error }
        return FavoriteError.refused(
            "favorites/ is on \(Mount(of: folder)?.type ?? "a file system"), which has no symbolic links; copy the"
                + " picture into favorites/, or put a text file with the address of its page there")
    }

    /// An error that says how this user can get the permission to create or remove the link `name`.
    func notPermitted(_ error: SystemError, changing name: FavoriteName) -> FavoriteError {
        // The permission is missing in the innermost folder that exists.
        let path =
            name.folders.map(\.path).last { !tree.root.isCertainlyMissing($0) }
            ?? Array(Layout.favorites.utf8)
        let folder = String(decoding: path, as: UTF8.self)
        var advice = "run the command as the owner of that folder"
        if let rights = try? tree.root.folder(path)?.permissions(), rights.groupMayWrite {
            let name = Account.name(ofGroup: rights.group)
            // If an owner ran chown(1) on the whole mirror, the unit gives favorites/ back to this group at its next start.
            let group = name == "apod-mirror" ? "apod-favorites" : name
            advice = Self.advice(for: Account.membership(ofGroup: group), of: group)
        }
        return .refused("\(error): this user may not write to \(folder)/; \(advice)")
    }

    /// What a user can do who may not write to a folder of `group`.
    static func advice(for membership: Account.Membership, of group: String) -> String {
        switch membership {
        case .none:
            "join the group \(group) (“sudo usermod -aG \(group) USER”) and log in again"
        case .afterLogin:
            "you are a member of the group \(group) from your next login on: log in again, or run “newgrp \(group)” first"
        case .ofProcess:
            "give the folder to your group: “sudo systemctl restart apod-mirror”, or run chgrp(1) as its owner"
        }
    }
}
