package import APOD
package import FoundationEssentials
package import Mirror
package import Platform

/// Reconciles `favorites/` with the records of favorites: the daemon does so after each change there.
///
/// An item in `favorites/`, such as a symbolic link to a picture, makes its day a favorite. A favorite has a
/// record in `.apod-mirror/favorites/` (``FavoriteStore``), and a pin beside it: a second hard link to its
/// picture, or a copy. After an interruption between any two steps the next call continues.
package actor Favorites {
    let mirror: Store
    private let clock: @Sendable () -> Date
    private let uptimeClock: @Sendable () -> Uptime

    // What the disk holds, read again by each call where it has changed.
    var book = Book()
    /// The removed favorites that were in the trash when it was read, whose items and links may return.
    var removed: [Day: Favorite] = [:]
    /// Whether ``removed`` is to be read, as after a start, or after a removal, which may have been interrupted.
    var owesTrash = true
    /// What the last scan knew of the files in `favorites/`; ``Scan/rules`` limit their number.
    var knownFiles: [ScannedItem: Classification] = [:]
    /// The ``SnapshotOwner/version`` of the mirror with which the unrecognized files were compared.
    private var comparedVersion: Int?

    // What a call leaves to the next one.
    /// The paths of pictures of favorites that a person changed, as they were last checked.
    var edited: [Day: String] = [:]
    /// Whether the pictures of all favorites are to be checked once no file is left unread.
    private var owesCheck = false
    /// Whether all records and pins are known to be durable; an earlier process may have been killed.
    var isFlushed = false
    /// The additions and removals that are not durable yet, and are not reported before: one for each change
    /// of `favorites/` since the last flush.
    private var unreportedChanges: [String] = []

    // The call under way.
    var outcome = ReconcileOutcome()
    /// Its start, close to the time of its scan: reading files takes long, and an item may return meanwhile.
    private(set) var now: Date
    /// Its start by a clock that nobody sets, which measures the grace period of a removal.
    private(set) var uptime: Uptime

    /// The seconds after which a brief scan begins to read no other unknown file.
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
    var targets: LinkTargets { LinkTargets(mirror: mirror, pins: book.pins) }

    /// Applies the difference between a scan and the records.
    ///
    /// - `checksAll`, because the mirror may have changed: the pictures of all favorites are checked, once no file is left
    ///   unread; unrecognized files are compared with the mirror again if it has changed.
    /// - `isBrief`, so that new links do not wait long: unknown files are read for about a second only. If files are left,
    ///   the outcome asks for the next scan at once.
    /// - `didRecord` is called once the records are written, before the pictures of all favorites are sought.
    ///
    /// - Returns: All favorites, what has changed, and the failures of single steps, which do not stop others.
    /// - Throws: An error of reading the records.
    package func reconcile(
        _ scan: Scan, checksAll: Bool = true, isBrief: Bool = false,
        didRecord: @Sendable () -> Void = {}
    ) throws(SystemError) -> ReconcileOutcome {
        (uptime, now) = (uptimeClock(), clock())
        owesCheck = owesCheck || checksAll
        if checksAll { forgetUnrecognizedFiles() }
        book = try store.book(after: book)
        let wantedBefore = outcome.wanted
        outcome = ReconcileOutcome()
        book.unreadable.values.forEach(report)
        attempt { () throws(SystemError) in
            // Requests of commands must be found, and removed.
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
        let unpinned = findWanted(survey, wantedBefore, checksAll: owesCheck && !isUnfinished)
        pinPictures(of: unpinned)
        attempt { () throws(SystemError) in try flush() }
        owesCheck = owesCheck && isUnfinished
        // Pictures before links, so that the links have a destination.
        if let survey {
            repairLinks(survey.classified.references)
            updateTexts(survey)
        }
        outcome.favorites = book.favorites
        return outcome
    }

    /// Lets this call compare unrecognized files again, unless the mirror is as it was when they were compared.
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
        // mutation test: durable-before-reported
        if isFlushed {
            outcome.changes = unreportedChanges
            unreportedChanges = []
        }
    }

    /// Reads ``removed``; an unreadable trash leaves what was read before, and prevents nothing else.
    func readTrash() {
        do {
            let read = try store.readRemovedFavorites()
            removed = read.favorites
            owesTrash = !read.unreadable.isEmpty
            for (day, error) in read.unreadable {
                outcome.notices.append(
                    "\(error): the removed favorite \(day) is not known until that can be read")
            }
        } catch {
            guard error.cause != .shortage, !error.isCancelled else { return report(error) }
            outcome.notices.append(
                "\(error): a removed favorite that returns gets a new record until the trash can be read"
            )
        }
    }

    // MARK: Time

    /// Returns a function that says whether ``longestReading`` seconds have passed since the start of this call.
    func readingTimer() -> @Sendable () -> Bool {
        let (clock, start) = (uptimeClock, uptime)
        return { clock().seconds(since: start) ?? 0 >= Self.longestReading }
    }

    /// The time since the start of this call.
    var elapsed: Duration { .seconds(uptimeClock().seconds(since: uptime) ?? 0) }

    /// Asks for the next scan in so many seconds, unless an earlier one was asked for.
    func scanAgain(within seconds: Double) {
        outcome.nextScan = min(outcome.nextScan ?? seconds, seconds)
    }

    // MARK: Failures

    /// Runs `body`; an error is added to the failures.
    func attempt(_ body: () throws(SystemError) -> Void) {
        do {
            try body()
        } catch {
            report(error)
        }
    }

    /// Adds each error once: a full disk fails every write.
    func report(_ error: SystemError) {
        if !outcome.failures.contains(error) { outcome.failures.append(error) }
    }

    // MARK: Writing

    /// Writes records; returns the days of those that could be written.
    ///
    /// A record that cannot be read, or that is damaged and could not be set aside, is not overwritten: a person may read it.
    @discardableResult
    func write(_ favorites: [Favorite]) -> Set<Day> {
        let favorites = favorites.filter {
            !book.damaged.contains($0.day) && book.unreadable[$0.day] == nil
        }
        guard !favorites.isEmpty else { return [] }
        isFlushed = false
        do {
            try store.write(favorites)
        } catch {
            report(error)
            guard favorites.count > 1, !error.isNoSpace, !error.isReadOnly else { return [] }
            // A record that cannot be replaced prevents no other.
            return favorites.reduce(into: []) { written, favorite in
                written.formUnion(write([favorite]))
            }
        }
        outcome.hasChanges = true
        for favorite in favorites { book.insert(favorite) }
        return Set(favorites.map(\.day))
    }

    /// Makes all records and pins durable by one fsync(2), which takes longer than everything else.
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
    /// The favorites whose picture the mirror does not have: they are downloaded first.
    package internal(set) var wanted: Set<Day> = []
    package internal(set) var unrecognized: [UnrecognizedItem] = []
    /// Whether a missing picture was copied back to `pictures/`.
    package internal(set) var changedPictures = false
    /// The seconds until the next scan, if a favorite is missing or a file was not read; failures have their own delay.
    package internal(set) var nextScan: Double?

    /// The changes of the list of favorites, for the log: a sentence each, once they are durable.
    package internal(set) var changes: [String] = []
    /// What else was done or found, for the log: a sentence each.
    package internal(set) var notices: [String] = []
    /// Errors of reading and writing, with which single steps failed: the next scan tries again.
    package internal(set) var failures: [SystemError] = []
}
