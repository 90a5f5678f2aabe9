package import APOD
package import FoundationEssentials
internal import Glibc
package import Mirror
package import Platform

/// What a person does to the favorites by commands, beside a running daemon and without one.
///
/// The folder is the interface: a command makes and removes links in `favorites/`, as a file manager
/// would, and writes no record. The daemon sees the links; where none runs the command holds the lock
/// of the tree and does, in ``settle()``, what the daemon would. So there is one way from the folder to
/// the records, and the two cannot disagree.
///
/// One thing no link can say: that a favorite which is gone from the folder is to be forgotten now. That
/// is a file in `.apod-mirror/requests/`; whoever holds the lock does it at the next look, together with
/// what it means, and removes the file after that is on the disk.
package struct FavoriteCommands {
    private let tree: Tree
    private let isWriter: Bool
    private let spellings: [String]
    private let now: @Sendable () -> Date
    private let uptime: @Sendable () -> Uptime
    private let links: FavoriteLinks
    private let store: FavoriteStore

    /// - Parameters:
    ///   - tree: Open for writing, or for reading while another process writes.
    ///   - isWriter: Whether it is open for writing.
    ///   - spellings: Other absolute paths that lead to its root.
    ///   - now: The time.
    ///   - uptime: The time by a clock that nobody sets.
    package init(
        tree: Tree, isWriter: Bool, spellings: [String] = [],
        now: @escaping @Sendable () -> Date = { Date() },
        uptime: @escaping @Sendable () -> Uptime = { .now }
    ) {
        self.tree = tree
        self.isWriter = isWriter
        self.spellings = spellings
        self.now = now
        self.uptime = uptime
        links = FavoriteLinks(tree: tree)
        store = FavoriteStore(tree: tree)
    }

    /// Opens the mirror at `path`, for writing unless another process does or this user may not.
    package static func open(_ path: String, known: KnownMirrors) throws(TreeError) -> Self {
        // Looked at first: no command on favorites makes a mirror.
        let tree = try Tree.reading(path, known: known)
        do {
            return Self(tree: try Tree.writing(path, known: known), isWriter: true)
        } catch .locked, .notWritable {
            return Self(tree: tree, isWriter: false)
        }
    }

    /// Does what a daemon would do by now.
    ///
    /// - Returns: `nil` where a daemon runs, which does it.
    package func settle() async throws -> ReconcileOutcome? {
        guard isWriter else { return nil }
        let outcome = try await Favorites(
            tree: tree, spellings: spellings, now: now, uptime: uptime
        ).reconcile(Scan(of: tree.root))
        if let failure = outcome.failures.first { throw failure }
        return outcome
    }

    // MARK: list, export

    /// All favorites as they are, whether or not somebody has recorded them yet.
    package func list() throws -> FavoriteList {
        let (changes, understanding, contents) = try look()
        let files = DayFiles(tree: tree, pins: [:])
        let entries = changes.favorites.values.sorted { $0.day > $1.day }.map { favorite in
            let record = (try? files.record(of: favorite.day)) ?? nil
            var favorite = favorite
            favorite.title = favorite.title ?? record?.entry.title
            let state: FavoriteList.State =
                if favorite.isMissed {
                    .held
                } else if contents.favorites[favorite.day] == nil {
                    .new
                } else {
                    record == nil ? .wanted : .kept
                }
            return FavoriteList.Entry(favorite: favorite, state: state)
        }
        return FavoriteList(
            entries: entries, notUnderstood: understanding.notUnderstood,
            notUnderstoodCount: understanding.notUnderstoodCount)
    }

    private func look() throws -> (FavoriteChanges, ClassifiedScan, FavoriteStore.Contents) {
        let scan = Scan(of: tree.root)
        let contents = try store.contents()
        var remembered = ClassificationCache()
        let understanding = ClassifiedScan(
            scan, in: tree, reader: LinkReader(roots: [tree.root.path] + spellings),
            recorded: contents.favorites, remembered: &remembered, now: 0)
        let changes = FavoriteChanges(
            recorded: contents.favorites, found: understanding.sightings,
            trust: .init(scan, last: store.lastFolder()), unseen: scan.unseen,
            letGo: (try? store.requests()) ?? [], now: now(), uptime: uptime())
        return (changes, understanding, contents)
    }

    // MARK: add, import

    /// Makes the day that `text` names a favorite.
    ///
    /// - Parameters:
    ///   - text: A date, a path, a web address, or `latest`.
    ///   - name: What its link is to be called.
    /// - Returns: Where the link is; the one that was there where the day was a favorite before.
    /// - Throws: ``FavoriteError``, or what stood in the way of the link.
    package func add(_ text: String, as name: String? = nil) throws -> FavoriteName {
        try add([text], as: name)[0].get()
    }

    /// Makes the days that `texts` name favorites, as ``add(_:as:)`` does.
    ///
    /// - Returns: What came of each, in their order.
    package func add(
        _ texts: [String], as name: String?
    ) throws -> [Result<FavoriteName, any Error>] {
        let (changes, understanding, contents) = try look()
        var present = Dictionary(
            understanding.sightings.map { ($0.day, $0.name) },
            uniquingKeysWith: { first, _ in first })
        return texts.map { text in
            Result {
                let day = try day(text, among: understanding)
                if name == nil, let known = present[day],
                    !(changes.favorites[day]?.isMissed ?? false)
                {
                    return known
                }
                let name = try link(
                    day, as: try name.map { try self.name($0, of: day, pins: contents.pins) },
                    pins: contents.pins)
                present[day] = name
                return name
            }
        }
    }

    private func day(
        _ text: String, among understanding: ClassifiedScan
    ) throws(FavoriteError) -> Day {
        // A copy in favorites/ may have any name.
        let name = Array(text.utf8.dropFirst(Scan.folder.utf8.count + 1))
        if text.hasPrefix("\(Scan.folder)/"),
            let sighting = understanding.sightings.first(where: { $0.name.bytes == name[...] })
        {
            return sighting.day
        }
        guard let day = DayArgument.day(text, in: tree) else { throw .noDay(text) }
        return day
    }

    /// Makes links for all days of a list: lines of dates, or what ``FavoriteList/json`` says.
    ///
    /// - Returns: The days that were no favorites before.
    /// - Throws: ``FavoriteError/noList``; links may have been made before any other error.
    package func take(_ bytes: [UInt8]) throws -> [Day] {
        guard let wishes = ImportedFavorite.list(bytes) else { throw FavoriteError.noList }
        let (changes, _, contents) = try look()
        let new = wishes.filter { changes.favorites[$0.day]?.isMissed ?? true }
        for wish in new {
            for name in wish.names.isEmpty ? [nil] : wish.names.map(Optional.some) {
                do {
                    _ = try link(wish.day, as: name, pins: contents.pins)
                } catch FavoriteError.taken {
                    _ = try link(wish.day, as: nil, pins: contents.pins)
                }
            }
        }
        return new.map(\.day)
    }

    private func link(
        _ day: Day, as name: FavoriteName?, pins: [Day: String]
    ) throws -> FavoriteName {
        let path = try DayFiles(tree: tree, pins: pins).best(day) ?? DayFiles.promise(day)
        let name = try name ?? Self.name(Self.plainName(of: path, day))
        do {
            try links.make(name, to: path)
        } catch {
            if error.isNoFolder { throw FavoriteError.noFolder }
            if error.isForbidden { throw FavoriteError.mayNotWrite(error, group: group) }
            guard error.code == EEXIST else { throw error }
            guard links.leads(name, to: path) else { throw FavoriteError.taken(name) }
        }
        return name
    }

    /// The name of the group that may write to `favorites/`.
    private var group: String? {
        guard let rights = try? tree.root.folder(Scan.folder)?.rights() else { return nil }
        if rights.groupMayWrite { return Account.name(ofGroup: rights.group) }
        return rights.namedWriters.lazy.compactMap { writer in
            if case .group(let id) = writer { Account.name(ofGroup: id) } else { nil }
        }.first
    }

    /// The name that a person gives, with the ending of what the link leads to: a file manager goes by it.
    private func name(_ text: String, of day: Day, pins: [Day: String]) throws -> FavoriteName {
        let name = try Self.name(text)
        let path = try DayFiles(tree: tree, pins: pins).best(day).map { Layout.split($0).name }
        guard let path, let dot = path.lastIndex(of: ".") else { return name }
        let endings = MediaType.allCases.map(\.fileExtension) + ["jpeg", "html", "json"]
        let hasOne = endings.contains { text.lowercased().hasSuffix(".\($0)") }
        return hasOne ? name : try Self.name(text + path[dot...])
    }

    /// The name of a picture is good for its link; that of a pin or a record says too little.
    private static func plainName(of path: String, _ day: Day) -> String {
        path.hasPrefix(Layout.pictures) ? Layout.split(path).name : "\(day)"
    }

    private static func name(_ text: String) throws(FavoriteError) -> FavoriteName {
        guard let name = FavoriteName(text), !IgnoreRules.contains(name) else {
            throw .badName(text)
        }
        return name
    }

    // MARK: remove, forget

    /// Makes a favorite none: removes its links, and asks for it to be forgotten at once.
    ///
    /// - Parameter text: A name in `favorites/`, or what ``add(_:as:)`` takes.
    /// - Returns: What was removed.
    /// - Throws: ``FavoriteError/files(_:)`` where files of their own stand for it: nothing was removed.
    package func remove(_ text: String) throws -> [FavoriteName] {
        let (changes, understanding, _) = try look()
        let named = understanding.sightings.first { $0.name.bytes.elementsEqual(text.utf8) }
        guard let day = named?.day ?? DayArgument.day(text, in: tree),
            changes.favorites[day] != nil
        else { throw FavoriteError.noFavorite(text) }
        let sightings = understanding.sightings.filter { $0.day == day }
        let files = sightings.filter { !$0.via.isPointer }.map(\.name)
        guard files.isEmpty else { throw FavoriteError.files(files) }
        // First, so that it stands when the daemon looks because of what is removed.
        try request([day])
        for sighting in sightings { try links.remove(sighting.name) }
        return sightings.map(\.name).sorted()
    }

    /// Lets go of favorites that are gone from the folder; of all such where no day is named.
    ///
    /// - Returns: The days that are let go of.
    /// - Throws: ``FavoriteError``.
    package func forget(_ texts: [String]) throws -> [Day] {
        let (changes, understanding, _) = try look()
        var days = texts.isEmpty ? changes.favorites.values.filter(\.isMissed).map(\.day) : []
        for text in texts {
            guard let day = DayArgument.day(text, in: tree), changes.favorites[day] != nil else {
                throw FavoriteError.noFavorite(text)
            }
            if let sighting = understanding.sightings.first(where: { $0.day == day }) {
                throw FavoriteError.linked(day, sighting.name)
            }
            days.append(day)
        }
        try request(days)
        return days.sorted()
    }

    private func request(_ days: [Day]) throws(FavoriteError) {
        do {
            for day in days { try store.request(day) }
        } catch {
            throw .mayNotAsk(error)
        }
    }

    // MARK: restore

    /// The favorites that were removed within 30 days, the newest day first.
    package func removed() throws -> [Favorite] {
        let (changes, _, _) = try look()
        return try store.removedFavorites().values
            .filter { changes.favorites[$0.day]?.isMissed ?? true }.sorted { $0.day > $1.day }
    }

    /// Puts the links back of the favorites that are gone from the folder.
    ///
    /// - Parameters:
    ///   - texts: The days, of those too that are no favorites any more; all that are held where there is
    ///     none.
    ///   - isDryRun: Whether it only tells what it would do.
    /// - Returns: The links, as they were named.
    /// - Throws: ``FavoriteError``: ``FavoriteError/taken(_:)`` where something else has such a name by now.
    package func restore(_ texts: [String] = [], isDryRun: Bool) throws -> [FavoriteName] {
        let (changes, understanding, contents) = try look()
        let missed = changes.favorites.filter(\.value.isMissed)
        var favorites = Array(missed.values)
        if !texts.isEmpty {
            let removed = try store.removedFavorites()
            favorites = try texts.map { text in
                let named = removed.values.first { favorite in
                    favorite.names.contains { $0.bytes.elementsEqual(text.utf8) }
                }
                guard let day = named?.day ?? day(text, among: understanding, in: missed),
                    let favorite = missed[day] ?? removed[day]
                else { throw FavoriteError.noFavorite(text) }
                return favorite
            }
        }
        var restored: [FavoriteName] = []
        for favorite in favorites.sorted(by: { $0.day < $1.day }) {
            for name in favorite.names.isEmpty ? [nil] : favorite.names.map(Optional.some) {
                if isDryRun {
                    restored.append(try name ?? Self.name("\(favorite.day)"))
                } else {
                    restored.append(try link(favorite.day, as: name, pins: contents.pins))
                }
            }
        }
        return restored
    }

    private func day(
        _ text: String, among understanding: ClassifiedScan, in missed: [Day: Favorite]
    ) -> Day? {
        missed.values.first { favorite in
            favorite.names.contains { $0.bytes.elementsEqual(text.utf8) }
        }?.day ?? (try? day(text, among: understanding))
    }
}
