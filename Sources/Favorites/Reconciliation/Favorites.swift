internal import APOD
package import FoundationEssentials
package import Mirror
package import Platform

/// Reconciles `favorites/` of a tree, open for writing, with the records of favorites: classifies a scan, and
/// updates records, pins and links.
///
/// Every reason for a scan leads to ``reconcile(_:checksAll:readLimit:)``. After an interruption between any
/// two steps the next call continues.
package actor Favorites {
    let tree: Tree
    /// Throws unless there is room for the copy of a picture.
    private let checkSpace: @Sendable (_ bytes: Int) throws(SystemError) -> Void
    private let clock: @Sendable () -> Date
    private let uptimeClock: @Sendable () -> Uptime
    /// The times at which the call under way began, near those of its scan: reading files takes long.
    private(set) var now: Date
    private(set) var uptime: Uptime
    /// The records and pins on the disk, and the resolver for the links of this tree; valid if `isRead`.
    var contents = FavoriteStore.Contents()
    var resolver = LinkResolver(roots: [])
    private var isRead = false
    var cache = ClassificationCache()
    /// The result of the call under way.
    var outcome = ReconcileOutcome()
    /// Whether the last scan left files unread, with which the next one continues.
    var hasUnread = false
    /// Whether all written records and pins are durable.
    var isFlushed = true

    /// The seconds until the next scan after a failure, or if a request is kept.
    static let retryDelay = RetryDelay.favorites / .seconds(1)
    /// The seconds until a file that has just been changed is read again.
    static let settlingDelay = 3.0
    /// The bytes of unknown files that one scan of the daemon reads, so that new links do not wait long.
    package static let readLimit = 32 << 20

    /// `uptime` is the time by a clock that nobody sets.
    package init(
        tree: Tree, now: @escaping @Sendable () -> Date = { Date() },
        uptime: @escaping @Sendable () -> Uptime = { .now },
        checkSpace: @escaping @Sendable (_ bytes: Int) throws(SystemError) -> Void = { _ in }
    ) {
        self.tree = tree
        self.checkSpace = checkSpace
        clock = now
        uptimeClock = uptime
        (self.now, self.uptime) = (now(), uptime())
    }

    var store: FavoriteStore { FavoriteStore(tree: tree) }
    var links: FavoriteLinks { FavoriteLinks(tree: tree) }
    var pins: FavoritePins { FavoritePins(tree: tree, checkSpace: checkSpace) }
    var targets: LinkTargets { LinkTargets(tree: tree, pins: contents.pins) }

    /// Applies the difference between a scan and the records.
    ///
    /// `checksAll` if the mirror may have changed: all favorites are checked, and unrecognized files are read
    /// again. At most `readLimit` bytes of unknown files are read, see ``ClassifiedScan``; the outcome asks
    /// for the next scan at once if files are left.
    ///
    /// - Returns: The durable changes, and the failures of single steps.
    /// - Throws: An error of reading the records.
    package func reconcile(
        _ scan: Scan, checksAll: Bool = true, readLimit: Int = .max
    ) throws(SystemError) -> ReconcileOutcome {
        (uptime, now) = (uptimeClock(), clock())
        // Unread files first: files that were read and not recognized would be read again before them.
        let checksAll = checksAll && !hasUnread
        if checksAll { cache.removeUnrecognized() }
        if !isRead { (resolver, contents) = (try LinkResolver(of: tree), try store.contents()) }
        outcome = ReconcileOutcome()
        isFlushed = true
        repairRecords()
        attempt { () throws(SystemError) in try store.checkRequests() }
        let earlier = contents
        var classified: ClassifiedScan?
        switch scan.place {
        case .folder, .missing:
            attempt { () throws(SystemError) in
                classified = try updateRecords(scan, readLimit: readLimit)
            }
        case .notADirectory: outcome.events.append(.folderIsNotADirectory)
        case .unreadable(let error):
            outcome.events.append(.pathUnreadable(.init(path: [], error: error)))
        }
        // Pictures before links, so that the links have a destination.
        if let classified {
            finishInterruptedMoves(classified)
            returnOriginals(classified, after: earlier)
        }
        pinPictures()
        attempt { () throws(SystemError) in try flush() }
        // mutation test: durable-before-reported
        if isFlushed {
            outcome.events += outcome.added.map { .added($0.day, $0.names.first) }
            outcome.events += outcome.removed.map { .removed($0.day) }
        }
        findWanted(checksAll: checksAll)
        if let classified { repairLinks(classified) }
        if checksAll { contents.removed = (try? store.removedFavorites()) ?? [:] }
        outcome.favorites = contents.favorites
        if !outcome.failures.isEmpty { scanAgain(within: Self.retryDelay) }
        // After a failure the records are read from the disk again.
        isRead = outcome.failures.isEmpty
        return outcome
    }

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
    private func report(_ error: SystemError) {
        guard outcome.failures.count < 10, !outcome.failures.contains(error) else { return }
        outcome.failures.append(error)
    }

    // MARK: Writing

    /// Writes records; returns the days of those that could be written.
    @discardableResult
    func write(_ favorites: [Favorite]) -> Set<Day> {
        guard !favorites.isEmpty else { return [] }
        do {
            return try writeTogether(favorites)
        } catch {
            report(error)
            guard favorites.count > 1, !error.isNoSpace, !error.isReadOnly else { return [] }
        }
        // One cannot be written: write the others one by one.
        return favorites.reduce(into: []) { written, favorite in
            attempt { () throws(SystemError) in
                written.formUnion(try writeTogether([favorite]))
            }
        }
    }

    private func writeTogether(_ favorites: [Favorite]) throws(SystemError) -> Set<Day> {
        isFlushed = false
        try store.write(favorites)
        for favorite in favorites { contents.favorites[favorite.day] = favorite }
        return Set(favorites.map(\.day))
    }

    /// Makes all records and pins durable by one call: it takes longer than everything else.
    func flush() throws(SystemError) {
        guard !isFlushed else { return }
        try store.flush()
        isFlushed = true
    }
}
