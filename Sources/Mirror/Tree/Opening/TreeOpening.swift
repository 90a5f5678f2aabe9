internal import Glibc
internal import JSON
internal import Platform

/// Opens the mirror at one path, and decides whether a new one may be created there.
///
/// An empty or missing directory may be the place for a new mirror, or the mount point of a disk that is not mounted. If a
/// mirror was opened there before, its disk counts as not mounted, and nothing is created. But if the directory is missing,
/// ``checkDiskOfMissingDirectory()`` may find that the disk is mounted.
struct TreeOpening {
    /// The absolute path of the mirror, without links or dots.
    let path: String
    /// The mirrors that were opened before.
    let known: KnownMirrors

    // MARK: The ways to open

    /// Opens the mirror while another process may be creating it.
    ///
    /// That process makes `.apod-mirror/`, then the marker, and then adds the mirror to the known ones. So whether the mirror is
    /// known is asked before `.apod-mirror/` is opened: otherwise, the new mirror would count as unmounted.
    func forReading() throws(TreeError) -> Tree {
        let root: Directory
        do throws(TreeError) {
            root = try Tree.open(path)
        } catch {
            if error == .notAMirror(path) { try checkDiskOfMissingDirectory() }
            throw error
        }
        if let tree = try markedTree(in: root) { return tree }
        let isKnown = try known.contains(path)
        let internalFolder = try mapReadError(ifValid(root.folder(Layout.own)))
        // The marker may have been made meanwhile.
        if internalFolder != nil, let tree = try markedTree(in: root) { return tree }
        throw try errorOfMissingMarker(in: root, internalFolder, isKnown: isKnown)
    }

    /// Opens the mirror for reading; returns `nil` if there is none, and one may be created.
    func forPreview() throws(TreeError) -> Tree? {
        guard try mapReadError(exists(path)) else {
            try checkDiskOfMissingDirectory()
            return nil
        }
        let root = try Tree.open(path)
        if let tree = try markedTree(in: root) { return tree }
        try checkMayBecomeMirror(root, isNewDirectory: false)
        return nil
    }

    /// Opens the mirror for writing, with the lock, and creates it if there is none.
    func forWriting(as role: FileLock.Role) throws(TreeError) -> Tree {
        var isNewDirectory = false
        if try !mapWriteError(exists(path)) {
            // mutation test: unmounted-disk (see Tests/Mutants)
            try checkDiskOfMissingDirectory()
            try makeDirectory()
            isNewDirectory = true
        }
        let root = try Tree.open(path)
        let marker = try Marker(in: root)
        if marker == nil { try checkMayBecomeMirror(root, isNewDirectory: isNewDirectory) }
        return try lock(root, markedBy: marker, as: role)
    }

    /// The mirror in `root`, for reading; `nil` if it has no marker.
    private func markedTree(in root: Directory) throws(TreeError) -> Tree? {
        try Marker(in: root).map { Tree(root: root, id: $0.id) }
    }

    /// Why the directory `root`, which has no marker, cannot be read as a mirror.
    private func errorOfMissingMarker(
        in root: Directory, _ internalFolder: Directory?, isKnown: Bool
    ) throws(TreeError) -> TreeError {
        if try isCopyWithoutHiddenFiles(root) { return .withoutHiddenFiles(path) }
        if internalFolder != nil { return .missingMarker(path) }
        // If the disk of a known mirror is not mounted, its mount point is an empty directory.
        return isKnown ? .unmounted(path) : .notAMirror(path)
    }

    // MARK: A new mirror

    /// Makes the directory for a new mirror, and the directories above it.
    private func makeDirectory() throws(TreeError) {
        do {
            _ = try Directory(opening: "/").makeDirectory(String(path.drop { $0 == "/" }))
        } catch  where error.code == ENOTDIR {
            throw .notADirectory(path)
        } catch {
            // A known mirror was probably moved away: in the sandbox of the service, all other directories are read-only.
            if !error.mayBeTemporary, try known.contains(path) { throw .gone(path) }
            throw .notWritable(error)
        }
    }

    /// Checks that a mirror may be created in the directory `root`, which has no marker.
    ///
    /// It must have `.apod-mirror/`, or nothing of a person. `isNewDirectory` says that this process has just made it.
    private func checkMayBecomeMirror(
        _ root: Directory, isNewDirectory: Bool
    ) throws(TreeError) {
        // Asked before `root` is listed, as in `forReading()`.
        let isKnown = try known.contains(path)
        let names = try mapReadError(root.names()).map { String(decoding: $0, as: UTF8.self) }
        if try isCopyWithoutHiddenFiles(root) { throw .withoutHiddenFiles(path) }
        // The creation of the mirror was interrupted, or the marker is lost, or a person made the directory.
        if names.contains(Layout.own) { return }
        // Packages make favorites/, and a killed `doctor` leaves a test file.
        let foreignNames = names.filter {
            $0 != Layout.favorites && !$0.hasPrefix(Layout.doctorPrefix)
                && !SystemNames.contains($0.utf8)
        }
        if let example = foreignNames.min() { throw .notEmpty(path, example: example) }
        // A known mirror is empty: probably its disk is not mounted.
        if isKnown, !isNewDirectory { throw .unmounted(path) }
    }

