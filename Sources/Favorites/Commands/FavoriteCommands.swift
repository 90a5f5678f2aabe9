package import FoundationEssentials
package import Mirror
package import Platform

/// Changes favorites for the command `apod-mirror favorites`; each of its actions, such as `remove`, is an extension in a file.
///
/// An action creates and deletes links in `favorites/`, as a person does in a file manager. Then somebody must record which
/// favorites there are now: a running daemon, which notices the changed links, or else ``reconcileUnlessDaemon()``, which the
/// caller calls after each action.
package struct FavoriteCommands {
    /// The process that records the favorites after an action.
    private enum Recorder {
        /// This process, which has the mirror open for writing.
        case thisProcess
        /// The daemon that runs now or is started later: this process has opened the mirror only for reading.
        case daemon
        /// None: this user owns the mirror, so that the daemon runs as this user, and may not write to it.
        case nobody(because: TreeError)
    }

    let store: Store
    private let recorder: Recorder
    let now: @Sendable () -> Date
    /// The time by a clock that nobody sets; it measures how long a favorite has been without a link.
    let uptime: @Sendable () -> Uptime

    /// `refusal` is the error because of which the owner of the mirror may not write to it.
    package init(
        of store: Store, refusal: TreeError? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        uptime: @escaping @Sendable () -> Uptime = { .now }
    ) {
        self.store = store
        self.now = now
        self.uptime = uptime
        if let refusal {
            recorder = .nobody(because: refusal)
        } else {
            recorder = store.isWritable ? .thisProcess : .daemon
        }
    }

    package var tree: Tree { store.tree }
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
            // Others than the owner, such as members of the group, leave the records to the daemon of the owner.
            let isOwner = try readableTree.root.status(Layout.own)?.owner == Account.effectiveUserID
            return Self(
                of: Store(reading: readableTree), refusal: isOwner ? .notWritable(error) : nil)
        }
    }

    /// Records which favorites the links in `favorites/` make, unless that is left to a daemon.
    ///
    /// - Returns: What has changed; `nil` if it is left to a daemon.
    /// - Throws: An error of a step, or the error because of which the owner of the mirror may not write to it.
    package func reconcileUnlessDaemon() async throws -> ReconcileOutcome? {
        switch recorder {
        case .nobody(let error): throw error
        case .daemon: return nil
        case .thisProcess:
            let outcome = try await Favorites(of: store, now: now, uptime: uptime)
                .reconcile(Scan(of: tree.root))
            if let failure = outcome.failures.first { throw failure }
            return outcome
        }
    }

    /// Creates `favorites/` again with its links and permissions; returns `nil` if the folder is not missing.
    ///
    /// - Throws: ``FavoriteError`` if only a daemon may create the folder.
    package func recreateMissingFolder() async throws -> ReconcileOutcome? {
        guard try tree.root.status(Layout.favorites) == nil else { return nil }
        if let outcome = try await reconcileUnlessDaemon() { return outcome }
        throw FavoriteError.refused(
            "favorites/ is missing; the daemon, or “apod-mirror run”, creates it again with its links; then run the"
                + " command again")
    }
}
