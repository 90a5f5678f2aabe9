package import APOD
package import FoundationEssentials
package import Mirror
package import Platform

/// The commands on favorites, with and without a running daemon.
///
/// A command creates and removes links in `favorites/`, as a file manager does, and writes no record. A
/// running daemon notices the links; without one the command holds the lock of the tree and calls
/// ``reconcileWithoutDaemon()``. The one change that no link can express, to remove a missing favorite, is a
/// file in `.apod-mirror/requests/`, which the next scan applies and removes.
package struct FavoriteCommands {
    let tree: Tree
    private let isWriter: Bool
    let now: @Sendable () -> Date
    let uptime: @Sendable () -> Uptime

    /// The tree is open for writing if `isWriter`, else for reading, as another process may write it;
    /// `uptime` is the time by a clock that nobody sets.
    package init(
        tree: Tree, isWriter: Bool, now: @escaping @Sendable () -> Date = { Date() },
        uptime: @escaping @Sendable () -> Uptime = { .now }
    ) {
        self.tree = tree
        self.isWriter = isWriter
        self.now = now
        self.uptime = uptime
    }

    var links: FavoriteLinks { FavoriteLinks(tree: tree) }
    var store: FavoriteStore { FavoriteStore(tree: tree) }

    /// Opens the mirror at `path` for writing; for reading if another process writes it or this user may not.
    ///
    /// `opened` is the directory there, if this process has opened it already.
    package static func open(
        _ path: String, opened: Directory? = nil, known: KnownMirrors
    ) throws(TreeError) -> Self {
        // Opening for writing would create a mirror where there is none; reading fails.
        let tree = try Tree.reading(path, opened: opened, known: known)
        do {
            return Self(
                tree: try Tree.writing(path, opened: opened, known: known), isWriter: true)
        } catch .locked, .notWritable {
            return Self(tree: tree, isWriter: false)
        }
    }

    /// Reconciles the favorites; `nil` if another process writes the mirror, which reconciles them.
    package func reconcileWithoutDaemon() async throws -> ReconcileOutcome? {
        guard isWriter else { return nil }
        let outcome = try await Favorites(tree: tree, now: now, uptime: uptime)
            .reconcile(Scan(of: tree.root))
        if let failure = outcome.failures.first { throw failure }
        return outcome
    }

    /// Creates `favorites/` again with its links and permissions, if it is missing.
    ///
    /// - Throws: ``FavoriteError/folderIsMissing`` if another process writes the mirror, which creates it.
    package func recreateMissingFolder() async throws -> [ReconcileEvent] {
        guard try tree.root.status(Layout.favorites) == nil else { return [] }
        guard let outcome = try await reconcileWithoutDaemon() else {
            throw FavoriteError.folderIsMissing
        }
        return outcome.events
    }

    /// The days that retention never removes: all favorites, recorded or not, and all pinned pictures.
    ///
    /// - Throws: An error if an item in `favorites/` cannot be read: it may name any day.
    package func protectedDays() throws -> Set<Day> {
        let snapshot = try snapshot()
        try snapshot.requireReadableFolder()
        if let failure = snapshot.classified.failures.first { throw failure.error }
        return Set(snapshot.changes.favorites.keys)
            .union(snapshot.classified.references.map(\.day))
            .union(snapshot.contents.favorites.keys).union(snapshot.contents.pins.keys)
    }

    // MARK: list, export

    /// All favorites, including those that are not recorded yet.
    package func list() throws -> FavoriteList {
        let snapshot = try snapshot()
        let entries = snapshot.changes.favorites.values.sorted { $0.day > $1.day }.map { favorite in
            let record = (try? snapshot.files.dayRecord(of: favorite.day)) ?? nil
            var favorite = favorite
            favorite.title = favorite.title ?? record?.entry.title
            let state: FavoriteList.State =
                if favorite.isMissing {
                    .held
                } else if snapshot.contents.favorites[favorite.day] == nil {
                    .new
                } else {
                    record == nil ? .wanted : .kept
                }
            return FavoriteList.Entry(
                favorite: favorite, state: state,
                removedIn: snapshot.changes.secondsUntilRemoval(of: favorite))
        }
        return FavoriteList(
            entries: entries, unrecognized: snapshot.classified.unrecognized,
            unrecognizedCount: snapshot.classified.unrecognizedCount)
    }

    // MARK: add, import

    /// Makes the days favorites that `texts` name: see ``DayArgument``.
    ///
    /// The links are called `name`, or like their pictures.
    ///
    /// - Returns: For each text, in order, its favorite, or ``FavoriteError`` or the error of the link.
    /// - Throws: An error of reading the records.
    package func add(
        _ texts: [String], as name: String?
    ) throws -> [Result<AddedFavorite, any Error>] {
        let snapshot = try snapshot()
        let newest = newestPublishedDay
        var existing = Dictionary(
            snapshot.classified.references.map { ($0.day, $0.name) }
        ) { first, _ in first }
        return texts.map { text in
            Result {
                let day = try day(text, in: snapshot.classified)
                try checkPublished(day, newest: newest)
                let isMissing = snapshot.changes.favorites[day]?.isMissing ?? false
                if name == nil, !isMissing, let link = existing[day] {
                    return AddedFavorite(name: link, isNew: false)
                }
                let linkName = try name.map { try self.name($0, of: day, snapshot.files) }
                let isNew = linkName.map { tree.root.target(bytes: $0.path) == nil } ?? true
                let link = try link(day, as: linkName, snapshot.files)
                // An earlier request would remove the favorite as soon as the link is missing.
                try? store.removeForgetRequests([day])
                existing[day] = link
                return AddedFavorite(name: link, isNew: isNew)
            }
        }
    }

    /// The newest day that NASA is known to have published; `nil` if none is known.
    private var newestPublishedDay: Day? {
        let store = Store(reading: tree)
        return (try? store.state())?.newest
            ?? (try? store.newestDay(in: TreeSnapshot(of: tree.root), at: now())) ?? nil
    }

    /// Throws if `day` has no picture: it is in the future, or NASA published nothing on it.
    private func checkPublished(_ day: Day, newest: Day?) throws(FavoriteError) {
        if let absence = DayArgument.absence(of: day, newest: newest, at: now()) {
            throw .noPicture(absence)
        }
    }

    /// Creates links for all days of a list: lines of dates, or the JSON of ``FavoriteList``.
    ///
    /// - Returns: For each day that was no favorite before, the day, or the error of creating its links.
    /// - Throws: ``FavoriteError/noList``, or an error of reading the records.
    package func importList(_ bytes: [UInt8]) throws -> [Result<Day, any Error>] {
        guard let imported = ImportedFavorite.list(bytes) else { throw FavoriteError.noList }
        let snapshot = try snapshot()
        let newest = newestPublishedDay
        return imported.filter { !snapshot.isPresent($0.day) }.map { favorite in
            Result {
                try checkPublished(favorite.day, newest: newest)
                let names = favorite.names.filter { !IgnoreRules.ignores($0) }
                let links = try makeLinks(to: favorite.day, names, snapshot.files)
                guard let added = favorite.added else { return favorite.day }
                for link in links {
                    // The record of the favorite takes its time from the link.
                    try? tree.root.folder(link.folderPath)?
                        .setModified(Int(added.timeIntervalSince1970), of: link.last)
                }
                return favorite.day
            }
        }
    }

    /// The day that `text` names; a copy in `favorites/` may have any name.
    func day(_ text: String, in classified: ClassifiedScan) throws -> Day {
        let name = text.utf8.dropFirst(Layout.favorites.utf8.count + 1)
        if text.hasPrefix("\(Layout.favorites)/"),
            let reference = classified.references.first(where: {
                $0.name.bytes.elementsEqual(name)
            })
        {
            return reference.day
        }
        guard let day = try argument(text) else { throw FavoriteError.noDay(text) }
        return day
    }

    /// The day that `text` names; `nil` if it names none.
    func argument(_ text: String) throws -> Day? {
        try DayArgument.day(text, in: tree, at: now())
    }
}

/// A favorite of ``FavoriteCommands/add(_:as:)``.
package struct AddedFavorite: Hashable, Sendable {
    package let name: FavoriteName
    /// Whether the link was created now.
    package let isNew: Bool
}
