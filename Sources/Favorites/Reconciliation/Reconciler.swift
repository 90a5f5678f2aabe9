internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// One look at `favorites/` and what follows from it.
///
/// What fails concerns one favorite, one file or one step: it is noted, and all else is done.
struct Reconciler {
    let tree: Tree
    let store: FavoriteStore
    let reader: LinkReader
    private(set) var contents: FavoriteStore.Contents
    let now: Date
    let uptime: Uptime
    /// Whether all favorites are gone through, and not only those that are new.
    let isFullScan: Bool
    private(set) var outcome = ReconcileOutcome()
    /// Whether the names of all records and pins are on the disk.
    private var isSettled = true

    init(
        tree: Tree, store: FavoriteStore, reader: LinkReader, contents: FavoriteStore.Contents,
        now: Date, uptime: Uptime, isFullScan: Bool
    ) {
        self.tree = tree
        self.store = store
        self.reader = reader
        self.contents = contents
        self.now = now
        self.uptime = uptime
        self.isFullScan = isFullScan
    }

    /// The time until the next look after one in which something failed, in seconds.
    private static let minute = 60.0

    mutating func run(_ scan: Scan, remembered: inout ClassificationCache) {
        let isIdle = contents.favorites.isEmpty && scan.items.isEmpty
        let mirror = isFullScan && !isIdle ? MirrorNames(tree) : nil
        mendRecords()
        mendRequests()
        var understanding: ClassifiedScan?
        switch scan.place {
        case .folder(let place): understanding = take(scan, place, &remembered)
        case .missing: attempt { pass throws(SystemError) in try pass.remake() }
        case .somethingElse:
            outcome.messages.append(
                "favorites/ is not a folder and is left alone: move it away, and the folder is made"
                    + " again with its links")
        case .unreadable(let error):
            outcome.messages.append("\(error): no favorite is let go of until it can be read")
        }
        tend(understanding, mirror)
        if isFullScan {
            attempt { pass throws(SystemError) in
                try pass.store.forgetOldRemovals(now: pass.now)
            }
        }
        outcome.favorites = contents.favorites
        guard !outcome.failures.isEmpty else { return }
        outcome.nextLook = min(outcome.nextLook ?? Self.minute, Self.minute)
    }

    /// Pictures first, so that the links have something to lead to.
    private mutating func tend(_ understanding: ClassifiedScan?, _ mirror: MirrorNames?) {
        let repair = LinkRepairer(tree: tree, reader: reader, known: mirror?.names)
        if let understanding {
            repair.finishMoves(understanding, &outcome)
            repair.returnOriginals(understanding, &outcome)
        }
        pinAll()
        attempt { pass throws(SystemError) in try pass.settle() }
        // Only now is it on the disk.
        if isSettled { tellChanges() }
        findWanted(mirror?.complete ?? [])
        if let understanding { repair.mendLinks(understanding, files, &outcome) }
    }

    // MARK: What fails

    /// Does `body`; a failure is noted.
    ///
    /// - Returns: Whether it was done.
    @discardableResult
    private mutating func attempt(
        _ body: (inout Reconciler) throws(SystemError) -> Void
    ) -> Bool {
        do {
            try body(&self)
            return true
        } catch {
            note(error)
            return false
        }
    }

    /// One of a kind is enough: a disk that is full refuses all.
    private mutating func note(_ error: SystemError) {
        guard outcome.failures.count < 10, !outcome.failures.contains(error) else { return }
        outcome.failures.append(error)
    }

    // MARK: Records

    /// Makes records again that cannot be read, or are gone while the pin stands.
    private mutating func mendRecords() {
        for day in contents.damaged.sorted() {
            attempt { pass throws(SystemError) in
                try pass.store.setAside(day)
                pass.outcome.messages.append(
                    "the record of the favorite \(day) was damaged: it is kept as"
                        + " \(day).json.damaged and made again")
            }
        }
        let lost = contents.damaged.union(
            contents.pins.keys.filter { contents.favorites[$0] == nil })
        save(lost.sorted().map { Favorite($0, added: now, names: [], via: .link, isHeld: true) })
        contents.damaged = []
    }

    private mutating func mendRequests() {
        attempt { pass throws(SystemError) in
            guard let message = try pass.store.repairRequests() else { return }
            pass.outcome.messages.append(message)
            // Another folder is to be watched.
            pass.outcome.nextLook = 0
        }
    }

    /// Writes records; those that cannot be written stay as they are on the disk.
    ///
    /// - Returns: The days whose record was written.
    @discardableResult
    private mutating func save(_ favorites: [Favorite]) -> Set<Day> {
        guard !favorites.isEmpty else { return [] }
        do {
            return try write(favorites)
        } catch {
            note(error)
            guard favorites.count > 1, !error.isNoSpace, !error.isReadOnly else { return [] }
        }
        // One of them it was: the others are written without it.
        return favorites.reduce(into: []) { saved, favorite in
            attempt { pass throws(SystemError) in saved.formUnion(try pass.write([favorite])) }
        }
    }

