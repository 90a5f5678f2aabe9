internal import APOD
internal import FoundationEssentials
internal import Mirror
internal import Platform

/// One call of ``Favorites/reconcile(_:checksAll:isBrief:didRecord:)``: the order of its steps, and what they share.
///
/// Each step is an extension in its own file: the records (`+Records`, `+Trash`), the pins, which are second copies of pictures
/// (`+Pins`), lost pictures (`+Pictures`), links in `favorites/` (`+Links`), and the texts there (`+Texts`). A step that
/// fails adds its error to the ``outcome``, and the other steps go on.
final class ReconcileRun {
    let mirror: Store
    /// When the run began, which is close to its scan: an item may return while files are read.
    let now: Date
    let timer: RunTimer
    /// What the last run left; the steps bring it up to date for the next one.
    var memory: FavoritesMemory
    var outcome = ReconcileOutcome()
    /// The links that are to be replaced, but in whose folders the mirror may not write.
    var unrepairedLinks: [FavoriteName] = []

    init(
        in mirror: Store, after memory: FavoritesMemory, clock: () -> Date,
        uptimeClock: @escaping @Sendable () -> Uptime
    ) {
        self.mirror = mirror
        self.memory = memory
        timer = RunTimer(clock: uptimeClock)
        now = clock()
    }

    var tree: Tree { mirror.tree }
    var store: FavoriteStore { FavoriteStore(tree: tree) }
    var links: FavoriteLinks { FavoriteLinks(tree: tree) }
    var pins: FavoritePins {
        FavoritePins(tree: tree, checkSpace: mirror.checkFreeSpace(forFileOf:))
    }
    var mirrored: MirroredFavorites { MirroredFavorites(mirror: mirror, pins: stored.pins) }

    /// The records and pins that the disk has; the steps change them in ``memory``.
    var stored: StoredFavorites { memory.stored }

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
        // Commands leave requests in this folder, which must be found and removed.
        attempt(try tree.root.makeDirectory(Layout.requests).checkWritable())
        let survey = attempt(try updateRecords(scan, isBrief: isBrief))
        recordTitles()
        pinPictures()
        attempt(try flush())
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
        attempt(try flush())
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

    /// The value of `step`; `nil` after an error, which becomes one of the failures of the outcome.
    @discardableResult
    func attempt<Value>(_ step: @autoclosure () throws(SystemError) -> Value) -> Value? {
        do {
            return try step()
        } catch {
            outcome.addFailure(error)
            return nil
        }
    }

    /// Writes the records of `favorites`; returns the days of those that could be written.
    ///
    /// A record that cannot be read, or that is damaged and was not renamed, stays, because a person may still need it.
    @discardableResult
    func write(_ favorites: [Favorite]) -> Set<Day> {
        let replaceable = favorites.filter {
            !stored.damaged.contains($0.day) && stored.unreadable[$0.day] == nil
        }
        guard !replaceable.isEmpty else { return [] }
        memory.isFlushed = false
        let written = writeTogetherOrAlone(replaceable)
        if !written.isEmpty { outcome.didChangeRecords = true }
        for favorite in written { memory.stored.insert(favorite) }
        return Set(written.map(\.day))
    }

    /// Writes the records of `favorites` at once, or else each by itself, so that one that fails does not stop the others.
    ///
    /// - Returns: The favorites whose records were written.
    private func writeTogetherOrAlone(_ favorites: [Favorite]) -> [Favorite] {
        do {
            try store.write(favorites)
            return favorites
        } catch {
            outcome.addFailure(error)
            guard favorites.count > 1, !error.isNoSpace, !error.isReadOnly else { return [] }
            var written: [Favorite] = []
            for favorite in favorites {
                if attempt(try store.write([favorite])) != nil { written.append(favorite) }
            }
            return written
        }
    }

    /// Makes all records and pins durable by one fsync(2), which takes longer than all other steps.
    func flush() throws(SystemError) {
        guard !memory.isFlushed else { return }
        try store.flush()
        memory.isFlushed = true
    }
}

/// Measures how long a ``ReconcileRun`` takes, by a clock that nobody sets.
struct RunTimer: Sendable {
    let start: Uptime
    private let clock: @Sendable () -> Uptime

    init(clock: @escaping @Sendable () -> Uptime) {
        self.clock = clock
        start = clock()
    }

    /// The time since the start; zero if the machine was restarted in between.
    var elapsed: Duration { .seconds(clock().seconds(since: start) ?? 0) }
}
