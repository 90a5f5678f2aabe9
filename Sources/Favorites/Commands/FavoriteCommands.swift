package import APOD
package import FoundationEssentials
package import Mirror
package import Platform

/// The actions of `apod-mirror favorites`, such as `add` and `remove`, with and without a running daemon.
///
/// An action creates and removes links in `favorites/`, as a file manager does. Then the records of favorites must be brought
/// up to date. A running daemon does that when it notices the links; without one, the caller calls
/// ``reconcileWithoutDaemon()``. If a favorite without a link is to be removed, there is no link to delete: the action writes a
/// request into `.apod-mirror/requests/`, which the next scan carries out and deletes.
package struct FavoriteCommands {
    /// Writable if this process has the lock of its tree.
    let mirror: Store
    /// Why this user, who owns the mirror, may not write its records; `nil` for any other user, and if the owner may.
    private let writeError: TreeError?
    let now: @Sendable () -> Date
    /// The time by a clock that nobody sets; it measures how long a favorite has been without a link.
    private let uptime: @Sendable () -> Uptime

    package init(
        of mirror: Store, writeError: TreeError? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        uptime: @escaping @Sendable () -> Uptime = { .now }
    ) {
        self.mirror = mirror
        self.writeError = writeError
        self.now = now
        self.uptime = uptime
    }

    var tree: Tree { mirror.tree }
    var links: FavoriteLinks { FavoriteLinks(tree: tree) }
    var store: FavoriteStore { FavoriteStore(tree: tree) }

    /// Opens the mirror at `path` for writing, or only for reading if a daemon writes it or this user may not.
    ///
    /// If another command writes it, this one waits, because the last scan of the other one may not see what this one changes;
    /// see ``Tree/waitingToWrite(_:known:as:willWait:)``. `minimumFree` bytes of the disk stay free.
    package static func open(
        _ path: String, known: KnownMirrors, minimumFree: Int,
        willWait: (FileLock.Holder?) -> Void = { _ in }
    ) async throws -> Self {
        // Opening for writing would create a mirror where there is none. Opening for reading fails then.
        let tree = try Tree.reading(path, known: known)
        do {
            let tree = try await Tree.waitingToWrite(
                path, known: known, as: .command, willWait: willWait)
            return Self(of: try Store(besideWriterOf: tree, minimumFree: minimumFree))
        } catch TreeError.locked {
            return Self(of: Store(reading: tree))
        } catch let error as TreeError {
            guard case .notWritable = error else { throw error }
            // Only the owner needs to know. Others, such as members of the group, leave the records to the daemon.
            let isOwner = try tree.root.status(Layout.own)?.owner == Account.effectiveUserID
            return Self(of: Store(reading: tree), writeError: isOwner ? error : nil)
        }
    }

    /// Brings the records up to date with `favorites/`, if this process may write them.
    ///
    /// - Returns: `nil` if only the daemon may write the records, which it does when it notices the change.
    /// - Throws: An error of a step, or the reason why the owner of the mirror may not write the records.
    package func reconcileWithoutDaemon() async throws -> ReconcileOutcome? {
        if let writeError { throw writeError }
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

    /// The days that retention (`--keep`) never removes: all favorites, recorded or not, and all days with a pinned picture.
    ///
    /// - Throws: An error if an item in `favorites/` cannot be read, because that item may make any day a favorite.
    package func protectedDays() throws -> Set<Day> {
        let survey = try survey()
        try survey.requireReadableFolder()
        if let failure = survey.failures.first { throw failure.error }
        // Both count: the favorites before the scan and those after it.
        return survey.stored.days.union(survey.stored.pins.keys)
            .union(survey.reconciliation.favorites.keys)
    }

    /// Scans `favorites/`, and compares it with the records as the daemon would do it now.
    ///
    /// - Throws: An error of reading the records. What cannot be read in `favorites/` is listed by ``Survey/failures``.
    func survey() throws -> Survey {
        var scan = Scan(of: tree.root)
        let lastDirectory = Result { () throws(SystemError) in try store.lastScannedDirectory() }
        if case .failure = lastDirectory { scan.isComparable = false }
        return Survey(
            of: scan, in: mirror, comparedWith: try store.storedFavorites(),
            lastDirectory: (try? lastDirectory.get())?.place, now: now(), uptime: uptime())
    }

    /// Reads the file without which nobody knows whether `favorites/` is still the same directory, so that no favorite is removed.
    ///
    /// - Throws: An error of reading it.
    package func checkScannedDirectory() throws { _ = try store.lastScannedDirectory() }

    // MARK: Arguments

    /// Shortens `/srv/apod/favorites/x.jpg`, as a shell completes it, to `favorites/x.jpg`; any other argument stays as it is.
    func pathInMirror(_ argument: String) -> String {
        // The address of a web page or of a file is no path.
        guard !argument.contains("://") else { return argument }
        let root = "\(tree.root.path)/"
        var paths = [argument]
        if argument.dropFirst().contains("/") {
            // If the last part is a link, the person means the link itself. So only its folder is resolved.
            let (folder, name) = Layout.split(argument)
            paths.append("\(resolvedPath(folder))/\(name)")
        }
        let path = paths.first { $0.hasPrefix(root) }
        return path.map { String($0.dropFirst(root.count)) } ?? argument
    }

    /// The day that `argument` names by itself; `nil` if it names none.
    func dayArgument(_ argument: String) throws -> Day? {
        try DayArgument.day(pathInMirror(argument), in: mirror, at: now())
    }
}

/// Why a command on favorites, such as `favorites add`, cannot do something, as a sentence for the user.
package enum FavoriteError: Error, Hashable, Sendable {
    /// Any cause that no caller has to tell from others, with the sentence.
    case refused(String)
    /// The argument names no favorite that can be restored: neither one whose link is missing, nor one in the trash.
    case notRestorable(String)
    /// The favorite cannot be restored, because it has a link.
    case hasLink(String)
    /// Something else has the name of the link or of one of its folders.
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