    private mutating func write(_ favorites: [Favorite]) throws(SystemError) -> Set<Day> {
        isSettled = false
        try store.save(favorites)
        for favorite in favorites { contents.favorites[favorite.day] = favorite }
        return Set(favorites.map(\.day))
    }

    /// Makes all that was written so far last: one call for many, as it takes longer than all else.
    private mutating func settle() throws(SystemError) {
        guard !isSettled else { return }
        try store.settle()
        isSettled = true
    }

    private mutating func take(
        _ scan: Scan, _ place: DirectoryIdentity, _ remembered: inout ClassificationCache
    ) -> ClassifiedScan {
        let understanding = ClassifiedScan(
            scan, in: tree, reader: reader, recorded: contents.favorites, remembered: &remembered,
            now: Int(now.timeIntervalSince1970))
        let last = store.lastFolder()
        var requests: Set<Day> = []
        attempt { pass throws(SystemError) in requests = try pass.store.requests() }
        let changes = FavoriteChanges(
            recorded: contents.favorites, found: understanding.sightings,
            trust: .init(scan, last: last), unseen: scan.unseen, letGo: requests, now: now,
            uptime: uptime)
        outcome.nextLook = [outcome.nextLook, changes.nextLook].compactMap(\.self).min()
        apply(changes)
        attempt { pass throws(SystemError) in try pass.store.finish(requests) }
        note(place, scan, last)
        tell(changes, scan.failures)
        outcome.notUnderstood = understanding.notUnderstood
        outcome.notUnderstoodCount = understanding.notUnderstoodCount
        return understanding
    }

    /// Notes which folder was looked at, after what was found in it: another one is trusted less.
    private mutating func note(
        _ place: DirectoryIdentity, _ scan: Scan, _ last: FavoriteStore.LastFolder?
    ) {
        guard !scan.isPartial else { return }
        let current = FavoriteStore.LastFolder(
            place: place, permissions: scan.permissions ?? last?.permissions)
        guard current != last else { return }
        attempt { pass throws(SystemError) in
            try pass.settle()
            try pass.store.save(current)
        }
    }

    private mutating func apply(_ changes: FavoriteChanges) {
        let saved = save(changes.changed.map { titled($0) })
        for favorite in changes.vanished {
            attempt { pass throws(SystemError) in
                try pass.store.remove(favorite, pin: pass.contents.pins[favorite.day])
                pass.contents.favorites[favorite.day] = nil
                pass.contents.pins[favorite.day] = nil
                pass.outcome.vanished.append(favorite)
            }
        }
        outcome.hasChanges = !saved.isEmpty || !outcome.vanished.isEmpty
        outcome.added = changes.added.filter { saved.contains($0.day) }
        outcome.returned = changes.returned.filter { saved.contains($0.day) }
        outcome.held = changes.held.filter { saved.contains($0.day) }
    }

    // MARK: Pictures

    private var files: DayFiles { DayFiles(tree: tree, pins: contents.pins) }

    /// Sees to it that each favorite has a title and a pinned picture as soon as the mirror has them.
    private mutating func pinAll() {
        save(
            contents.favorites.values.filter { $0.title == nil }.map { titled($0) }
                .filter { $0.title != nil })
        var pins = FavoritePins(tree: tree)
        let bare = contents.favorites.values.filter {
            contents.pins[$0.day] == nil && !$0.isMissed
        }
        guard !bare.isEmpty else { return }
        let removed = Set((try? store.removedFavorites())?.keys.map(\.self) ?? [])
        for day in bare.map(\.day).sorted(by: >) {
            do throws(SystemError) {
                if let path = try files.media(files.record(of: day)) {
                    isSettled = false
                    contents.pins[day] = try pins.pin(day, path)
                }
                guard removed.contains(day) else { continue }
                let pin = try store.takeBack(day, hasPin: contents.pins[day] != nil)
                contents.pins[day] = contents.pins[day] ?? pin
            } catch {
                outcome.messages.append("\(error): the picture of \(day) is not pinned yet")
            }
        }
    }

    /// Tells which favorites the mirror lacks; a picture that is gone comes back from its pin.
    private mutating func findWanted(_ complete: Set<Day>) {
        let doubtful = contents.favorites.keys.filter { day in
            contents.pins[day] == nil || (isFullScan && !complete.contains(day))
        }
        for day in doubtful.sorted() {
            attempt { pass throws(SystemError) in try pass.findWanted(day) }
        }
    }

