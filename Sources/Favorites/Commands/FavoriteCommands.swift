package import APOD
package import FoundationEssentials
package import Mirror
package import Platform

/// Changes favorites for the command `apod-mirror favorites`; each of its actions, such as `remove`, is an extension in a file.
///
/// An action creates and deletes links in `favorites/`, as a person does in a file manager. Then the records of favorites must
/// be brought up to date. A running daemon does that when it notices the links; without one, the caller calls
/// ``reconcileUnlessDaemon()``, which does nothing beside a daemon.
package struct FavoriteCommands {
    /// Writable if this process has the lock of its tree; otherwise, a daemon that runs now or later writes the records.
    let mirror: Store
    /// Why the mirror is not writable, although this user owns it, so that no daemon of another user writes the records.
    private let refusal: TreeError?
    let now: @Sendable () -> Date
    /// The time by a clock that nobody sets; it measures how long a favorite has been without a link.
    private let uptime: @Sendable () -> Uptime

    package init(
        of mirror: Store, refusal: TreeError? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        uptime: @escaping @Sendable () -> Uptime = { .now }
    ) {
        self.mirror = mirror
        self.refusal = refusal
        self.now = now
        self.uptime = uptime
    }

    var tree: Tree { mirror.tree }
    var links: FavoriteLinks { FavoriteLinks(tree: tree) }
    var favoriteStore: FavoriteStore { FavoriteStore(tree: tree) }

    /// Opens the mirror at `path` for writing, or only for reading if a daemon writes it or this user may not.
    ///
    /// If another command writes it, this one waits, because the last scan of the other one could miss the links that this one
    /// changes; see ``Tree/waitingToWrite(_:known:as:willWait:)``. `minimumFree` bytes of the disk stay free.
    package static func open(
        _ path: String, known: KnownMirrors, minimumFree: Int,
        willWait: (FileLock.Holder?) -> Void = { _ in }
    ) async throws -> Self {
        // Opening for writing would create a mirror where there is none. Opening for reading fails then.
        let readableTree = try Tree.reading(path, known: known)
        do {
            let writableTree = try await Tree.waitingToWrite(
                path, known: known, as: .command, willWait: willWait)
            return Self(of: try Store(besideWriterOf: writableTree, minimumFree: minimumFree))
        } catch TreeError.locked {
            return Self(of: Store(reading: readableTree))
        } catch TreeError.notWritable(let error) {
            // Only the owner needs to know. Others, such as members of the group, leave the records to the daemon.
            let owner = try readableTree.root.status(Layout.own)?.owner
            let refusal = owner == Account.effectiveUserID ? TreeError.notWritable(error) : nil
            return Self(of: Store(reading: readableTree), refusal: refusal)
        }
    }

    /// Brings the records up to date with `favorites/`, if this process may write them.
    ///
    /// - Returns: `nil` if only the daemon may write the records, which it does when it notices the change.
    /// - Throws: An error of a step, or the reason why the owner of the mirror may not write the records.
    package func reconcileUnlessDaemon() async throws -> ReconcileOutcome? {
        if let refusal { throw refusal }
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
        guard let outcome = try await reconcileUnlessDaemon() else {
            throw FavoriteError.refused(
                "favorites/ is missing; the daemon, or “apod-mirror run”, creates it again with its links; then run the"
                    + " command again")
        }
        return outcome
    }

    /// Throws if the file cannot be read that says which directory was `favorites/` in the last scan.
    ///
    /// As long as that is so, no favorite is removed: nobody can tell whether `favorites/` is still the same directory.
    package func checkScannedDirectory() throws { _ = try favoriteStore.lastScannedDirectory() }

    /// Scans `favorites/`, and compares it with the records as the daemon would do it now.
    ///
    /// - Throws: An error of reading the records. What cannot be read in `favorites/` is listed by ``Survey/failures``.
    func survey() throws -> Survey {
        var scan = Scan(of: tree.root)
        var lastDirectory: ScannedDirectory?
        do {
            lastDirectory = try favoriteStore.lastScannedDirectory()
        } catch {
            // The daemon does the same. An action that depends on it calls `checkScannedDirectory`.
            scan.isComparable = false
        }
        return Survey(
            of: scan, in: mirror, comparedWith: try favoriteStore.storedFavorites(),
            lastDirectory: lastDirectory?.identity, now: now(), uptime: uptime())
    }

    /// The days that retention (`--keep`) never removes: all favorites, recorded or not, and all days with a pinned picture.
    ///
    /// - Throws: An error if an item in `favorites/` cannot be read, because that item may make any day a favorite.
    package func protectedDays() throws -> Set<Day> {
        let survey = try survey()
        try survey.requireReadableFolder()
        if let failure = survey.failures.first { throw failure.error }
        // A favorite counts from the scan that finds its link until its removal is recorded.
        return survey.stored.days.union(survey.reconciliation.favorites.keys)
            .union(survey.stored.pins.keys)
    }

    // MARK: The arguments of all actions

    /// The path in the mirror for an absolute one, as a shell completes it: `favorites/x.jpg` for `/srv/apod/favorites/x.jpg`.
    ///
    /// Any other argument stays as it is. If `x.jpg` is a link, it is not followed to a picture, because a person who removes a
    /// favorite means the link.
    func pathInMirror(of argument: String) -> String {
        // The address of a web page or of a file is no path.
        guard !argument.contains("://") else { return argument }
        let root = "\(tree.root.path)/"
        if argument.hasPrefix(root) { return String(argument.dropFirst(root.count)) }
        // A name alone, and a file in `/`, is in no folder of the mirror.
        guard argument.dropFirst().contains("/") else { return argument }
        // The folder may be given by a link, or relative to the current one.
        let (folder, name) = Layout.split(argument)
        let path = "\(resolvedPath(folder))/\(name)"
        return path.hasPrefix(root) ? String(path.dropFirst(root.count)) : argument
    }

    /// The day that `argument` names by itself; `nil` if it names none.
    func dayArgument(_ argument: String) throws -> Day? {
        try DayArgument.day(pathInMirror(of: argument), in: mirror, at: now())
    }
}
