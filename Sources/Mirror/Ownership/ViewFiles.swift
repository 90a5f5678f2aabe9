internal import APOD
package import Platform

/// The files of one view, such as the gallery: a view writes and removes files of the tree only by this type.
///
/// A file that the view has not written, or that somebody has changed since, belongs to a person, and stays. Two things prove
/// that a file is the view's: its row in the ``ViewTable``, or a mark in the file that only this program writes. A file that a
/// power cut has left empty or cut off is replaced, too. ``ViewStep`` decides what is done at a path.
package struct ViewFiles: Sendable {
    /// A file or a symbolic link that a view wants to have in the tree.
    package struct File: Sendable {
        enum Contents: Sendable {
            case bytes([UInt8])
            case link(target: String)
        }

        /// Relative to the root.
        package let path: String
        let contents: Contents
        /// The modification time in seconds since 1970; `nil` for the time of writing.
        private(set) var modified: Int?
        /// A digest of what the file is made from; `nil` if the view makes the contents anew in each update.
        private(set) var inputs: InputDigest?
        /// The digest of the contents, or the target of the link, which ``ViewStep`` compares.
        let generated: GeneratedContents

        package init(
            path: String, bytes: [UInt8], modified: Int? = nil, inputs: InputDigest? = nil
        ) {
            self.path = path
            contents = .bytes(bytes)
            self.modified = modified
            self.inputs = inputs
            generated = .file(InputDigest(of: bytes))
        }

        package init(path: String, linkTo target: String) {
            self.path = path
            contents = .link(target: target)
            generated = .link(target: target)
        }

        var bytes: [UInt8]? { if case .bytes(let bytes) = contents { bytes } else { nil } }
    }

    /// What became of the files that a view wanted to write or to remove.
    package struct Outcome: Hashable, Sendable {
        /// The paths that were written or removed.
        package internal(set) var changed: [String] = []
        /// The paths of links that were not written, because the file system has no symbolic links.
        package internal(set) var unlinked: [String] = []
        /// The paths at which an item of a person prevented a change.
        package internal(set) var obstructed: [String] = []
        /// The errors of paths that could not be examined; what is there stays until the next update.
        package internal(set) var unreadable: [SystemError] = []
        /// The errors of files that could not be written or removed, although all others were.
        package internal(set) var failures: [SystemError] = []

        /// Adds what became of other files.
        mutating func add(_ other: Outcome) {
            changed += other.changed
            unlinked += other.unlinked
            obstructed += other.obstructed
            unreadable += other.unreadable
            failures += other.failures
        }
    }

    let view: ViewName
    let store: Store
    let table: ViewTable

    package init(of view: ViewName, in store: Store) {
        self.view = view
        self.store = store
        table = ViewTable(of: view, in: store.tree.root)
    }

    var root: Directory { store.tree.root }

    // MARK: Questions

    /// Whether the file at `path` was made from these `inputs`, and still has the time and size with which it was written.
    ///
    /// If that is not certain, this returns `false`. The caller then makes the file again, and ``ViewBatch`` compares it. If a
    /// kill interrupted the writing of the file after it got its name, the rest is done now.
    package func isCurrent(_ path: String, from inputs: InputDigest) throws(SystemError) -> Bool {
        guard let row = try table.row(of: path), let status = try? root.status(path),
            status.kind == .file
        else { return false }
        let last = row.lastWritten
        let present = GeneratedItem(contents: last.contents, inputs: inputs, stamp: status.stamp)
        guard last.isEqualIgnoringInode(present) else { return false }
        if case .intended = row {
            removeLeftover(beside: path, row)
            table.markAsMade(path)
        }
        return true
    }

    /// Whether the view may write at `path`; otherwise an item of a person is there, or in place of a directory above.
    package func mayWrite(_ path: String) throws(SystemError) -> Bool {
        switch try examine(path, wanted: File(path: path, bytes: [])).step {
        case .write, .keep: true
        case .leaveToPerson, .remove, .forget: false
        case .wait(let error): throw error
        }
    }

    /// Whether the item at `path` is as the view wrote it; `false` if it cannot be examined.
    package func owns(_ path: String) throws(SystemError) -> Bool {
        guard let row = try table.row(of: path),
            case .contents(let contents) = try findItem(at: path, row).found
        else { return false }
        return row.ownItem(with: contents) != nil
    }

    /// Whether `file` is what the view wrote last at its path; a person may have changed or deleted it since.
    package func hasWritten(_ file: File) throws(SystemError) -> Bool {
        try table.row(of: file.path)?.lastWritten.contents == file.generated
    }

    /// Whether a person has moved or copied to `path` the file that the view wrote at `other`.
    package func isMoved(from other: String, to path: String) throws(SystemError) -> Bool {
        guard let last = try table.row(of: other)?.lastWritten, let size = last.stamp?.size,
            let bytes = try ifValid(root.read(path, limit: size))
        else { return false }
        return last.contents == .file(InputDigest(of: bytes))
    }

    /// Whether the view may put files with these `names` into the directory at `path`, which may belong to a person.
    ///
    /// It may if the directory is missing or has only hidden files, if the view has written files before, or if one of the
    /// names is in the directory.
    package func mayUse(folder path: String, for names: [String]) throws(SystemError) -> Bool {
        guard let status = try root.status(path) else { return true }
        guard status.kind == .directory else { return false }
        if try table.exists() { return true }
        let visible = try root.textNames(in: path).filter { !$0.hasPrefix(".") }
        return visible.isEmpty || !Set(visible).isDisjoint(with: names)
    }

    // MARK: Writing and removing

    /// Publishes each of `files` that differs from what is at its path, by one ``ViewBatch``.
    ///
    /// `refused` has the paths of links that a person has deleted, so that they are not made again: see ``DeletedLinks``.
    ///
    /// - Throws: ``SystemError``, such as `ENOSPC` if the disk counts as full. Then some files may have been published.
    package func publish(_ files: [File], refused: [String] = []) throws(SystemError) -> Outcome {
        let batch = try ViewBatch(of: self)
        try batch.add(files)
        try batch.recordRefusal(ofLinksAt: refused)
        return try batch.publish()
    }

    /// Removes each file at `paths` that the view wrote; files of a person stay.
    package func remove(_ paths: [String]) throws(SystemError) -> Outcome {
        guard !paths.isEmpty else { return Outcome() }
        let batch = try ViewBatch(of: self)
        try batch.remove(paths)
        return try batch.publish()
    }

    /// Removes all files that the view wrote, because the settings no longer ask for them.
    ///
    /// A file that a person has changed stays, and is no longer in the table, so that the next call does not examine it again.
    /// After a cancellation, the rest is left to the next call.
    package func removeAll() throws(SystemError) -> Outcome {
        var outcome = Outcome()
        for name in try table.files() where !Task.isCancelled {
            let removal = try remove(table.paths(inFile: name))
            try table.store([:], removing: removal.obstructed, in: store)
            outcome.add(removal)
        }
        return outcome
    }

    /// Removes the hidden file beside `path` that an unfinished publication has left there.
    ///
    /// A kill leaves the file that was to replace the one at `path`. A power cut may leave a second name of the published
    /// file, with which rename(2) does nothing.
    func removeLeftover(beside path: String, _ row: TableRow?) {
        if case .intended(_, before: .some) = row {
            try? root.remove(Directory.waitingPath(for: path))
        }
    }

    /// Reports to the snapshot of the tree that the file at `path` has changed.
    func recordChange(of path: String) {
        // Of all views, only the files of these are in the snapshot.
        guard [.thumbnails, .sidecars].contains(view),
            let day = FileName.day(of: Layout.split(path).name)
        else { return }
        store.snapshots.recordChange(of: day)
    }
}
