internal import APOD
internal import Glibc
package import Platform

/// The files of one view: the only way in which a view writes, overwrites or removes anything in the tree.
///
/// A file that the view did not write, or that anybody changed since, is the user's, and stays. The ``ViewTable`` proves that
/// a file is the view's, and so does a mark in the file that only this program writes. ``ViewStep`` decides.
package struct ViewFiles: Sendable {
    /// A file or a symbolic link as a view wants it.
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
        /// What it is made from; `nil` if the contents are compared in each update.
        var inputs: InputDigest?
        /// The contents in the form in which ``ViewStep`` compares them.
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
        /// The paths of items of the user that are in the way.
        package internal(set) var obstructed: [String] = []
        /// Why paths could not be examined; what is there stays for now.
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

    /// Whether the file at `path` was made from these `inputs`, and has the time and size with which it was written.
    ///
    /// `false` also if that is not certain: the file is made again, and ``ViewBatch`` decides.
    package func isCurrent(_ path: String, from inputs: InputDigest) throws(SystemError) -> Bool {
        guard let row = try table.row(of: path), let status = (try? root.status(path)) ?? nil,
            status.kind == .file,
            row.lastWritten.isSame(
                as: GeneratedItem(
                    contents: row.lastWritten.contents, inputs: inputs, stamp: status.stamp))
        else { return false }
        if case .intended = row {
            removeWaiting(at: path, row)
            table.markAsMade(path)
        }
        return true
    }

    /// Whether the view may write at `path`; otherwise an item of the user is there, or in place of a directory.
    package func mayWrite(_ path: String) throws(SystemError) -> Bool {
        switch try examine(path, wanted: File(path: path, bytes: [])).step {
        case .write, .keep: true
        case .leaveToPerson, .remove, .forget: false
        case .wait(let error): throw error
        }
    }

    /// Whether there is a file at `path` as the view wrote it.
    package func owns(_ path: String) throws(SystemError) -> Bool {
        try store.tree.owns(path, by: view)
    }

    package func hasWritten() throws(SystemError) -> Bool { try table.exists() }

    /// Whether the view wrote the contents of `file` last at its path; a person may have changed or deleted it since.
    package func hasWritten(_ file: File) throws(SystemError) -> Bool {
        try table.row(of: file.path)?.lastWritten.contents == file.generated
    }

    /// Whether a person moved the file that the view wrote last at `other` to `path`.
    package func isMoved(from other: String, to path: String) throws(SystemError) -> Bool {
        guard let last = try table.row(of: other)?.lastWritten, let size = last.stamp?.size,
            let bytes = try ifValid(root.read(path, limit: size))
        else { return false }
        return last.contents == .file(InputDigest(of: bytes))
    }

    /// Whether the view may put files with these `names` into the directory at `path`.
    ///
    /// It may if it did so before, if one of the names is there, or if the directory is missing or has only hidden files.
    package func mayUse(folder path: String, for names: [String]) throws(SystemError) -> Bool {
        guard let status = try root.status(path) else { return true }
        guard status.kind == .directory else { return false }
        if try hasWritten() { return true }
        let visible = try root.textNames(in: path).filter { !$0.hasPrefix(".") }
        return visible.isEmpty || !Set(visible).isDisjoint(with: names)
    }

    /// The sentence that an item at `path` in the mirror at `root` is not the mirror's, and is in its way.
    package static func obstruction(by path: String, in root: Directory) -> String {
        var path = path
        // The obstacle may be an item in place of a directory.
        while true {
            let above = Layout.split(path).folder
            guard above != ".", (try? root.status(above))??.kind != .directory else { break }
            path = above
        }
        return
            "\(root.path)/\(path) was not written by apod-mirror and is not overwritten; move it away, and apod-mirror writes its own"
    }

    // MARK: Writing and removing

    /// Publishes each of `files` that differs from what is in its place, flushed together; each is replaced atomically.
    ///
    /// The links at the paths `refused` are not made again: see ``DeletedLinks``.
    ///
    /// - Throws: ``SystemError``; `ENOSPC` if the disk counts as full. Some files may have been written then.
    package func publish(
        _ files: [File], refused: [String] = []
    ) throws(SystemError) -> Outcome {
        let batch = try ViewBatch(of: self)
        try batch.add(files)
        try batch.refuse(refused)
        return try batch.publish()
    }

    /// Removes each file at `paths` that the view wrote; a user's files stay.
    package func remove(_ paths: [String]) throws(SystemError) -> Outcome {
        guard !paths.isEmpty else { return Outcome() }
        let batch = try ViewBatch(of: self)
        try batch.remove(paths)
        return try batch.publish()
    }

    // MARK: Looking

    /// What the view knows of a path, what the disk has there, and what follows.
    struct Examined {
        let step: ViewStep
        let row: TableRow?
        let found: FoundAtPath
        /// The status of what is at the path; `nil` if nothing is.
        let status: FileStatus?

        /// What the view has at the path, if the table knows it.
        var item: GeneratedItem? {
            if case .contents(let contents) = found { row?.ownItem(with: contents) } else { nil }
        }
    }

    /// Removes what an unfinished publication at `path` left beside it.
    ///
    /// A kill leaves the file that was to replace another one. A power cut leaves a second name of the file, for which
    /// rename(2) does nothing.
    func removeWaiting(at path: String, _ row: TableRow?) {
        if case .intended(_, before: .some) = row {
            try? root.remove(Directory.waitingPath(for: path))
        }
    }

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

    /// Whether a user would lose nothing with a file that the table does not know; `false` if it cannot be read.
    ///
    /// Such a file may be newer than the table, which came from a backup.
    private func isExpendable(
        _ path: String, _ status: FileStatus, replacedBy file: File?
    ) throws(SystemError) -> Bool {
        do {
            // A file that was cut short.
            if let bytes = file?.bytes, status.size <= bytes.count,
                let start = try root.read(path, limit: bytes.count), bytes.starts(with: start)
            {
                return true
            }
            if file != nil, try root.isBlank(path) { return true }
            return try isMarked(path, status)
        } catch {
            guard error.cause != .shortage, !error.isCancelled else { throw error }
            return false
        }
    }

    /// Whether the file has the mark with which this program ends a page or begins a thumbnail.
    private func isMarked(_ path: String, _ status: FileStatus) throws(SystemError) -> Bool {
        let name = Layout.split(path).name
        switch view {
        case .gallery:
            guard [".html", ".js", ".txt"].contains(name.splitAtLastDot?.ending),
                let bytes = try root.read(path)
            else { return false }
            return InputDigest.isMarked(bytes, at: path)
        case .thumbnails, .renditions:
            // A program that edits the picture may leave the comment, but hardly the time.
            guard let noon = FileName.day(of: name)?.noon,
                (noon..<noon + 43_200).contains(status.modified), let bytes = try root.read(path),
                let sha256 = ThumbnailFile.originalSHA256(in: bytes)
            else { return false }
            return ThumbnailFile.isThumbnail(bytes, of: sha256)
        case .feeds, .wallpapers, .v1, .latest, .hint, .sidecars: return false
        }
    }

    func recordChange(of path: String) {
        // The snapshot of the tree has only the files of these views.
        guard [.thumbnails, .sidecars].contains(view),
            let day = FileName.day(of: Layout.split(path).name)
        else { return }
        store.snapshots.recordChange(of: day)
    }
}

extension Directory {
    /// Whether the file `name` is empty or has nothing but zeros, as many file systems leave a file after a power cut.
    fileprivate func isBlank(_ name: String) throws(SystemError) -> Bool {
        // Most files are recognized by their first bytes.
        let start = try openFile(name, O_RDONLY).readStart(limit: 4096, path: name)
        guard start.allSatisfy({ $0 == 0 }) else { return false }
        return try read(name)?.allSatisfy { $0 == 0 } ?? false
    }
}

/// The views, each with places of its own in the tree, where it alone writes.
package enum ViewName: Sendable {
    case thumbnails, renditions, gallery, feeds, wallpapers, v1, latest, hint, sidecars

    /// The files and directories of all views but sidecars, which are beside the pictures.
    package static let places = [
        "index.html", Layout.gallery, "feed.xml", "feed.rss", "wallpapers", "v1",
        Layout.latestPicture, Layout.latestRecord, "\(Layout.favorites)/\(Layout.favoritesHint)",
    ]
}
