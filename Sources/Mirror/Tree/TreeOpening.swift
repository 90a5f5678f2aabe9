internal import Glibc
internal import JSON
package import Platform

// How a `Tree` is opened. Each path is absolute, without symbolic links or dots.

extension Tree {
    /// Opens the mirror at `path` for reading.
    package static func reading(
        _ path: String, known: KnownMirrors
    ) throws(TreeError) -> Tree {
        try TreeOpening(path: path, known: known).forReading()
    }

    /// Opens the mirror at `path` for reading; `nil` if ``writing(_:known:as:)`` would create a new mirror.
    package static func previewing(
        _ path: String, known: KnownMirrors
    ) throws(TreeError) -> Tree? {
        try TreeOpening(path: path, known: known).forPreview()
    }

    /// Opens the mirror at `path` for writing, and creates it in an empty or missing directory.
    ///
    /// - Returns: The locked tree, with leftovers of earlier processes removed.
    /// - Throws: ``TreeError``; no file of a user is changed then.
    package static func writing(
        _ path: String, known: KnownMirrors, as role: FileLock.Role = .command
    ) throws(TreeError) -> Tree {
        try TreeOpening(path: path, known: known).forWriting(as: role)
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
        let deadline = ContinuousClock.now + RetryDelay.longestWaitForLock
        var isWaiting = false
        while true {
            do throws(TreeError) {
                return try writing(path, known: known, as: role)
            } catch {
                guard case .locked(_, let holder) = error,
                    mayWait(role, for: holder?.role, isOverdue: .now >= deadline)
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

    /// Opens the directory at `path`, whether it is a mirror or not.
    ///
    /// - Throws: ``TreeError/notAMirror(_:)`` if there is nothing.
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
}

/// Opens the mirror at one path, which is a new one, a known one, or one whose disk is not mounted.
///
/// Nothing is created where a disk is missing: the empty mount point of a known mirror counts as unmounted, and so does a
/// missing directory, unless ``isUnmounted()`` finds that only the directory is missing.
private struct TreeOpening {
    let path: String
    let known: KnownMirrors

    func forReading() throws(TreeError) -> Tree {
        let root: Directory
        do throws(TreeError) {
            root = try Tree.open(path)
        } catch {
            // The directory itself may be on the disk that is not mounted.
            guard error == .notAMirror(path), try isUnmounted() else { throw error }
            throw .unmounted(path)
        }
        if let tree = try markedTree(in: root) { return tree }
        // Asked before `.apod-mirror/` is opened: a mirror that another process creates after that must not count as
        // unmounted.
        let isKnown = try known.contains(path)
        if try rethrow(as: TreeError.system, hasInternalFolder(root)) {
            // A writer that creates the mirror makes the marker last.
            guard let tree = try markedTree(in: root) else { throw .missingMarker(path) }
            return tree
        }
        // A disk that is not mounted leaves an empty directory.
        throw isKnown ? .unmounted(path) : .notAMirror(path)
    }

    func forPreview() throws(TreeError) -> Tree? {
        guard pathExists(path) else {
            if try isUnmounted() { throw .unmounted(path) }
            return nil
        }
        let root = try Tree.open(path)
        if let tree = try markedTree(in: root) { return tree }
        try checkMayBecomeMirror(root, isNewDirectory: false)
        return nil
    }

    func forWriting(as role: FileLock.Role) throws(TreeError) -> Tree {
        var isNewDirectory = false
        if !pathExists(path) {
            // mutation test: unmounted-disk
            if try isUnmounted() { throw .unmounted(path) }
            try makeDirectory()
            isNewDirectory = true
        }
        let root = try Tree.open(path)
        let marker = try Marker(in: root)
        if marker == nil { try checkMayBecomeMirror(root, isNewDirectory: isNewDirectory) }
        return try lock(root, markedBy: marker, as: role)
    }

    private func hasInternalFolder(_ root: Directory) throws(SystemError) -> Bool {
        try ifValid(root.folder(Layout.own)) != nil
    }

    /// The mirror in `root`, for reading; `nil` if it has no marker.
    private func markedTree(in root: Directory) throws(TreeError) -> Tree? {
        try Marker(in: root).map { Tree(root: root, id: $0.id) }
    }

    // MARK: A new mirror

    /// Makes the directory, and those above it.
    private func makeDirectory() throws(TreeError) {
        do {
            _ = try Directory(opening: "/").makeDirectory(String(path.drop { $0 == "/" }))
        } catch  where error.code == ENOTDIR {
            throw .notADirectory(path)
        } catch {
            throw .notWritable(error)
        }
    }

    /// Checks that a mirror may be created in `root`, which has no marker: it is empty, or has `.apod-mirror/`.
    ///
    /// `isNewDirectory` says that this process has just made it.
    private func checkMayBecomeMirror(
        _ root: Directory, isNewDirectory: Bool
    ) throws(TreeError) {
        // Asked before `root` is listed: a mirror that another process creates after that must not count as unmounted.
        let isKnown = try known.contains(path)
        let names = try rethrow(as: TreeError.system, root.names())
            .map { String(decoding: $0, as: UTF8.self) }
        // The creation of a mirror was interrupted, the marker was removed, or a person made the directory.
        if names.contains(Layout.own) { return }
        if names.contains(Layout.pictures), names.contains(Layout.metadata) {
            throw .withoutHiddenFiles(path)
        }
        if let other = names.sorted().first(where: { !isExpectedInNewMirror($0) }) {
            throw .notEmpty(path, example: other)
        }
        // A known mirror that is empty: its disk is probably not mounted.
        if isKnown, !isNewDirectory { throw .unmounted(path) }
    }

    /// Whether a mirror may be created in a directory that contains `name`.
    private func isExpectedInNewMirror(_ name: String) -> Bool {
        // Packages create favorites/, mkfs creates lost+found, a killed doctor leaves a test file.
        [Layout.favorites, "lost+found"].contains(name) || name.hasPrefix(Layout.doctor)
    }

    /// Whether a mirror is known at the path, which does not exist, and its disk is not mounted.
    ///
    /// If the nearest existing directory is on the known device, its disk is mounted: somebody removed the mirror, and
    /// a new one may be made. The number of a device may change at a reboot; then the user has to decide.
    private func isUnmounted() throws(TreeError) -> Bool {
        guard let device = try known.device(of: path) else { return false }
        var above = path
        while !pathExists(above), let folder = above.splitAtLastSlash?.above {
            above = folder.isEmpty ? "/" : String(folder)
        }
        guard let status = try? Directory(opening: above).status() else { return true }
        return UInt(status.identity.device) != device
    }

    // MARK: The lock

    /// Takes the lock of the mirror in `root`, removes leftovers, and makes the marker if `existing` is `nil`.
    private func lock(
        _ root: Directory, markedBy existing: Marker?, as role: FileLock.Role
    ) throws(TreeError) -> Tree {
        let internalFolder = try rethrow(
            as: TreeError.notWritable, root.makeDirectory(Layout.own))
        guard
            let lock = try rethrow(
                as: TreeError.notWritable,
                FileLock.acquire(Layout.lockNames, in: internalFolder, as: role))
        else {
            let holder = try? FileLock.holder(Layout.lockNames, in: internalFolder)
            throw .locked(path, by: holder)
        }
        let (incoming, movedAside) = try rethrow(
            as: TreeError.notWritable, internalFolder.emptyIncoming())
        let marker: Marker
        if let existing {
            marker = existing
        } else {
            // Another process may have created the mirror before this one took the lock.
            marker = try Marker(in: root) ?? Marker()
            try rethrow(
                as: TreeError.notWritable,
                AtomicFile.publish(
                    marker.json.document, in: internalFolder,
                    as: Layout.split(Layout.marker).name, through: incoming))
        }
        let status = try rethrow(as: TreeError.notWritable, root.status())
        known.add(path, on: UInt(status.identity.device))
        return Tree(root: root, id: marker.id, movedAside: movedAside, lock: lock)
    }
}

/// The value of `body`; its error becomes a ``TreeError`` by `convert`: ``TreeError/system(_:)`` where the mirror is read,
/// ``TreeError/notWritable(_:)`` where it is written.
private func rethrow<Value: ~Copyable>(
    as convert: (SystemError) -> TreeError, _ body: @autoclosure () throws(SystemError) -> Value
) throws(TreeError) -> Value {
    do {
        return try body()
    } catch {
        throw convert(error)
    }
}

private func pathExists(_ path: String) -> Bool {
    unsafe access(path, F_OK) == 0
}
