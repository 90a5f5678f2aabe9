package import Platform
internal import Synchronization

/// Publishes many files of a view together, because flushing many files takes little longer than flushing one.
///
/// A *view* is a part of the mirror that is made from its pictures and records, such as the gallery. Each of its files is first
/// added: it is compared with what is at its path, and if it differs, it is written under a temporary name. ``publish()`` then
/// gives all files their names. Without it, nothing changes in the tree.
///
/// A file of a person is never overwritten or removed. The ``ViewTable``, which has a row for each file that the view wrote,
/// shows whose a file is. Several tasks may add files at the same time, but none after ``publish()``.
package final class ViewBatch: Sendable {
    private let files: ViewFiles
    /// What is to be done; `nil` after ``publish()``.
    private let plan: Mutex<Plan?>

    package init(of files: ViewFiles) throws(SystemError) {
        self.files = files
        plan = Mutex(Plan(of: files, try Self.emptyDrafts(of: files)))
    }

    /// Makes the batch of the temporary files, which are in `incoming/` if they can be renamed from there.
    private static func emptyDrafts(of files: ViewFiles) throws(SystemError) -> AtomicFileBatch {
        let incoming = try files.root.makeDirectory(Layout.incoming)
        // A person may have mounted another file system at `favorites/`.
        if files.view.writesToFavorites,
            try !files.root.isReachable(Layout.favorites, byRenamesFrom: incoming)
        {
            return AtomicFileBatch(besideFinalNamesIn: files.root)
        }
        return AtomicFileBatch(in: incoming)
    }

    // MARK: Adding

    /// Adds each of `wanted` that differs from what is at its path, unless an item of a person is there.
    ///
    /// - Throws: ``SystemError``: `ENOSPC` if the disk counts as full. Then the batch must not be published.
    package func add(_ wanted: [ViewFiles.File]) throws(SystemError) {
        for file in wanted {
            let examined = try files.examine(file.path, wanted: file)
            files.removeLeftover(beside: file.path, examined.row)
            try plan.withLock { plan throws(SystemError) in try plan?.add(file, over: examined) }
        }
    }

    /// Adds the removal of each file at `paths` that the view wrote.
    func remove(_ paths: [String]) throws(SystemError) {
        for path in paths {
            let examined = try files.examine(path, wanted: nil)
            files.removeLeftover(beside: path, examined.row)
            plan.withLock { $0?.remove(path, examined) }
        }
    }

    /// Adds to the table that a person has deleted the links at `paths`.
    func recordRefusal(ofLinksAt paths: [String]) throws(SystemError) {
        for path in paths {
            guard let row = try files.table.row(of: path) else { continue }
            plan.withLock { $0?.changes.rows[path] = .refused(row.lastWritten) }
        }
    }

    // MARK: Publishing

    /// Gives all files of the batch their names, and removes what was added for removal.
    ///
    /// Each file is replaced atomically. A file that somebody has made or changed since its path was compared stays. So does a
    /// file that cannot be replaced or removed, and the others are published.
    ///
    /// The steps have this order, so that the table proves after a power cut at any time which files are the view's:
    ///
    /// 1. The rows of new files are stored, because a file without a row would count as a person's.
    /// 2. The files get their names or are removed, and their directories are flushed.
    /// 3. The rows of removed files are removed, because until here a power cut could have brought the files back.
    ///
    /// - Throws: ``SystemError`` if the error concerns more than single files. Then some files may have been published.
    package func publish() throws(SystemError) -> ViewFiles.Outcome {
        guard let plan = plan.withLock({ $0.take() }) else {
            preconditionFailure("the batch was published before")
        }
        let changes = plan.changes
        let written = changes.written
        // An item that has changed since it was examined may be a person's.
        let removed = changes.removals.filter(isUnchanged).map(\.path)
        // Even after an error, some files may have got their names.
        defer {
            for path in written + removed + changes.obsoleteRows { files.recordChange(of: path) }
        }
        // Step 1.
        // mutation test: view-row-first (see Tests/Mutants)
        try files.table.store(changes.rows, in: files.store)

        // Step 2.
        var failures: [String: SystemError] = [:]
        try makeFolders(of: written, &failures)
        // The files that were not published, because something else is at their paths by now.
        let dropped = Set(
            try plan.drafts.publish(in: files.root) { (path, error) throws(SystemError) in
                try Self.record(error, of: path, in: &failures)
            })
        for path in removed {
            do throws(SystemError) {
                try files.root.remove(path)
            } catch {
                try Self.record(error, of: path, in: &failures)
            }
        }
        let newPaths = written.filter { failures[$0] == nil }
        let formerPaths = removed.filter { failures[$0] == nil }
        try flushFolders(of: newPaths + formerPaths)

        // Step 3.
        try files.table.store(
            rowsOfLinks(newPaths, changes.rows), removing: formerPaths + changes.obsoleteRows,
            in: files.store)

        var outcome = changes.outcome
        outcome.changed = newPaths.filter { !dropped.contains($0) } + formerPaths
        outcome.failures = failures.sorted { $0.key < $1.key }.map(\.value)
        for path in newPaths.filter(dropped.contains)
        where try !isPublished(path, as: changes.rows[path]) {
            outcome.obstructed.append(path)
        }
        return outcome
    }

    /// Records in `failures` why the file at `path` could not be written or removed; the first error of each file stays.
    ///
    /// - Throws: The error if every other file would fail as well.
    private static func record(
        _ error: SystemError, of path: String, in failures: inout [String: SystemError]
    ) throws(SystemError) {
        guard !error.concernsEveryFile, !error.isReadOnly else { throw error }
        failures[path] = failures[path] ?? error
    }

    /// Whether the file to remove is still the one that was examined; `false` if that cannot be found out.
    private func isUnchanged(_ removal: (path: String, status: FileStatus)) -> Bool {
        (try? files.root.status(removal.path)) == removal.status
    }

    /// Whether `path` has the contents of the file that was dropped, because another task has published the same file.
    private func isPublished(_ path: String, as row: TableRow?) throws(SystemError) -> Bool {
        guard case .contents(let contents) = try files.findItem(at: path, row).found
        else { return false }
        return contents == row?.lastWritten.contents
    }

    /// Makes the directories of the new files; if that fails for a directory, its files are added to `failures`.
    private func makeFolders(
        of paths: [String], _ failures: inout [String: SystemError]
    ) throws(SystemError) {
        // A lost `favorites/` is not made here: if it came back empty, its favorites would seem to be deleted.
        for folder in Self.folders(of: paths) where folder != Layout.favorites {
            do throws(SystemError) {
                _ = try files.root.makeDirectory(folder)
            } catch {
                for path in paths where Layout.split(path).folder == folder {
                    try Self.record(error, of: path, in: &failures)
                }
            }
        }
    }

    private func flushFolders(of paths: [String]) throws(SystemError) {
        for folder in Self.folders(of: paths).sorted() { try files.root.folder(folder)?.flush() }
    }

    private static func folders(of paths: [String]) -> Set<String> {
        Set(paths.map { Layout.split($0).folder })
    }

    // MARK: The rows of links

    /// The final rows of published links, of files that have replaced links, and of the directories of links.
    ///
    /// By these rows, the next update knows that a missing link was deleted by a person, as ``DeletedLinks`` decides, and that
    /// a link with the former target was made by a person.
    private func rowsOfLinks(
        _ written: [String], _ rows: [String: TableRow]
    ) throws(SystemError) -> [String: TableRow] {
        var finalRows: [String: TableRow] = [:]
        for path in written {
            guard case .intended(let item, let before) = rows[path],
                item.isLink || before?.isLink == true
            else { continue }
            finalRows[path] = .made(item)
            let folder = Layout.split(path).folder
            if item.isLink, folder != ".", finalRows[folder] == nil {
                finalRows[folder] = try row(ofFolder: folder)
            }
        }
        return finalRows
    }

    private func row(ofFolder path: String) throws(SystemError) -> TableRow? {
        guard let stamp = try files.root.status(path)?.stamp else { return nil }
        return .made(GeneratedItem(contents: .folder, stamp: stamp))
    }
}
