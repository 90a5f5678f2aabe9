internal import Glibc
package import Platform

/// The files of one view: the only way in which a view writes, overwrites or removes anything in the tree.
///
/// A file that the view did not write, or that anybody changed since, is the user's, and stays: nothing is the mirror's by
/// resemblance, such as a mark in a text, a modification time, or a name, but only by the ``ViewLog``.
package struct ViewFiles: Sendable {
    /// A file as a view wants it.
    package struct File: Sendable {
        /// Relative to the root; without line feeds.
        package let path: String
        package let bytes: [UInt8]
        /// The modification time in seconds since 1970; `nil` for the time of writing.
        package let modified: Int?

        package init(path: String, bytes: [UInt8], modified: Int? = nil) {
            (self.path, self.bytes, self.modified) = (path, bytes, modified)
        }
    }

    package struct Outcome: Hashable, Sendable {
        /// The paths that were written or removed.
        package var changed: [String] = []
        /// The paths of items of the user that are in the way.
        package var obstructed: [String] = []
    }

    /// A path at which the view may write or remove: nothing is there, what is there is proved to be the view's, or
    /// nothing of it would be lost.
    struct ProvenPath {
        let path: String
        /// The status of what is at the path; `nil` if nothing is.
        let status: FileStatus?

        var isTaken: Bool { status != nil }
        var folder: String { Layout.split(path).folder }
        var name: String { Layout.split(path).name }
    }

    package let view: ViewName
    let store: Store
    let log: ViewLog

    package init(of view: ViewName, in store: Store) {
        self.view = view
        self.store = store
        log = ViewLog(of: view, in: store.tree.root)
    }

    var root: Directory { store.tree.root }

    // MARK: Whose file it is

    /// Whether the view may write at `path`; otherwise an item of the user is there, or in place of a directory.
    package func mayWrite(_ path: String) throws(SystemError) -> Bool {
        try prove(path, replacedBy: []) != nil
    }

    /// Whether there is a file at `path` as the view wrote it.
    package func owns(_ path: String) throws(SystemError) -> Bool {
        guard let status = try ifReadable(root.status(path)) else { return false }
        return try log.proves(path, status)
    }

    /// Whether the view has ever written a file.
    package func hasWritten() throws(SystemError) -> Bool { try !log.isEmpty() }

    /// Whether the view may put files into the directory at `path`: it did so before, or the directory is missing or has
    /// only hidden files.
    package func mayUse(folder path: String) throws(SystemError) -> Bool {
        guard let status = try root.status(path) else { return true }
        guard status.kind == .directory else { return false }
        if try hasWritten() { return true }
        let names = try ifReadable(root.folder(path)?.textNames())
        return names?.allSatisfy { $0.hasPrefix(".") } ?? false
    }

    /// Proves that the view may replace what is at `path` by a file with these `bytes`, or remove it if they are `nil`.
    func prove(
        _ path: String, replacedBy bytes: [UInt8]?
    ) throws(SystemError) -> ProvenPath? {
        let status: FileStatus?
        do throws(SystemError) {
            status = try root.status(path)
        } catch  where error.isNotDirectory {
            return nil
        }
        guard let status else { return ProvenPath(path: path, status: nil) }
        // Without this proof, the file of a user would be overwritten.
        // mutation test: view-user-file
        if try log.proves(path, status) { return ProvenPath(path: path, status: status) }
        // What a power cut leaves: of a file that is empty, zeroed, or the beginning of the new one, nothing is lost.
        guard let bytes, status.kind == .file else { return nil }
        if try root.isBeginning(path, of: bytes) { return ProvenPath(path: path, status: status) }
        return try root.isBlank(path) ? ProvenPath(path: path, status: status) : nil
    }

    /// The sentence that an item at `path` in the mirror at `root` is not the mirror's, and in its way.
    package static func obstruction(by path: String, in root: Directory) -> String {
        var path = path
        // A directory may be the obstacle, and then of several files.
        while true {
            let above = Layout.split(path).folder
            guard above != ".", (try? root.status(above))??.kind != .directory else { break }
            path = above
        }
        return
            "\(root.path)/\(path) was not written by the mirror and is not overwritten; move it away, and the mirror writes its own"
    }

    // MARK: Writing and removing

    /// Publishes those of `files` that differ from what is in their places, flushed together; each is replaced atomically.
    ///
    /// - Throws: ``SystemError``; `ENOSPC` if the disk counts as full. Some files may have been written then.
    package func publish(_ files: [File]) throws(SystemError) -> Outcome {
        let batch = try ViewBatch(of: self)
        try batch.add(files)
        return try batch.publish()
    }

    /// Publishes a symbolic link to `target` at `path`; does nothing on a file system without links.
    package func publishLink(to target: String, at path: String) throws(SystemError) -> Outcome {
        if root.target(of: path) == target { return Outcome() }
        guard let proven = try prove(path, replacedBy: []) else {
            return Outcome(obstructed: [path])
        }
        let entry = ViewLog.Entry(linkTo: target)
        try log.add([(path, entry)])
        let folder = try root.makeDirectory(proven.folder)
        let isMade: Bool
        if proven.isTaken {
            isMade = try AtomicFile.publishLink(
                to: target, in: folder, as: proven.name,
                through: root.makeDirectory(Layout.incoming))
        } else {
            do throws(SystemError) {
                // Unlike rename(2), symlink(2) replaces nothing that a person has made meanwhile.
                isMade = try folder.symlinkIfSupported(proven.name, to: target)
            } catch  where error.code == EEXIST {
                return Outcome(obstructed: [path])
            }
            try folder.flush()
        }
        if isMade, proven.isTaken { try log.addOnly(path, entry) }
        return Outcome(changed: isMade ? [path] : [])
    }

    /// Removes those of the files at `paths` that the view wrote; the user's stay.
    package func remove(_ paths: [String]) throws(SystemError) -> Outcome {
        var outcome = Outcome()
        for path in paths {
            guard let proven = try prove(path, replacedBy: nil) else {
                outcome.obstructed.append(path)
                continue
            }
            guard proven.isTaken else { continue }
            try root.remove(path)
            recordChange(of: path)
            outcome.changed.append(path)
        }
        // A removed file that a power cut brings back must still be known as the view's.
        for folder in Set(outcome.changed.map { Layout.split($0).folder }) {
            try root.folder(folder)?.flush()
        }
        try log.addRemoved(outcome.changed)
        return outcome
    }

    /// Whether the file has these contents; a file that cannot be read is written again.
    func isUpToDate(_ file: File) throws(SystemError) -> Bool {
        guard let status = try ifReadable(root.status(file.path)), status.kind == .file,
            status.size == file.bytes.count
        else { return false }
        guard try ifReadable(root.read(file.path)) == file.bytes else { return false }
        if let modified = file.modified, status.modified != modified {
            // As after a copy without times; only the owner of a file may set its time.
            try? root.setModified(modified, of: file.path)
            recordChange(of: file.path)
        }
        return true
    }

    /// The snapshot of the tree has thumbnails and sidecars.
    func recordChange(of path: String) {
        guard [.thumbnails, .sidecars].contains(view),
            let day = FileName.day(of: Layout.split(path).name)
        else { return }
        store.snapshots.recordChange(of: day)
    }
}

extension Directory {
    /// Whether the file `name` is the beginning of `bytes`, as a file that was cut short; a longer one is not.
    fileprivate func isBeginning(_ name: String, of bytes: [UInt8]) throws(SystemError) -> Bool {
        let found = try ifReadable(read(name, limit: bytes.count))
        return found.map { bytes.starts(with: $0) } ?? false
    }

    /// Whether the file `name` is empty or has nothing but zeros, as many file systems leave a file after a power
    /// cut; such a file has nothing of a user that could be lost.
    package func isBlank(_ name: String) throws(SystemError) -> Bool {
        // Most files are recognized by their first bytes.
        let start = try ifReadable(openFile(name, O_RDONLY).readStart(limit: 4096, path: name))
        guard start?.allSatisfy({ $0 == 0 }) == true else { return false }
        return try ifReadable(read(name))?.allSatisfy { $0 == 0 } ?? false
    }
}
