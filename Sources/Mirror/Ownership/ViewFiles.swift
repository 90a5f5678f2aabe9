internal import APOD
internal import Glibc
package import Platform

/// The files of one view, such as the gallery: a view writes and removes files of the tree only by this type.
///
/// A file that the view has not written, or that somebody has changed since, belongs to a person, and stays. Two things prove
/// that a file is the view's: its row in the ``ViewTable``, or a mark in the file that only this program writes. ``ViewStep``
/// decides what is done at a path.
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
        var modified: Int?
        /// A digest of what the file is made from; `nil` if the view makes the contents anew in each update.
        var inputs: InputDigest?
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

    package struct Outcome: Hashable, Sendable {
        /// The paths that were written or removed.
        package internal(set) var changed: [String] = []
        /// The paths of links that were not written, because the file system has no symbolic links.
        package internal(set) var unlinked: [String] = []
        /// The paths at which an item of a person prevented a change.
        package internal(set) var obstructed: [String] = []
        /// The errors of paths that could not be examined; what is there stays until the next update.
        package internal(set) var unreadable: [SystemError] = []
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
    /// If that is not certain, this returns `false`. The caller then makes the file again, and ``ViewBatch`` compares it.
    package func isCurrent(_ path: String, from inputs: InputDigest) throws(SystemError) -> Bool {
        guard let row = try table.row(of: path), let status = (try? root.status(path)) ?? nil,
            status.kind == .file,
            row.lastWritten.isSame(
                as: GeneratedItem(
                    contents: row.lastWritten.contents, inputs: inputs, stamp: status.stamp))
        else { return false }
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

    /// Whether the item at `path` is as the view wrote it.
    package func owns(_ path: String) throws(SystemError) -> Bool {
        try store.tree.owns(path, by: view)
    }

    package func hasWritten() throws(SystemError) -> Bool { try table.exists() }

    /// Whether `file` is what the view wrote last at its path; a person may have changed or deleted it since.
    package func hasWritten(_ file: File) throws(SystemError) -> Bool {
        try table.row(of: file.path)?.lastWritten.contents == file.generated
    }

    /// Whether the file at `path` is the one that the view wrote at `other`, so that a person has moved or copied it.
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
        if try hasWritten() { return true }
        let visible = try root.textNames(in: path).filter { !$0.hasPrefix(".") }
        return visible.isEmpty || !Set(visible).isDisjoint(with: names)
    }

    /// The path of the item that prevents a file at `path`: `path` itself, or something in place of a directory above.
    package static func itemInTheWay(of path: String, in root: Directory) -> String {
        var path = path
        while true {
            let above = Layout.split(path).folder
            guard above != ".", root.isCertainlyNoDirectory(above) else { return path }
            path = above
        }
    }

    /// A sentence for people: an item at `path` in the mirror at `root` is not the mirror's, and prevents a file there.
    package static func obstruction(by path: String, in root: Directory) -> String {
        let path = itemInTheWay(of: path, in: root)
        return
            "\(root.path)/\(path) was not written by apod-mirror and is not overwritten; move it away,"
            + " and apod-mirror writes its own"
    }

    // MARK: Writing and removing

    /// Publishes each of `files` that differs from what is at its path, by one ``ViewBatch``.
    ///
    /// `refused` has the paths of links that a person has deleted, so that they are not made again: see ``DeletedLinks``.
    ///
    /// - Throws: ``SystemError``: `ENOSPC` if the disk counts as full. Then some files may have been published.
    package func publish(
        _ files: [File], refused: [String] = []
    ) throws(SystemError) -> Outcome {
        let batch = try ViewBatch(of: self)
        try batch.add(files)
        try batch.refuse(refused)
        return try batch.publish()
    }

    /// Removes each file at `paths` that the view wrote; files of a person stay.
    package func remove(_ paths: [String]) throws(SystemError) -> Outcome {
        guard !paths.isEmpty else { return Outcome() }
        let batch = try ViewBatch(of: self)
        try batch.remove(paths)
        return try batch.publish()
    }

    // MARK: Looking

    /// What the view knows of a path, what the disk has there, and what is to be done.
    struct Examined {
        let step: ViewStep
        let row: TableRow?
        let found: FoundAtPath
        /// The status of what is at the path; `nil` if nothing is.
        let status: FileStatus?

        /// The item at the path as the view wrote it; `nil` if it is not the view's.
        var item: GeneratedItem? {
            if case .contents(let contents) = found { row?.ownItem(with: contents) } else { nil }
        }
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

    /// Compares what the view wants at `path`, `nil` for nothing, with the table and the disk.
    func examine(_ path: String, wanted file: File?) throws(SystemError) -> Examined {
        let row = try table.row(of: path)
        var (found, status) = try table.look(at: path, row, expecting: file?.bytes?.count)
        var step = ViewStep(wanted: file?.generated, row: row, found: found)
        if case .leaveToPerson = step, let status, status.kind == .file,
            try isExpendable(path, status, replacedBy: file)
        {
            found = .expendable
            step = ViewStep(wanted: file?.generated, row: row, found: found)
        }
        return Examined(step: step, row: row, found: found, status: status)
    }

    /// Whether a file that the table does not know may be replaced, because no person would lose anything.
    ///
    /// For example, the table came from a backup, and this program wrote the file later. A file that cannot be read stays.
    private func isExpendable(
        _ path: String, _ status: FileStatus, replacedBy file: File?
    ) throws(SystemError) -> Bool {
        do {
            // The file is the beginning of the wanted one, as after a power cut.
            if let bytes = file?.bytes, status.size <= bytes.count,
                let start = try root.read(path, limit: bytes.count), bytes.starts(with: start)
            {
                return true
            }
            if file != nil, try root.isBlank(path) { return true }
            return try isMarked(path, status)
        } catch {
            guard !error.concernsEveryFile else { throw error }
            return false
        }
    }

    /// Whether the file has the mark of this program: at the end of a page or feed, or at the beginning of a thumbnail.
    private func isMarked(_ path: String, _ status: FileStatus) throws(SystemError) -> Bool {
        let name = Layout.split(path).name
        switch view {
        case .gallery, .feeds:
            guard [".html", ".js", ".txt", ".xml", ".rss"].contains(name.splitAtLastDot?.ending),
                let bytes = try root.read(path)
            else { return false }
            return InputDigest.isMarked(bytes, at: path)
        case .thumbnails, .renditions:
            // A person's program may have edited the thumbnail without changing its comment, but the time shows that.
            guard let noon = FileName.day(of: name)?.noon,
                (noon..<noon + 43_200).contains(status.modified), let bytes = try root.read(path),
                let sha256 = ThumbnailFile.originalSHA256(in: bytes)
            else { return false }
            return ThumbnailFile.isThumbnail(bytes, of: sha256)
        case .wallpapers, .v1, .latest, .hint, .sidecars: return false
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

extension Directory {
    /// Whether the file `name` is empty or contains only zeros, as many file systems leave a file after a power cut.
    fileprivate func isBlank(_ name: String) throws(SystemError) -> Bool {
        // The first block suffices for nearly all other files.
        let start = try openFile(name, O_RDONLY).readStart(limit: 4096, path: name)
        guard start.allSatisfy({ $0 == 0 }) else { return false }
        return try read(name)?.allSatisfy { $0 == 0 } ?? false
    }
}

/// The views, which are made from the snapshot of the tree, each with places to which nothing else writes.
package enum ViewName: Sendable {
    case thumbnails, renditions, gallery, feeds, wallpapers, v1, latest, hint, sidecars

    /// The paths of all files and directories of views, except for sidecars, which are beside the pictures.
    package static let places = [
        "index.html", Layout.gallery, "feed.xml", "feed.rss", "wallpapers", "v1",
        Layout.latestPicture, Layout.latestRecord, "\(Layout.favorites)/\(Layout.favoritesHint)",
    ]
}

extension Directory {
    /// Whether something else than a directory, or nothing, is at `path`; `false` if that cannot be found out.
    fileprivate func isCertainlyNoDirectory(_ path: String) -> Bool {
        do { return try status(path)?.kind != .directory } catch { return error.isNotDirectory }
    }
}