    /// Whether `root`, which has no marker, has the visible directories of a mirror, and at most a rest of its hidden files.
    ///
    /// A whole `.apod-mirror/` has the lock, which is made before all other files. An empty one is no rest: a person makes it,
    /// as the message of ``TreeError/withoutHiddenFiles(_:)`` advises, so that the copy becomes a mirror of its own.
    private func isCopyWithoutHiddenFiles(_ root: Directory) throws(TreeError) -> Bool {
        for name in [Layout.pictures, Layout.metadata] {
            guard try mapReadError(root.status(name)) != nil else { return false }
        }
        guard let internalFolder = try mapReadError(ifValid(root.folder(Layout.own)))
        else { return true }
        // Others make such names in an empty directory: `.DS_Store` of macOS, `@eaDir` of a Synology.
        let foreignStarts = [UInt8(ascii: "."), UInt8(ascii: "@")]
        let hasFiles = try mapReadError(internalFolder.names()).contains { name in
            !foreignStarts.contains { name.first == $0 }
        }
        let lock = try mapReadError(root.status(Layout.lock))
        // mutation test: rest-of-hidden-files (see Tests/Mutants)
        return hasFiles && lock == nil
    }

    /// Throws ``TreeError/unmounted(_:)`` if the missing directory is that of a known mirror whose disk is not mounted.
    ///
    /// If the nearest existing directory above the path is on the device of the mirror, the disk is mounted: somebody has
    /// removed the mirror, and a new one may be made. A reboot may change the numbers of devices; then this throws, too,
    /// and the user has to decide.
    private func checkDiskOfMissingDirectory() throws(TreeError) {
        guard let device = try known.device(of: path) else { return }
        var above = path
        while try !mapReadError(exists(above)), let folder = above.splitAtLastSlash?.above {
            above = folder.isEmpty ? "/" : String(folder)
        }
        let status = try? Directory(opening: above).status()
        if status.map({ UInt($0.identity.device) }) != device { throw .unmounted(path) }
    }

    // MARK: The lock

    /// Takes the lock of the mirror in `root`, removes leftovers of earlier processes, and makes the marker if it is missing.
    ///
    /// `existing` is the marker that was found; `nil` if there was none.
    private func lock(
        _ root: Directory, markedBy existing: Marker?, as role: FileLock.Role
    ) throws(TreeError) -> Tree {
        let internalFolder = try mapWriteError(root.makeRequiredDirectory())
        let lock = try acquireLock(in: internalFolder, as: role)
        let (incoming, movedItems) = try mapWriteError(IncomingCleanup.run(in: internalFolder))
        let marker: Marker
        if let existing {
            marker = existing
        } else {
            // Another process may have created the mirror before this one took the lock.
            marker = try Marker(in: root) ?? Marker()
            try mapWriteError(
                AtomicFile.publish(
                    marker.json.document, in: internalFolder,
                    as: Layout.split(Layout.marker).name, through: incoming))
        }
        known.add(path, on: UInt(try mapWriteError(root.status()).identity.device))
        return Tree(
            root: root, id: marker.id, movedItems: movedItems, lock: lock, known: known)
    }

    private func acquireLock(
        in internalFolder: Directory, as role: FileLock.Role
    ) throws(TreeError) -> FileLock {
        let names = Layout.lockNames
        do throws(SystemError) {
            if let lock = try FileLock.acquire(names, in: internalFolder, as: role) { return lock }
        } catch {
            // A user who may not open the lock of another one needs no permission, as long as somebody has the lock.
            guard error.cause == .denied, !error.isReadOnly,
                let holder = try? FileLock.holder(names, in: internalFolder)
            else { throw .notWritable(error) }
            throw .locked(path, by: holder)
        }
        throw .locked(path, by: try? FileLock.holder(names, in: internalFolder))
    }
}

/// Returns the value of `body`, which reads the mirror; turns its error into a ``TreeError``.
private func mapReadError<Value>(
    _ body: @autoclosure () throws(SystemError) -> Value
) throws(TreeError) -> Value {
    do { return try body() } catch { throw .system(error) }
}

/// Returns the value of `body`, which writes the mirror; turns its error into a ``TreeError``.
private func mapWriteError<Value: ~Copyable>(
    _ body: @autoclosure () throws(SystemError) -> Value
) throws(TreeError) -> Value {
    do { return try body() } catch { throw .notWritable(error) }
}

/// Whether there is anything at `path`.
///
/// - Throws: ``SystemError`` if nobody can tell, as without the right to enter a directory above: the mirror may be there.
private func exists(_ path: String) throws(SystemError) -> Bool {
    if unsafe access(path, F_OK) == 0 { return true }
    let error = SystemError("access", path: path, code: errno)
    guard error.cause == .absent else { throw error }
    return false
}
