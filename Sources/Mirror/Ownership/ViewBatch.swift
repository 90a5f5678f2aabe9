package import Platform
internal import Synchronization

/// Publishes many files of a view together, because flushing many files takes little longer than flushing one.
///
/// A view is a part of the mirror that is made from its pictures and records, such as the gallery. Each file is first added: it
/// is compared with what is at its path, and if it differs, it is written to `incoming/`. So few files are in memory at a time.
/// ``publish()`` then gives all files their names; without it, nothing changes in the tree.
///
/// A file of a person is never overwritten or removed. The ``ViewTable``, which has a row for each file that the view wrote,
/// shows whose a file is. Several tasks may add files at the same time, but none after ``publish()``.
///
/// The mark `mutation test: …` is for Tests/Mutants.
package final class ViewBatch: Sendable {
    private let view: ViewFiles
    /// What is to be done; `nil` after ``publish()``.
    private let plan: Mutex<Plan?>

    package init(of view: ViewFiles) throws(SystemError) {
        self.view = view
        let incoming = try view.root.makeDirectory(Layout.incoming)
        // This view writes to `favorites/`. If a person has mounted something there, no file can be renamed to there from
        // `incoming/`.
        if view.view == .hint,
            try !view.root.isReachable(Layout.favorites, byRenamesFrom: incoming)
        {
            plan = Mutex(Plan(of: view, AtomicFileBatch(besideFinalNamesIn: view.root)))
        } else {
            plan = Mutex(Plan(of: view, AtomicFileBatch(in: incoming)))
        }
    }

    // MARK: Adding

    /// Adds each of `files` that differs from what is at its path, unless an item of a person is there.
    ///
    /// - Throws: ``SystemError``: `ENOSPC` if the disk counts as full. Then the batch must not be published.
    package func add(_ files: [ViewFiles.File]) throws(SystemError) {
        for file in files {
            let examined = try view.examine(file.path, wanted: file)
            view.removeLeftover(beside: file.path, examined.row)
            try plan.withLock { plan throws(SystemError) in try plan?.add(file, over: examined) }
        }
    }

    /// Adds the removal of each file at `paths` that the view wrote.
    func remove(_ paths: [String]) throws(SystemError) {
        for path in paths {
            let examined = try view.examine(path, wanted: nil)
            view.removeLeftover(beside: path, examined.row)
            plan.withLock { $0?.remove(path, examined) }
        }
    }

    /// Adds to the table that a person has deleted the links at `paths`.
    func refuse(_ paths: [String]) throws(SystemError) {
        for path in paths {
            guard let row = try view.table.row(of: path) else { continue }
            plan.withLock { $0?.changes.rows[path] = .refused(row.lastWritten) }
        }
    }

    // MARK: Publishing

    /// Gives all files of the batch their names, and removes what was added for removal.
    ///
    /// Each file is replaced atomically. If somebody has made or changed the file at a path since it was compared, it stays.
    /// The order of the steps lets the table prove after a power cut at any time which files are the view's:
    ///
    /// 1. The rows of new files are stored, because a file without a row would count as a person's.
    /// 2. The files get their names or are removed, and their directories are flushed.
    /// 3. The rows of removed files are removed, because until here a power cut could have brought the files back.
    ///
    /// - Throws: ``SystemError``. Then some files may have been published.
    package func publish() throws(SystemError) -> ViewFiles.Outcome {
        guard let plan = plan.withLock({ $0.take() }) else {
            preconditionFailure("the batch was published before")
        }
        let changes = plan.changes
        let written = changes.written
        let removed = changes.removals.filter(isUnchanged).map(\.path)
        // Even after an error, some files may have got their names.
        defer {
            for path in written + removed + changes.obsoleteRows { view.recordChange(of: path) }
        }

        // mutation test: view-row-first
        try view.table.store(changes.rows, in: view.store)

        try makeFolders(of: written)
        let dropped = try plan.drafts.publish(in: view.root)
        for path in removed { try view.root.remove(path) }
        try flushFolders(of: written + removed)

        var finalRows: [String: TableRow?] = try rowsOfLinks(written, changes.rows)
        for path in removed + changes.obsoleteRows { finalRows.updateValue(nil, forKey: path) }
        try view.table.store(finalRows, in: view.store)

        var outcome = changes.outcome
        outcome.changed = written.filter { !dropped.contains($0) } + removed
        for path in dropped.reversed() where try !isThere(path, as: changes.rows[path]) {
            outcome.obstructed.append(path)
        }
        return outcome
    }

    /// Whether the file to remove is still the one that was examined; `false` if that cannot be found out.
    private func isUnchanged(_ removal: (path: String, status: FileStatus)) -> Bool {
        (try? view.root.status(removal.path)) == removal.status
    }

    private func makeFolders(of paths: [String]) throws(SystemError) {
        // A lost `favorites/` is not made here: if it came back empty, its favorites would seem to be deleted.
        for folder in Self.folders(of: paths) where folder != Layout.favorites {
            _ = try view.root.makeDirectory(folder)
        }
    }

    private func flushFolders(of paths: [String]) throws(SystemError) {
        for folder in Self.folders(of: paths).sorted() { try view.root.folder(folder)?.flush() }
    }

    private static func folders(of paths: [String]) -> Set<String> {
        Set(paths.map { Layout.split($0).folder })
    }

    /// The rows of published links, and of the directories in which they are.
    ///
    /// By these rows, the next update knows that a link which is gone was deleted by a person, and that a link with the
    /// former target was made by a person.
    private func rowsOfLinks(
        _ written: [String], _ rows: [String: TableRow]
    ) throws(SystemError) -> [String: TableRow?] {
        var newRows: [String: TableRow?] = [:]
        for path in written {
            guard case .intended(let item, let before) = rows[path],
                item.isLink || before?.isLink == true
            else { continue }
            newRows[path] = TableRow.made(item)
            let folder = Layout.split(path).folder
            let isInRoot = folder == "."
            guard item.isLink, !isInRoot, newRows[folder] == nil,
                var stamp = try view.root.status(folder)?.stamp
            else { continue }
            // Only the inode and the time of a directory are compared.
            stamp.size = 0
            newRows[folder] = TableRow.made(GeneratedItem(contents: .folder, stamp: stamp))
        }
        return newRows
    }

    /// Whether `path` has the contents of a file that was not published, because another task had published the same.
    private func isThere(_ path: String, as row: TableRow?) throws(SystemError) -> Bool {
        guard case .contents(let contents) = try view.table.look(at: path, row).found
        else { return false }
        return contents == row?.lastWritten.contents
    }
}
