package import APOD
package import FoundationEssentials
package import Mirror
package import Platform

/// Reconciles `favorites/` with the records of favorites. The daemon calls ``reconcile(_:checksAll:isBrief:didRecord:)`` after
/// each change in that folder, and a command does so if no daemon runs.
///
/// An item in `favorites/`, such as a symbolic link to a picture, makes its day a favorite. A favorite has a record in
/// `.apod-mirror/favorites/` (``FavoriteStore``), and beside the record a pin: a hard link to its picture, or a copy, which
/// stays when the mirror loses the picture. If the program ends between any two steps, the next call continues.
package actor Favorites {
    let mirror: Store
    private let clock: @Sendable () -> Date
    private let uptimeClock: @Sendable () -> Uptime

    // What the disk holds. Each call reads again what has changed.
    var stored = StoredFavorites()
    /// The removed favorites in the trash, as it was last read; if their items return, so do their records and pins.
    var trash: [Day: Favorite] = [:]
    /// Whether ``trash`` is to be read again: after a start, and after a removal, which may have been interrupted.
    var mustReadTrash = true
    /// What the last scan found out about the files in `favorites/`; ``Scan/rules`` limits their number.
    var knownFiles: [ScannedItem: Classification] = [:]
    /// The files of favorites as the last scans found them, so that an edited copy that is renamed stays the same favorite.
    var lastFiles: [FileIdentity: FavoriteReference] = [:]
    /// The ``SnapshotOwner/version`` of the mirror when unrecognized files were last compared with it.
    private var comparedVersion: Int?

    // What a call leaves to the next one.
    /// The paths of those pictures of favorites that a person had changed when they were last checked.
    var editedPictures: [Day: String] = [:]
    /// Whether the pictures of all favorites are to be checked, as soon as a scan leaves no file unread.
    private var mustCheckPictures = false
    /// Whether all records and pins are known to be durable; a process that was killed may have left some that are not.
    var isFlushed = false
    /// Sentences about favorites that were added and removed since the last flush; a power cut may still undo that.
    private var unreportedChanges: [String] = []

    // The call under way.
    var outcome = ReconcileOutcome()
    /// When the call began, which is close to its scan: an item may return while files are read.
    private(set) var now: Date
    /// When the call began, by a clock that nobody sets; it measures the grace period of a removal.
    private(set) var uptime: Uptime

    /// The seconds after which a brief scan opens no other file.
    private static let longestReading = 1.0

    /// `mirror` must be open for writing; `uptime` is the time by a clock that nobody sets.
    package init(
        of mirror: Store, now: @escaping @Sendable () -> Date = { Date() },
        uptime: @escaping @Sendable () -> Uptime = { .now }
    ) {
        self.mirror = mirror
        clock = now
        uptimeClock = uptime
        (self.now, self.uptime) = (now(), uptime())
    }

    var tree: Tree { mirror.tree }
    var store: FavoriteStore { FavoriteStore(tree: tree) }
    var links: FavoriteLinks { FavoriteLinks(tree: tree) }
    var pins: FavoritePins {
        FavoritePins(tree: tree, checkSpace: mirror.checkFreeSpace(forFileOf:))
    }
    var mirrored: MirroredFavorites { MirroredFavorites(mirror: mirror, pins: stored.pins) }

    /// Brings the records, the pins and the links of favorites up to date with `scan`.
    ///
    /// - `checksAll`: Whether the mirror may have changed. Then the pictures of all favorites are checked, as soon as no file
    ///   is left unread, and unrecognized files are compared with the mirror again.
    /// - `isBrief`: Whether new links must not wait long. Then files are read for about a second only; if some are left, the
    ///   outcome asks for the next scan at once.
    /// - `didRecord`: Called when the records are written, before the pictures of all favorites are sought.
    ///
    /// - Returns: All favorites, what has changed, and the errors of single steps. Other steps go on after an error.
    /// - Throws: An error of reading the records.
    package func reconcile(
        _ scan: Scan, checksAll: Bool = true, isBrief: Bool = false,
        didRecord: @Sendable () -> Void = {}
    ) throws(SystemError) -> ReconcileOutcome {
        (uptime, now) = (uptimeClock(), clock())
        mustCheckPictures = mustCheckPictures || checksAll
        if checksAll { forgetUnrecognizedFiles() }
        stored = try store.storedFavorites(updating: stored)
        let wantedBefore = outcome.wanted
        outcome = ReconcileOutcome()
        stored.unreadable.values.forEach(addFailure)
        attempt { () throws(SystemError) in
            // Commands leave requests in this folder, which must be found and removed.
            try tree.root.makeDirectory(Layout.requests).checkWritable()
        }
        var survey: Survey?
        attempt { () throws(SystemError) in
            survey = try updateRecords(scan, isBrief: isBrief)
        }
        recordTitles()
        pinPictures()
        attempt { () throws(SystemError) in try flush() }
        reportDurableChanges()
        didRecord()
        let isUnfinished = survey?.classified.isUnfinished ?? false
        let unpinned = findWanted(
            survey, wantedBefore: wantedBefore, checksAll: mustCheckPictures && !isUnfinished)
        pinPictures(of: unpinned)
        attempt { () throws(SystemError) in try flush() }
        mustCheckPictures = mustCheckPictures && isUnfinished
        // The pictures are restored by now, so that the links have a destination.
        if let survey {
            repairLinks(survey.classified.references)
            updateTexts(survey)
        }
        outcome.favorites = stored.favorites
        return outcome
    }

    /// Lets this call compare unrecognized files with the mirror again, unless the mirror has not changed since.
    private func forgetUnrecognizedFiles() {
        let version = mirror.snapshots.version
        guard version != comparedVersion else { return }
        comparedVersion = version
        knownFiles = knownFiles.filter { !$0.value.isUnrecognized }
    }

    private func reportDurableChanges() {
        unreportedChanges += outcome.added.map { favorite in
            "\(favorite.day) added to favorites (\(favorite.names.first?.text ?? "no name"))"
        }
        unreportedChanges += outcome.removed.map { "\($0.day) removed from favorites" }
        // mutation test: durable-before-reported (see Tests/Mutants)
        if isFlushed {
            outcome.changes = unreportedChanges
            unreportedChanges = []
        }
    }

    /// Reads ``trash``; if that fails, ``trash`` stays as it is, and all other steps go on.
    func readTrash() {
        do {
            let contents = try store.readRemovedFavorites()
            trash = contents.favorites.mapValues(\.favorite)
            mustReadTrash = !contents.unreadable.isEmpty
            for (day, error) in contents.unreadable {
                outcome.notices.append(
                    "\(error): the removed favorite \(day) is not known until that can be read")
            }
        } catch {
            guard !error.concernsEveryFile else { return addFailure(error) }
            outcome.notices.append(
                "\(error): a removed favorite that returns gets a new record until the trash can be read"
            )
        }
    }

    // MARK: Time

    /// The time until ``longestReading`` seconds have passed since the start of this call.
    var briefReadingTime: ReadingTime {
        .limited { [uptimeClock, start = uptime] in
            uptimeClock().seconds(since: start) ?? 0 >= Self.longestReading
        }
    }

    /// The time since the start of this call.
    var elapsed: Duration { .seconds(uptimeClock().seconds(since: uptime) ?? 0) }

    /// Asks for the next scan in `seconds` seconds, unless an earlier scan was asked for.
    func scanAgain(within seconds: Double) {
        outcome.nextScan = min(outcome.nextScan ?? seconds, seconds)
    }

    // MARK: Failures

    /// Runs `body`; its error becomes one of the failures of the outcome.
    func attempt(_ body: () throws(SystemError) -> Void) {
        do {
            try body()
        } catch {
            addFailure(error)
        }
    }

    /// Adds an error to the failures of the outcome, but only once: on a full disk, all writes fail with the same error.
    func addFailure(_ error: SystemError) {
        if !outcome.failures.contains(error) { outcome.failures.append(error) }
    }

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
        isFlushed = false
        do {
            try store.write(favorites)
        } catch {
            addFailure(error)
            guard favorites.count > 1, !error.isNoSpace, !error.isReadOnly else { return [] }
            // Each is written by itself, so that one record that cannot be replaced does not stop the others.
            return favorites.reduce(into: []) { written, favorite in
                written.formUnion(write([favorite]))
            }
        }
        outcome.hasChanges = true
        for favorite in favorites { stored.insert(favorite) }
        return Set(favorites.map(\.day))
    }

    /// Makes all records and pins durable by one fsync(2), which takes longer than all other steps.
    func flush() throws(SystemError) {
        guard !isFlushed else { return }
        try store.flush()
        isFlushed = true
    }
}

/// The result of one reconciliation of `favorites/` with the records.
package struct ReconcileOutcome: Sendable {
    /// All favorites, including those that are held.
    package internal(set) var favorites: [Day: Favorite] = [:]
    /// Whether a record was written or removed.
    package internal(set) var hasChanges = false
    package internal(set) var added: [Favorite] = []
    package internal(set) var removed: [Favorite] = []
    /// The favorites whose picture the mirror does not have; their days are downloaded first.
    package internal(set) var wanted: Set<Day> = []
    package internal(set) var unrecognized: [UnrecognizedItem] = []
    /// Whether a missing picture was copied back to `pictures/`.
    package internal(set) var changedPictures = false
    /// The seconds until the next scan, if a favorite is missing or a file was not read; not for ``failures``.
    package internal(set) var nextScan: Double?

    /// The favorites that were added and removed, for the log: a sentence each, after they have become durable.
    package internal(set) var changes: [String] = []
    /// What else was done or found, for the log: a sentence each.
    package internal(set) var notices: [String] = []
    /// The errors with which single steps failed; the next scan tries these steps again.
    package internal(set) var failures: [SystemError] = []
}
