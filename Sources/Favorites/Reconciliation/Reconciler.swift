internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// One reconciliation: classifies a scan, and updates records, pins and links.
///
/// A failure concerns one favorite, one file or one step: it is reported, and everything else is done.
struct Reconciler {
    let tree: Tree
    let resolver: LinkResolver
    private(set) var contents: FavoriteStore.Contents
    let now: Date
    let uptime: Uptime
    /// Whether all favorites are checked, and not only those that changed.
    let checksAll: Bool
    var outcome = ReconcileOutcome()
    /// Whether all written records and pins are durable.
    var isSynchronized = true

    /// The seconds until the next scan after a failure, or if a request is kept.
    private static let retryDelay = 60.0

    mutating func run(_ scan: Scan, cache: inout ClassificationCache) {
        repairRecords()
        repairRequestDirectory()
        let earlier = contents
        var classified: ClassifiedScan?
        switch scan.place {
        case .folder, .missing:
            attempt { this throws(SystemError) in
                classified = try this.updateRecords(scan, &cache)
            }
        case .notADirectory: outcome.events.append(.folderIsNotADirectory)
        case .unreadable(let error):
            outcome.events.append(.pathUnreadable(.init(path: [], error: error)))
        }
        let repairer = LinkRepairer(tree: tree, resolver: resolver)
        // Pictures before links, so that the links have a destination.
        if let classified {
            repairer.finishInterruptedMoves(classified, &outcome)
            repairer.returnOriginals(classified, after: earlier, &outcome)
        }
        pinPictures()
        attempt { this throws(SystemError) in try this.synchronize() }
        // Reported only once they are durable.
        // mutant: durable-before-reported
        if isSynchronized {
            outcome.events += outcome.added.map { .added($0.day, $0.names.first) }
            outcome.events += outcome.removed.map { .removed($0.day) }
        }
        findWanted()
        if let classified { repairer.repairLinks(classified, files, &outcome) }
        if checksAll {
            attempt { this throws(SystemError) in
                try this.store.deleteExpiredRemovals(now: this.now)
            }
        }
        outcome.favorites = contents.favorites
        if !outcome.failures.isEmpty { scanAgain(within: Self.retryDelay) }
    }

    private mutating func scanAgain(within seconds: Double) {
        outcome.nextScan = min(outcome.nextScan ?? seconds, seconds)
    }

    var store: FavoriteStore { FavoriteStore(tree: tree) }
    var files: DayFiles { DayFiles(tree: tree, pins: contents.pins) }

    // MARK: Failures

    /// Runs `body`; an error is added to the failures.
    private mutating func attempt(_ body: (inout Reconciler) throws(SystemError) -> Void) {
        do {
            try body(&self)
        } catch {
            report(error)
        }
    }

    /// Adds each error once: a full disk fails every write.
    private mutating func report(_ error: SystemError) {
        guard outcome.failures.count < 10, !outcome.failures.contains(error) else { return }
        outcome.failures.append(error)
    }

    // MARK: Records

    /// Recreates records that are damaged, or missing while the pin exists.
    private mutating func repairRecords() {
        for day in contents.damaged.sorted() {
            attempt { this throws(SystemError) in
                try this.store.setAside(day)
                this.outcome.events.append(.recordDamaged(day))
            }
        }
        let lost = contents.damaged.union(
            contents.pins.keys.filter { contents.favorites[$0] == nil })
        write(
            lost.sorted().map { day in
                // mutant: lost-record-is-held
                Favorite(day: day, added: now, names: [], kind: .link, isHeld: true)
            })
        contents.damaged = []
    }

    private mutating func repairRequestDirectory() {
        attempt { this throws(SystemError) in
            guard let event = try this.store.repairRequestDirectory() else { return }
            this.outcome.events.append(event)
            // The new directory is not watched yet.
            this.scanAgain(within: 0)
        }
    }

    /// Writes records, and returns the days of those that could be written; the others stay as they are.
    @discardableResult
    mutating func write(_ favorites: [Favorite]) -> Set<Day> {
        guard !favorites.isEmpty else { return [] }
        do {
            return try writeTogether(favorites)
        } catch {
            report(error)
            guard favorites.count > 1, !error.isNoSpace, !error.isReadOnly else { return [] }
        }
        // One of them cannot be written: write the others one by one.
        return favorites.reduce(into: []) { written, favorite in
            attempt { this throws(SystemError) in
                written.formUnion(try this.writeTogether([favorite]))
            }
        }
    }

    private mutating func writeTogether(_ favorites: [Favorite]) throws(SystemError) -> Set<Day> {
        isSynchronized = false
        try store.write(favorites)
        for favorite in favorites { contents.favorites[favorite.day] = favorite }
        return Set(favorites.map(\.day))
    }

    /// Makes all records and pins durable by one call: it takes longer than everything else.
    mutating func synchronize() throws(SystemError) {
        guard !isSynchronized else { return }
        try store.synchronize()
        isSynchronized = true
    }