    private mutating func findWanted(_ day: Day) throws(SystemError) {
        guard let record = try files.record(of: day) else {
            outcome.wanted.insert(day)
            return
        }
        guard let picture = record.picture, try files.media(record) == nil else { return }
        outcome.wanted.insert(day)
        var pins = FavoritePins(tree: tree)
        guard let pin = contents.pins[day], try pins.putBack(picture, of: day, pin: pin) else {
            return
        }
        outcome.wanted.remove(day)
        outcome.messages.append("\(picture.path) was gone: it is back from the favorites")
    }

    /// The same, with the title that the mirror has.
    private func titled(_ favorite: Favorite) -> Favorite {
        guard favorite.title == nil else { return favorite }
        var favorite = favorite
        favorite.title = (try? files.record(of: favorite.day))??.entry.title
        return favorite
    }

    // MARK: favorites/

    /// Makes `favorites/` with the links of all favorites.
    private mutating func remake() throws(SystemError) {
        // Where two have one name, it is that of the one that has it still.
        let links = contents.favorites.values
            .sorted { ($0.isMissed ? 1 : 0, $0.day) < ($1.isMissed ? 1 : 0, $1.day) }
            .flatMap { favorite -> [(name: FavoriteName, path: String)] in
                let best = (try? files.best(favorite.day)) ?? nil
                let path = best ?? DayFiles.promise(favorite.day)
                return favorite.names.map { (name: $0, path: path) }
            }
        let permissions = store.lastFolder()?.permissions
        let isAsBefore = try FavoriteLinks(tree: tree).remake(links, permissions)
        if let folder = try tree.root.folder(Scan.folder) {
            try settle()
            let current = try folder.permissions()
            try store.save(.init(place: folder.place(), permissions: permissions ?? current))
        }
        if !isAsBefore, let permissions { outcome.messages.append(advice(permissions)) }
        guard !contents.favorites.isEmpty else { return }
        outcome.messages.append(
            "favorites/ was gone: it is made again, its links too")
    }

    /// How the group of a folder may write to the one that was made in its place.
    private func advice(_ permissions: DirectoryAccess) -> String {
        let group = Account.name(ofGroup: permissions.group)
        let mode = String(permissions.mode, radix: 8)
        return "favorites/ was made again, but the group \(group) may not write to it yet: run"
            + " “chgrp \(group) \(tree.root.path)/favorites && chmod \(mode)"
            + " \(tree.root.path)/favorites” as root"
    }

    private mutating func tellChanges() {
        outcome.changes += outcome.added.map {
            "\($0.day) is a favorite now (\($0.names.first?.text ?? ""))"
        }
        outcome.changes += outcome.vanished.map { "\($0.day) is no favorite any more" }
    }

    private mutating func tell(_ changes: FavoriteChanges, _ failures: [DirectoryListing.Failure]) {
        if !changes.held.isEmpty {
            let count = changes.held.count
            outcome.messages.append(
                "\(count) \(count == 1 ? "favorite is" : "favorites are") gone from favorites/ and"
                    + " kept all the same: “apod-mirror favorites restore” puts the links back,"
                    + " “favorites forget” lets go")
        }
        outcome.messages += failures.map { failure in
            if failure.isTooMuch {
                return
                    "favorites/ holds too much to look at all of it: no favorite is let go of until"
                    + " there are fewer than \(Scan.rules.items) files and links in it"
            }
            return failure.path.isEmpty
                ? "\(failure.error): no favorite is let go of until it can be read"
                : "\(failure.error): no favorite is let go of below it until it can be read"
        }
    }
}

/// What the mirror has when a reconciliation begins.
private struct MirrorNames {
    let names: TreeNames
    /// By their names alone: what is there under its final name is whole.
    let complete: Set<Day>

    init(_ tree: Tree) {
        names = TreeNames(of: tree.root)
        complete = (try? TreeIndex(of: tree, keeping: names))?.complete ?? []
    }
}

extension Favorite {
    /// Whether nothing in `favorites/` stands for it.
    package var isMissed: Bool { isHeld || vanishedAt != nil }
}

extension Scan {
    /// Whether anything may be there that was not seen, whatever its name.
    var isPartial: Bool {
        guard case .folder = place else { return true }
        return failures.contains { $0.path.isEmpty }
    }

    /// The paths at or below which something may be that was not seen.
    var unseen: Set<ArraySlice<UInt8>> { Set(failures.map { $0.path[...] }) }
}

extension FavoriteChanges.Trust {
    /// What `scan` proves, after one of the folder `last`.
    init(_ scan: Scan, last: FavoriteStore.LastFolder?) {
        guard !scan.isPartial, case .folder(let place) = scan.place else {
            self = .partial
            return
        }
        self = last?.isSame(as: place) == true ? .whole : .anotherFolder
    }
}
