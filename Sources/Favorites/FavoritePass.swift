internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// One look at `favorites/` and what follows from it.
struct FavoritePass {
    let tree: Tree
    let store: FavoriteStore
    let reader: LinkReader
    private(set) var contents: FavoriteStore.Contents
    let now: Date
    /// Whether all favorites are gone through, and not only those that are new.
    let isAfresh: Bool
    private(set) var outcome = ReconcileOutcome()
    /// Whether the names of all records and pins are on the disk.
    private var isSettled = true

    init(
        tree: Tree, store: FavoriteStore, reader: LinkReader, contents: FavoriteStore.Contents,
        now: Date, isAfresh: Bool
    ) {
        self.tree = tree
        self.store = store
        self.reader = reader
        self.contents = contents
        self.now = now
        self.isAfresh = isAfresh
    }

    mutating func run(_ scan: Scan, remembered: inout Remembered) throws {
        let isIdle = contents.favorites.isEmpty && scan.items.isEmpty
        let mirror = isAfresh && !isIdle ? Ahead { [tree] in MirrorNames(tree) } : nil
        try mendRecords()
        var understanding: Understanding?
        switch scan.place {
        case .folder(let identity): understanding = try take(scan, identity, &remembered)
        case .missing: try remake()
        case .somethingElse:
            outcome.messages.append(
                "favorites/ is not a folder and is left alone: move it away, and the folder is made"
                    + " again with its links")
        case .unreadable(let error):
            outcome.messages.append("\(error): no favorite is let go of until it can be read")
        }
        try tend(understanding, mirror?.value())
        outcome.favorites = contents.favorites
    }

    /// Pictures first, so that the links have something to lead to.
    private mutating func tend(
        _ understanding: Understanding?, _ mirror: MirrorNames?
    ) throws(SystemError) {
        let repair = FavoriteRepair(tree: tree, reader: reader, known: mirror?.names)
        if let understanding { repair.returnOriginals(understanding, &outcome) }
        try pinAll()
        try settle()
        try findWanted(mirror?.complete ?? [])
        if let understanding { repair.mendLinks(understanding, files, &outcome) }
    }

    // MARK: Records

    /// Makes records again that cannot be read, or are gone while the pin stands.
    private mutating func mendRecords() throws(SystemError) {
        for day in contents.damaged.sorted() {
            try store.setAside(day)
            outcome.messages.append(
                "the record of the favorite \(day) was damaged: it is kept as \(day).json.damaged"
                    + " and made again")
        }
        let lost = contents.damaged.union(
            contents.pins.keys.filter { contents.favorites[$0] == nil })
        try save(
            lost.sorted().map { Favorite($0, added: now, names: [], via: .link, isHeld: true) })
        contents.damaged = []
    }

    private mutating func save(_ favorites: [Favorite]) throws(SystemError) {
        guard !favorites.isEmpty else { return }
        isSettled = false
        try store.save(favorites)
        for favorite in favorites { contents.favorites[favorite.day] = favorite }
    }

    /// Makes all that was written so far last: one call for many, as it takes longer than all else.
    private mutating func settle() throws(SystemError) {
        guard !isSettled else { return }
        try store.settle()
        isSettled = true
    }

    private mutating func take(
        _ scan: Scan, _ identity: FileIdentity, _ remembered: inout Remembered
    ) throws -> Understanding {
        let understanding = Understanding(
            scan, in: tree, reader: reader, recorded: contents.favorites, remembered: &remembered,
            now: Int(now.timeIntervalSince1970))
        let last = try store.lastFolder()
        let requests = try store.requests()
        let changes = FavoriteChanges(
            recorded: contents.favorites, found: understanding.sightings,
            trust: .init(scan, last: last), letGo: requests, now: now)
        try apply(changes)
        try store.finish(requests)
        if last != identity, scan.errors.isEmpty { try save(identity) }
        tell(changes, scan.errors)
        outcome.notUnderstood = understanding.notUnderstood
        outcome.nextLook = changes.nextLook
        return understanding
    }

    /// Notes which folder was looked at, after what was found in it: another one is trusted less.
    private mutating func save(_ identity: FileIdentity) throws(SystemError) {
        try settle()
        try store.save(identity)
    }

    private mutating func apply(_ changes: FavoriteChanges) throws(SystemError) {
        try save(titled(changes.changed))
        for favorite in changes.vanished {
            try store.remove(favorite.day, pin: contents.pins[favorite.day])
            contents.favorites[favorite.day] = nil
            contents.pins[favorite.day] = nil
        }
        outcome.hasChanges = !changes.changed.isEmpty || !changes.vanished.isEmpty
        outcome.added = changes.added
        outcome.returned = changes.returned
        outcome.vanished = changes.vanished
        outcome.held = changes.held
    }

