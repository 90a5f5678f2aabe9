package import APOD
package import FoundationEssentials
package import Mirror
package import Platform

/// The actions of `apod-mirror favorites`, one in each extension, with and without a running daemon.
///
/// An action creates and removes links in `favorites/`, as a file manager does, and writes no record. Then
/// the folder is reconciled with the records: a running daemon does so when it notices the links; without one
/// the caller calls ``reconcileWithoutDaemon()``. The one change that no link can express, to remove a missing
/// favorite, is a file in `.apod-mirror/requests/`, which the next scan applies and removes.
package struct FavoriteCommands {
    /// Writable if this process has the lock of its tree.
    let mirror: Store
    /// Why the user whose daemon would write the records may not write them; `nil` if they can be left to a daemon.
    private let obstacle: TreeError?
    let now: @Sendable () -> Date
    /// The time by a clock that nobody sets, by which the grace period of a removal is measured.
    let uptime: @Sendable () -> Uptime

    package init(
        of mirror: Store, obstacle: TreeError? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        uptime: @escaping @Sendable () -> Uptime = { .now }
    ) {
        self.mirror = mirror
        self.obstacle = obstacle
        self.now = now
        self.uptime = uptime
    }

    var tree: Tree { mirror.tree }
    var links: FavoriteLinks { FavoriteLinks(tree: tree) }
    var store: FavoriteStore { FavoriteStore(tree: tree) }

    /// Opens the mirror at `path` for writing, where `minimumFree` bytes stay free; for reading if a daemon writes it or this
    /// user may not.
    ///
    /// Another command may have made its last scan, which lacks what this one changes: see
    /// ``Tree/waitingToWrite(_:known:as:willWait:)``.
    package static func open(
        _ path: String, known: KnownMirrors, minimumFree: Int,
        willWait: (FileLock.Holder?) -> Void = { _ in }
    ) async throws -> Self {
        // Opening for writing would create a mirror where there is none; reading fails.
        let tree = try Tree.reading(path, known: known)
        do {
            let tree = try await Tree.waitingToWrite(
                path, known: known, as: .command, willWait: willWait)
            return Self(of: try Store(besideWriterOf: tree, minimumFree: minimumFree))
        } catch TreeError.locked {
            return Self(of: Store(reading: tree))
        } catch let error as TreeError {
            guard case .notWritable = error else { throw error }
            // Others, such as members of the group, may only make links.
            let isOwner = try tree.root.status(Layout.own)?.owner == Account.effectiveUserID
            return Self(of: Store(reading: tree), obstacle: isOwner ? error : nil)
        }
    }

    /// Reconciles `favorites/` with the records; `nil` if that is left to the daemon, the only one that may write.
    ///
    /// - Throws: Also why this user may not write the records of its own mirror.
    package func reconcileWithoutDaemon() async throws -> ReconcileOutcome? {
        if let obstacle { throw obstacle }
        guard mirror.isWritable else { return nil }
        let outcome = try await Favorites(of: mirror, now: now, uptime: uptime)
            .reconcile(Scan(of: tree.root))
        if let failure = outcome.failures.first { throw failure }
        return outcome
    }

    /// Creates a missing `favorites/` again with its links and permissions, if this process may write the mirror.
    ///
    /// - Returns: `nil` if it is not missing.
    package func recreateMissingFolder() async throws -> ReconcileOutcome? {
        guard try tree.root.status(Layout.favorites) == nil else { return nil }
        guard let outcome = try await reconcileWithoutDaemon() else {
            throw FavoriteError.refused(
                "favorites/ is missing; the daemon, or “apod-mirror run”, creates it again with its links; then run the"
                    + " command again")
        }
        return outcome
    }

    /// The days that retention never removes: all favorites, recorded or not, and all pinned pictures.
    ///
    /// - Throws: An error if an item in `favorites/` cannot be read: it may name any day.
    package func protectedDays() throws -> Set<Day> {
        let survey = try survey()
        try survey.requireReadableFolder()
        if let failure = survey.failures.first { throw failure.error }
        // What is recorded, and what a scan makes of it: a day of any of them stays.
        return survey.book.days.union(survey.book.pins.keys)
            .union(survey.reconciliation.favorites.keys)
    }

    /// What a daemon would reconcile now.
    ///
    /// - Throws: An error of reading the records; what is unreadable in `favorites/` is a failure of the survey.
    func survey() throws -> Survey {
        Survey(
            of: Scan(of: tree.root), in: mirror, try store.book(),
            last: try store.lastScannedDirectory(), now: now(), uptime: uptime())
    }

    /// The day that `argument` names by itself, see ``DayArgument``, or by the path of an item in `favorites/`.
    ///
    /// The name of an item without its folder does not count: it may be another day.
    func namedDay(_ argument: String, in survey: Survey) throws -> Day {
        let path = pathInMirror(argument)
        if path.hasPrefix("\(Layout.favorites)/"), let day = survey.day(ofItem: path) { return day }
        guard let day = try dayArgument(argument) else {
            throw FavoriteError.refused(
                "“\(argument)” is no day of APOD and no file; use \(DayArgument.expected)")
        }
        return day
    }

    /// `argument` as a path in the mirror if it is one of the file system, as a shell completes it; else as it is.
    func pathInMirror(_ argument: String) -> String {
        let root = "\(tree.root.path)/"
        var paths = [argument]
        if argument.dropFirst().contains("/") {
            // A link is meant itself, so that only its folder is resolved.
            let (folder, name) = Layout.split(argument)
            paths.append("\(resolvedPath(folder))/\(name)")
        }
        let path = paths.first { $0.hasPrefix(root) }
        return path.map { String($0.dropFirst(root.count)) } ?? argument
    }

    /// The day that `argument` names by itself; `nil` if it names none.
    func dayArgument(_ argument: String) throws -> Day? {
        try DayArgument.day(argument, in: mirror, at: now())
    }
}
