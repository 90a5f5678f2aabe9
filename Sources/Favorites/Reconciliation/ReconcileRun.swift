internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// One call of ``Favorites/reconcile(_:checksAll:isBrief:didRecord:)``: its steps, and what they share.
///
/// A favorite has a record in `.apod-mirror/favorites/` (``FavoriteStore``), and beside the record a pin: a hard link to its
/// picture, or a copy, which stays when the mirror loses the picture. A step that fails adds its error to the ``outcome``, and
/// the other steps go on. The extensions in other files have the steps.
final class ReconcileRun {
    let mirror: Store
    /// When the run began, which is close to its scan: an item may return while files are read.
    let now: Date
    /// When the run began, by a clock that nobody sets; it measures the grace period of a removal.
    let uptime: Uptime
    private let uptimeClock: @Sendable () -> Uptime
    /// What the last run left; the steps bring it up to date for the next one.
    var memory: FavoritesMemory
    var outcome = ReconcileOutcome()

    init(
        in mirror: Store, after memory: FavoritesMemory, clock: () -> Date,
        uptimeClock: @escaping @Sendable () -> Uptime
    ) {
        self.mirror = mirror
        self.memory = memory
        self.uptimeClock = uptimeClock
        uptime = uptimeClock()
        now = clock()
    }

    var tree: Tree { mirror.tree }
    var store: FavoriteStore { FavoriteStore(tree: tree) }
    var links: FavoriteLinks { FavoriteLinks(tree: tree) }
    var pins: FavoritePins {
        FavoritePins(tree: tree, checkSpace: mirror.checkFreeSpace(forFileOf:))
    }
    var mirrored: MirroredFavorites { MirroredFavorites(mirror: mirror, pins: stored.pins) }

    /// The records and pins that the disk has.
    var stored: StoredFavorites { memory.stored }

    // MARK: Steps

    /// Takes all steps, as ``Favorites/reconcile(_:checksAll:isBrief:didRecord:)`` describes them.
    func reconcile(
        _ scan: Scan, isBrief: Bool, didRecord: () -> Void
    ) throws(SystemError) -> ReconcileOutcome {
        memory.stored = try store.storedFavorites(updating: stored)
        stored.unreadable.values.forEach { outcome.addFailure($0) }
        let survey = recordFavorites(scan, isBrief: isBrief)
        // New favorites are durable and reported before the slow search for pictures begins.
        didRecord()
        repairPictures(survey)
        // The pictures are restored by now, so that the links have a destination.
        if let survey {
            repairLinks(survey.classified.references)
            updateTexts(survey)
        }
        outcome.favorites = stored.favorites
        memory.wanted = outcome.wanted
        return outcome
    }

    /// Writes the records of the favorites that `scan` shows, pins their pictures, and reports what is durable.
    ///
    /// - Returns: What the scan shows; `nil` if it could not be compared with the records.
    private func recordFavorites(_ scan: Scan, isBrief: Bool) -> Survey? {
        attempt { () throws(SystemError) in
            // Commands leave requests in this folder, which must be found and removed.
            try tree.root.makeDirectory(Layout.requests).checkWritable()
        }
        let survey = attempt { () throws(SystemError) in
            try updateRecords(scan, isBrief: isBrief)
        }
        recordTitles()
        pinPictures()
        attempt(flush)
        reportDurableChanges()
        return survey
    }

    /// Restores lost pictures of favorites, and pins what was restored.
    ///
    /// All pictures are checked only after a scan that left no file unread, because the file may be a copy of a lost picture.
    private func repairPictures(_ survey: Survey?) {
        let isUnfinished = survey?.classified.isUnfinished ?? false
        let unpinned = checkPictures(
            of: survey, checksAll: memory.mustCheckPictures && !isUnfinished)
        pinPictures(of: unpinned)
        attempt(flush)
        if !isUnfinished { memory.mustCheckPictures = false }
    }

    private func reportDurableChanges() {
        memory.unreportedChanges += outcome.added.map { favorite in
            "\(favorite.day) added to favorites (\(favorite.names.first?.text ?? "no name"))"
        }
        memory.unreportedChanges += outcome.removed.map { "\($0.day) removed from favorites" }
        // mutation test: durable-before-reported (see Tests/Mutants)
        if memory.isFlushed {
            outcome.changeLines = memory.unreportedChanges
            memory.unreportedChanges = []
        }
    }

    /// Runs `step`; its error becomes one of the failures of the outcome.
    ///
    /// - Returns: `nil` after an error.
    @discardableResult
    func attempt<Value>(_ step: () throws(SystemError) -> Value) -> Value? {
        do {
            return try step()
        } catch {
            outcome.addFailure(error)
            return nil
        }
    }

    // MARK: Time

    /// The time after which a brief run opens no other file.
    private static let longestReading = Duration.seconds(1)

    /// The time until ``longestReading`` has passed since the start of this run.
    var briefReadingTime: ReadingTime {
        .limited { [uptimeClock, uptime] in
            uptimeClock().time(since: uptime) >= Self.longestReading
        }
    }

    /// The time since the start of this run.
    var elapsed: Duration { uptimeClock().time(since: uptime) }

    // MARK: Writing

    /// Writes the records of `favorites`; returns the days of those that could be written.
    ///
    /// A record that cannot be read, or that is damaged and was not renamed, stays, because a person may still need it.
    @discardableResult
    func write(_ favorites: [Favorite]) -> Set<Day> {
        let favorites = favorites.filter {
            !stored.damaged.contains($0.day) && stored.unreadable[$0.day] == nil
        }
        guard !favorites.isEmpty else { return [] }
        memory.isFlushed = false
        do {
            try store.write(favorites)
        } catch {
            outcome.addFailure(error)
            guard favorites.count > 1, !error.isNoSpace, !error.isReadOnly else { return [] }
            // Each is written by itself, so that one record that cannot be replaced does not stop the others.
            return favorites.reduce(into: []) { written, favorite in
                written.formUnion(write([favorite]))
            }
        }
        outcome.didChangeRecords = true
        for favorite in favorites { memory.stored.insert(favorite) }
        return Set(favorites.map(\.day))
    }

    /// Makes all records and pins durable by one fsync(2), which takes longer than all other steps.
    func flush() throws(SystemError) {
        guard !memory.isFlushed else { return }
        try store.flush()
        memory.isFlushed = true
    }
}

extension Uptime {
    /// The time since `earlier`; zero if the machine was restarted in between.
    fileprivate func time(since earlier: Uptime) -> Duration {
        .seconds(seconds(since: earlier) ?? 0)
    }
}