    // MARK: Pictures

    private var files: DayFiles { DayFiles(tree: tree, pins: contents.pins) }

    /// Sees to it that each favorite has a title and a pinned picture as soon as the mirror has them.
    private mutating func pinAll() throws(SystemError) {
        try save(
            titled(contents.favorites.values.filter { $0.title == nil }).filter { $0.title != nil })
        var pins = FavoritePins(tree: tree)
        let bare = contents.favorites.values.filter {
            contents.pins[$0.day] == nil && !$0.isMissed
        }
        for day in bare.map(\.day).sorted(by: >) {
            do {
                guard let path = try files.media(files.record(of: day)) else { continue }
                isSettled = false
                contents.pins[day] = try pins.pin(day, path)
            } catch {
                outcome.messages.append("\(error): the picture of \(day) is not pinned yet")
            }
        }
    }

    /// Tells which favorites the mirror lacks; a picture that is gone comes back from its pin.
    private mutating func findWanted(_ complete: Set<Day>) throws(SystemError) {
        var pins = FavoritePins(tree: tree)
        let doubtful = contents.favorites.keys.filter { day in
            contents.pins[day] == nil || (isAfresh && !complete.contains(day))
        }
        for day in doubtful.sorted() {
            guard let record = try files.record(of: day) else {
                outcome.wanted.insert(day)
                continue
            }
            guard let picture = record.picture, try files.media(record) == nil else { continue }
            outcome.wanted.insert(day)
            guard let pin = contents.pins[day], try pins.putBack(picture, of: day, pin: pin) else {
                continue
            }
            outcome.wanted.remove(day)
            outcome.messages.append("\(picture.path) was gone: it is back from the favorites")
        }
    }

    /// The same, with the titles that the mirror has.
    private func titled(_ favorites: [Favorite]) throws(SystemError) -> [Favorite] {
        try favorites.map { favorite throws(SystemError) in
            guard favorite.title == nil else { return favorite }
            var favorite = favorite
            favorite.title = try files.record(of: favorite.day)?.entry.title
            return favorite
        }
    }

    // MARK: favorites/

    /// Makes `favorites/` with the links of all favorites.
    private mutating func remake() throws {
        // Where two have one name, it is that of the one that has it still.
        let links = try contents.favorites.values
            .sorted { ($0.isMissed ? 1 : 0, $0.day) < ($1.isMissed ? 1 : 0, $1.day) }
            .flatMap { favorite throws(SystemError) in
                let path = try files.best(favorite.day) ?? DayFiles.promise(favorite.day)
                return favorite.names.map { (name: $0, path: path) }
            }
        try FavoriteLinks(tree: tree).remake(links)
        if let folder = try tree.root.folder(Scan.folder) {
            try save(folder.status().identity)
        }
        guard !contents.favorites.isEmpty else { return }
        outcome.messages.append(
            "favorites/ was gone: it is made again, its links too")
    }

    private mutating func tell(_ changes: FavoriteChanges, _ errors: [SystemError]) {
        outcome.messages += changes.added.map {
            "\($0.day) is a favorite now (\($0.names.first?.text ?? ""))"
        }
        outcome.messages += changes.vanished.map { "\($0.day) is no favorite any more" }
        if !changes.held.isEmpty {
            outcome.messages.append(
                "\(changes.held.count) favorites are gone from favorites/ and are kept all the same:"
                    + " “apod-mirror favorites restore” puts them back, “favorites forget” lets go")
        }
        outcome.messages += errors.map { "\($0): no favorite is let go of until it can be read" }
    }
}

/// What the mirror has when a look begins: another thread reads it while the favorites are compared.
private struct MirrorNames: Sendable {
    let names: TreeNames
    /// By their names alone: what is there under its final name is whole.
    let complete: Set<Day>

    init(_ tree: Tree) {
        names = TreeNames(of: tree.root)
        complete = (try? Census(of: tree, keeping: names))?.complete ?? []
    }
}

extension Favorite {
    /// Whether nothing in `favorites/` stands for it.
    package var isMissed: Bool { isHeld || vanishedAt != nil }
}

extension FavoriteChanges.Trust {
    /// What `scan` proves, after one of the folder `last`.
    init(_ scan: Scan, last: FileIdentity?) {
        self =
            if case .folder(let identity) = scan.place, scan.errors.isEmpty {
                identity == last ? .whole : .anotherFolder
            } else {
                .partial
            }
    }
}
