internal import Glibc
internal import JSON
package import Platform

/// The open directory of a mirror, known by its marker `.apod-mirror/mirror.json`.
///
/// A tree opened for writing holds the lock during its life: there is one writer at a time. ``Store`` reads and
/// writes its files.
package final class Tree: Sendable {
    package let root: Directory
    /// Random, the same when the mirror is moved.
    package let id: String
    /// The names of foreign items that this process moved from `incoming/` to `aside/` when it opened the tree for writing.
    package let movedAside: [String]
    /// Empty until the first sync.
    let unfinishedDownloads = SharedValue(UnfinishedDownloads())
    private let lock: FileLock?

    private init(
        root: Directory, id: String, movedAside: [String] = [], lock: consuming FileLock? = nil
    ) {
        self.root = root
        self.id = id
        self.movedAside = movedAside
        self.lock = lock
    }

    /// Opens the mirror at `path` for reading.
    package static func reading(
        _ path: String, known: KnownMirrors
    ) throws(TreeError) -> Tree {
        let root: Directory
        do throws(TreeError) {
            root = try open(path)
        } catch {
            // The directory itself may be on the disk that is not mounted.
            guard error == .notAMirror(path), try isUnmounted(path, known) else { throw error }
            throw .unmounted(path)
        }
        if let tree = try openMarked(root) { return tree }
        // Asked before `.apod-mirror/` is opened: a mirror that another process creates after that must not count as
        // unmounted.
        let isKnown = try known.contains(path)
        let own: Directory?
        do throws(SystemError) {
            own = try ifValid(root.folder(Layout.own))
        } catch {
            throw .system(error)
        }
        if own != nil {
            // A writer that creates the mirror makes the marker last.
            guard let tree = try openMarked(root) else { throw .missingMarker(path) }
            return tree
        }
        // A disk that is not mounted leaves an empty directory.
        throw isKnown ? .unmounted(path) : .notAMirror(path)
    }

    /// The mirror in `root`, for reading; `nil` if it has no marker.
    private static func openMarked(_ root: Directory) throws(TreeError) -> Tree? {
        try Marker(in: root).map { Tree(root: root, id: $0.id) }
    }

    /// Opens the mirror at `path` for writing, and creates it in an empty or missing directory.
    ///
    /// The path is absolute, without symbolic links or dots.
    ///
    /// - Returns: The locked tree, with leftovers of earlier processes removed.
    /// - Throws: ``TreeError``; no file of a user is changed then.
    package static func writing(
        _ path: String, known: KnownMirrors, as role: FileLock.Role = .command
    ) throws(TreeError) -> Tree {
        var isMade = false
        if !pathExists(path) {
            // mutation test: unmounted-disk
            if try isUnmounted(path, known) { throw .unmounted(path) }
            try makeDirectory(at: path)
            isMade = true
        }
        let root = try open(path)
        let marker = try Marker(in: root)
        if marker == nil { try checkMayBecomeMirror(root, known, isMade: isMade) }
        do {
            return try lockAndMark(root, marker, known, as: role)
        } catch {
            throw (error as? TreeError)
                ?? .notWritable(
                    (error as? SystemError) ?? SystemError("open", path: path, code: EIO))
        }
    }

    /// Opens the mirror at `path` for writing as ``writing(_:known:as:)`` does, once no other process writes it.
    ///
    /// ``mayWait(_:for:isOverdue:)`` says for how long. `willWait` is called before a wait, once.
    ///
    /// - Throws: ``TreeError``, or `CancellationError`.
    package static func waitingToWrite(
        _ path: String, known: KnownMirrors, as role: FileLock.Role,
        willWait: (FileLock.Holder?) -> Void
    ) async throws -> Tree {
        let end = ContinuousClock.now + RetryDelay.longestWaitForLock
        var isWaiting = false
        while true {
            do throws(TreeError) {
                return try writing(path, known: known, as: role)
            } catch {
                guard case .locked(_, let holder) = error,
                    mayWait(role, for: holder?.role, isOverdue: .now >= end)
                else { throw error }
                if !isWaiting { willWait(holder) }
                isWaiting = true
            }
            // flock(2) can only be tried, or waited for without an end.
            try await LoopClock().sleep(for: RetryDelay.lock)
        }
    }

    /// Whether a process may go on waiting for the lock that a process of the role `holder` has, `nil` if it is not known.
    ///
    /// A command ends by itself, though a repair after hours, and the service must then begin. A daemon ends only when
    /// somebody stops it. `isOverdue` says that the wait took half a minute.
    package static func mayWait(
        _ role: FileLock.Role, for holder: FileLock.Role?, isOverdue: Bool
    ) -> Bool {
        switch (role, holder) {
        case (.daemon, .command): true
        case (.daemon, .daemon), (.daemon, nil), (.command, .command), (.command, nil): !isOverdue
        case (.command, .daemon): false
        }
    }

    /// Opens the mirror at `path` for reading; `nil` if ``writing(_:known:as:)`` would create a new mirror.
    package static func previewing(
        _ path: String, known: KnownMirrors
    ) throws(TreeError) -> Tree? {
        guard pathExists(path) else {
            if try isUnmounted(path, known) { throw .unmounted(path) }
            return nil
        }
        let root = try open(path)
        if let tree = try openMarked(root) { return tree }
        try checkMayBecomeMirror(root, known, isMade: false)
        return nil
    }

    /// Checks that a mirror may be created in `root`, which has no marker: it is empty, or has `.apod-mirror/`.
    ///
    /// `isMade` says that this process has just made the directory.
    private static func checkMayBecomeMirror(
        _ root: Directory, _ known: KnownMirrors, isMade: Bool
    ) throws(TreeError) {
        // Asked before `root` is listed: a mirror that another process creates after that must not count as unmounted.
        let isKnown = try known.contains(root.path)
        let names: [String]
        do {
            names = try root.names().map { String(decoding: $0, as: UTF8.self) }
        } catch {
            throw .system(error)
        }
        // The creation of a mirror was interrupted, the marker was removed, or a person made the directory.
        if names.contains(Layout.own) { return }
        if names.contains(Layout.pictures), names.contains(Layout.metadata) {
            throw .withoutHiddenFiles(root.path)
        }
        if let other = names.sorted().first(where: { !isExpectedInNewMirror($0) }) {
            throw .notEmpty(root.path, example: other)
        }
        // A known mirror that is empty: its disk is probably not mounted.
        if isKnown, !isMade { throw .unmounted(root.path) }
    }

    /// Whether a mirror may be created in a directory that contains `name`.
    package static func isExpectedInNewMirror(_ name: String) -> Bool {
        // Packages create favorites/, mkfs creates lost+found, a killed doctor leaves a test file.
        [Layout.favorites, "lost+found"].contains(name) || name.hasPrefix(Layout.doctor)
    }

    /// Takes the lock, removes leftovers, and makes the marker if none was `found`.
    private static func lockAndMark(
        _ root: Directory, _ found: Marker?, _ known: KnownMirrors, as role: FileLock.Role
    ) throws -> Tree {
        let own = try root.makeDirectory(Layout.own)
        guard let lock = try FileLock.acquire(Layout.lockNames, in: own, as: role) else {
            let holder = try? FileLock.holder(Layout.lockNames, in: own)
            throw TreeError.locked(root.path, by: holder)
        }
        let (incoming, movedAside) = try own.emptyIncoming()
        // Another process may have created the mirror before the lock was taken.
        let marker = try found ?? Marker(in: root) ?? Marker()
        if found == nil {
            let name = Layout.split(Layout.marker).name
            try AtomicFile.publish(marker.json.document, in: own, as: name, through: incoming)
        }
        known.add(root.path, on: UInt(try root.status().identity.device))
        return Tree(root: root, id: marker.id, movedAside: movedAside, lock: lock)
    }

    // MARK: Identity

    /// Checks that the open directory and the held lock are still those at the path of the mirror.
    ///
    /// If a disk failed and returned, or somebody exchanged the directory, nobody else sees the open directory: what this
    /// process writes is lost, and another process gets the lock.
    func checkIsInPlace() throws(TreeError) {
        let isSame: Bool
        do throws(SystemError) {
            let found = try Directory(opening: root.path)
            let isSameRoot = try found.status().identity == root.status().identity
            let foundLock = try found.status(Layout.lock)?.identity
            let heldLock = try lock?.identity()
            isSame = isSameRoot && foundLock == heldLock
        } catch {
            isSame = !error.provesReplacement
        }
        // mutation test: replaced-tree
        guard isSame else { throw .replaced(root.path) }
    }

    package var writer: Int32? { Self.writer(in: root)?.process }

    /// Who holds the lock of the mirror in `root`; `nil` if there is none, or this user may not know.
    package static func writer(in root: Directory) -> FileLock.Holder? {
        guard let own = try? root.folder(Layout.own) else { return nil }
        return try? FileLock.holder(Layout.lockNames, in: own)
    }

    // MARK: Files

    /// Whether there is a file at `path`, relative to the root.
    package func exists(_ path: String) throws(SystemError) -> Bool { try fileSize(path) != nil }

    /// Whether there is a file of the recorded size at the path of `file`; its contents are verified once a month.
    package func hasFile(_ file: RecordedFile) throws(SystemError) -> Bool {
        try fileSize(file.path) == file.bytes
    }

    /// The size of the file at `path`; `nil` if there is none, or only something else, such as a directory.
    package func fileSize(_ path: String) throws(SystemError) -> Int? {
        let status = try ifValid(root.status(path))
        return status?.kind == .file ? status?.size : nil
    }

    // MARK: The directory

    /// Whether a mirror is known at `path`, which does not exist, and its disk is not mounted.
    ///
    /// If the nearest existing directory is on the known device, its disk is mounted: somebody removed the mirror, and
    /// a new one may be made. The number of a device may change at a reboot; then the user has to decide.
    private static func isUnmounted(
        _ path: String, _ known: KnownMirrors
    ) throws(TreeError) -> Bool {
        guard let device = try known.device(of: path) else { return false }
        var above = path
        while !pathExists(above), let folder = above.splitAtLastSlash?.above {
            above = folder.isEmpty ? "/" : String(folder)
        }
        return (try? Directory(opening: above).status().identity.device).map(UInt.init) != device
    }

    private static func pathExists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    package static func open(_ path: String) throws(TreeError) -> Directory {
        do {
            return try Directory(opening: path, enteringNoMountsIn: Layout.favorites)
        } catch  where error.code == ENOTDIR {
            throw .notADirectory(path)
        } catch  where error.code == ENOENT {
            throw .notAMirror(path)
        } catch {
            throw .system(error)
        }
    }

    private static func makeDirectory(at path: String) throws(TreeError) {
        do {
            _ = try Directory(opening: "/").makeDirectory(String(path.drop { $0 == "/" }))
        } catch  where error.code == ENOTDIR {
            throw .notADirectory(path)
        } catch {
            throw .notWritable(error)
        }
    }
}

extension SystemError {
    /// Whether the error of examining a path means that something else is there now, or nothing.
    ///
    /// Another error, such as a lack of descriptors, proves nothing.
    var provesReplacement: Bool { code == ENOENT || isNotDirectory || code == ESTALE }
}