    /// Applies the changes that `scan` shows; first creates the directory where it is missing, and scans again.
    ///
    /// - Returns: `nil` if there is no complete directory.
    private mutating func updateRecords(
        _ scan: Scan, _ cache: inout ClassificationCache
    ) throws(SystemError) -> ClassifiedScan? {
        var scan = scan
        var last = try store.lastScannedDirectory()
        if scan.place == .missing || last?.isUnfinished == true {
            guard try completeFolder(after: last) else { return nil }
            scan = Scan(of: tree.root)
            last = try store.lastScannedDirectory()
        }
        guard case .folder(let place) = scan.place else { return nil }
        let classified = ClassifiedScan(
            scan, in: tree, resolver: resolver, recorded: contents.favorites, cache: &cache,
            now: Int(now.timeIntervalSince1970))
        var requests: Set<Day> = []
        attempt { this throws(SystemError) in requests = try this.store.forgetRequests() }
        let changes = FavoriteChanges(
            recorded: contents.favorites, scan, classified, last: last, forgetRequests: requests,
            now: now, uptime: uptime)
        if let seconds = changes.nextScan { scanAgain(within: seconds) }
        let isWritten = apply(changes)
        removeRequests(requests, changes)
        let isSame = last?.place == place
        let current = ScannedDirectory(
            place: place, permissions: scan.permissions ?? last?.permissions,
            mounts: changes.mounts(in: scan, last: last))
        // A favorite that could not be written as held would be removed after a scan of the same directory.
        if isWritten || isSame, !scan.isPartial, current != last {
            attempt { this throws(SystemError) in
                // The favorites are synced first: after this write, the new directory counts as the same
                // directory, and favorites whose links are missing can be removed.
                try this.synchronize()
                try this.store.write(current)
            }
        }
        if !changes.held.isEmpty { outcome.events.append(.held(changes.held.count)) }
        outcome.events += scan.failures.map { .pathUnreadable($0) }
        outcome.unrecognized = classified.unrecognized
        outcome.unrecognizedCount = classified.unrecognizedCount
        return classified
    }

    /// Deletes the forget requests, except for favorites that could not be removed, and for a minute those that
    /// still have links: “favorites remove” deletes the links after its request.
    private mutating func removeRequests(_ requests: Set<Day>, _ changes: FavoriteChanges) {
        let kept = requests.filter { day in
            contents.favorites[day] != nil
                && (changes.favorites[day] == nil || store.isNewRequest(day, now: now))
        }
        if !kept.isEmpty { scanAgain(within: Self.retryDelay) }
        attempt { this throws(SystemError) in
            try this.store.removeForgetRequests(requests.subtracting(kept))
        }
    }

    /// - Returns: Whether all changed records were written.
    private mutating func apply(_ changes: FavoriteChanges) -> Bool {
        let removed = try? store.removedFavorites(changes.added.map(\.day))
        let written = write(
            changes.changed.map { titled($0).continuing(removed?[$0.day]) })
        for favorite in changes.removed {
            attempt { this throws(SystemError) in
                try this.store.remove(favorite, now: this.now)
                this.contents.favorites[favorite.day] = nil
                this.contents.pins[favorite.day] = nil
                this.outcome.removed.append(favorite)
            }
        }
        if !written.isEmpty || !outcome.removed.isEmpty { outcome.hasChanges = true }
        outcome.added = changes.added.filter { written.contains($0.day) }
        return written.count == changes.changed.count
    }

    /// The favorite with the title that the mirror has.
    private func titled(_ favorite: Favorite) -> Favorite {
        guard favorite.title == nil else { return favorite }
        var favorite = favorite
        favorite.title = (try? files.dayRecord(of: favorite.day))??.entry.title
        return favorite
    }

    // MARK: Pictures

    /// Writes the titles and pins the pictures of favorites that the mirror has by now.
    private mutating func pinPictures() {
        write(
            contents.favorites.values.filter { $0.title == nil }.map { titled($0) }
                .filter { $0.title != nil })
        var pins = FavoritePins(tree: tree)
        let unpinned = contents.favorites.values.filter {
            contents.pins[$0.day] == nil && !$0.isMissing
        }
        guard !unpinned.isEmpty else { return }
        let removed = try? store.removedFavorites(unpinned.map(\.day))
        for day in unpinned.map(\.day).sorted(by: >) {
            do throws(SystemError) {
                if let path = try files.media(files.dayRecord(of: day)) {
                    isSynchronized = false
                    contents.pins[day] = try pins.pin(day, path)
                }
                guard removed?[day] != nil else { continue }
                // Its old record and pin are deleted.
                try synchronize()
                let pin = try store.reclaim(day, hasPin: contents.pins[day] != nil)
                contents.pins[day] = contents.pins[day] ?? pin
            } catch {
                outcome.events.append(.pictureNotPinned(day, error))
            }
        }
    }

    /// Finds the favorites that are missing in the mirror, and restores missing pictures from their pins.
    private mutating func findWanted() {
        let readsTree = checksAll && !contents.favorites.isEmpty
        let complete =
            readsTree ? (try? Store(reading: tree).completeDays(TreeIndex(of: tree))) ?? [] : []
        let unchecked = contents.favorites.keys.filter { day in
            contents.pins[day] == nil || (checksAll && !complete.contains(day))
        }
        for day in unchecked.sorted() {
            attempt { this throws(SystemError) in try this.findWanted(day) }
        }
    }

    private mutating func findWanted(_ day: Day) throws(SystemError) {
        guard let record = try files.dayRecord(of: day) else {
            outcome.wanted.insert(day)
            return
        }
        guard let picture = record.picture,
            try tree.root.status(picture.path)?.kind != .file
        else { return }
        outcome.wanted.insert(day)
        var pins = FavoritePins(tree: tree)
        guard let pin = contents.pins[day],
            try pins.restorePicture(picture, of: day, pin: pin)
        else { return }
        outcome.wanted.remove(day)
        outcome.events.append(.pictureRestored(path: picture.path))
    }
}
