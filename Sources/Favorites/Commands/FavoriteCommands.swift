package import APOD
package import FoundationEssentials
package import Mirror
package import Platform

/// The actions of `apod-mirror favorites`, with and without a running daemon.
///
/// An action creates and removes links in `favorites/`, as a file manager does. Then the folder is reconciled with the
/// records. A running daemon does so when it notices the links; without one, the caller calls
/// ``reconcileWithoutDaemon()``. No link can express that a missing favorite is to be removed: this is a file in
/// `.apod-mirror/requests/`, which the next scan applies and removes.
package struct FavoriteCommands {
    /// Writable if this process has the lock of its tree.
    let mirror: Store
    /// Why this user, who owns the mirror, may not write its records; `nil` if a daemon may write them.
    private let obstacle: TreeError?
    let now: @Sendable () -> Date
    /// The time by a clock that nobody sets, which measures the grace period of a removal.
    private let uptime: @Sendable () -> Uptime

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
    /// It waits for another command, whose last scan may lack what this one changes: see
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
    /// - Throws: An error if an item in `favorites/` cannot be read, because it may name any day.
    package func protectedDays() throws -> Set<Day> {
        let survey = try survey()
        try survey.requireReadableFolder()
        if let failure = survey.failures.first { throw failure.error }
        // A day stays if it is a favorite before the scan or after it.
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

    // MARK: Arguments

    /// `/srv/apod/favorites/x.jpg`, as a shell completes it, becomes `favorites/x.jpg`; any other argument stays as it is.
    func pathInMirror(_ argument: String) -> String {
        let root = "\(tree.root.path)/"
        var paths = [argument]
        if argument.dropFirst().contains("/") {
            // The last part may be a link, which is meant itself: only its folder is resolved.
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

/// Why a command on favorites, such as `favorites add`, cannot do something; its text is for the person.
package enum FavoriteError: Error, Hashable, Sendable {
    /// The sentence for the person; no caller distinguishes these causes.
    case refused(String)
    /// To restore: neither a held favorite, whose removal was not believed, nor one in the trash.
    case notRestorable(String)
    /// To restore: a favorite that has a link.
    case hasLink(String)
    case nameTaken(FavoriteName)
    case notADirectory
}

extension FavoriteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused(let sentence): sentence
        case .notRestorable(let text):
            "“\(text)” is neither a held nor a removed favorite; “favorites list” lists the held ones, “favorites"
                + " restore” those that were removed"
        case .hasLink(let text):
            "“\(text)” is a favorite and still has its link; there is nothing to restore"
        case .nameTaken(let name):
            "favorites/\(name.text) exists already; rename it, or add the day with another name (--as)"
        case .notADirectory:
            "favorites/ is not a directory; move it away and run the command again"
        }
    }
}
