package import Platform
internal import Synchronization

/// Publishes many files of a view together, because flushing many files takes little longer than flushing one.
///
/// Each file is added first: it is compared with the table of the view and with the disk, and if it differs, it is written to
/// `incoming/`. So few files are in memory at a time. ``publish()`` then gives all files their names; without it, nothing
/// changes in the tree. Several tasks may add files at the same time. The marks `mutation test: …` are for Tests/Mutants.
package final class ViewBatch: Sendable {
    private struct Plan: ~Copyable {
        var drafts: AtomicFileBatch
        /// The new rows of the table, by path.
        var rows: [String: TableRow] = [:]
        var written: [String] = []
        /// The files to remove, each with the status that it must still have then.
        var removals: [(path: String, status: FileStatus)] = []
        /// The paths whose rows are to be removed, because there is no file, and none is wanted.
        var obsoleteRows: [String] = []
        /// Whether the file system was found to have no symbolic links, so that no further link is tried.
        var lacksLinks = false
        var outcome = ViewFiles.Outcome()
    }

    private let view: ViewFiles
    /// `nil` after ``publish()``.
    private let plan: Mutex<Plan?>

    package init(of view: ViewFiles) throws(SystemError) {
        self.view = view
        let incoming = try view.root.makeDirectory(Layout.incoming)
        // If a person has mounted something on `favorites/`, no file can be renamed to there from `incoming/`.
        if view.view == .hint,
            try !view.root.isReachable(Layout.favorites, byRenamesFrom: incoming)
        {
            plan = Mutex(Plan(drafts: AtomicFileBatch(besideFinalNamesIn: view.root)))
        } else {
            plan = Mutex(Plan(drafts: AtomicFileBatch(in: incoming)))
        }
    }

    /// Adds each of `files` that differs from what is at its path, unless an item of a person is there.
    ///
    /// - Throws: ``SystemError``: `ENOSPC` if the disk counts as full. Then the batch must not be published.
    package func add(_ files: [ViewFiles.File]) throws(SystemError) {
        for file in files { try change(file.path, to: file) }
    }

    /// Adds the removal of each file at `paths` that the view wrote.
    func remove(_ paths: [String]) throws(SystemError) {
        for path in paths { try change(path, to: nil) }
    }

    /// Adds to the table that a person has deleted the links at `paths`.
    func refuse(_ paths: [String]) throws(SystemError) {
        for path in paths {
            guard let row = try view.table.row(of: path) else { continue }
            plan.withLock { $0?.rows[path] = .refused(row.lastWritten) }
        }
    }

    /// Compares `path` with `file`, `nil` to remove what the view wrote there, and adds to the plan what is to be done.
    private func change(_ path: String, to file: ViewFiles.File?) throws(SystemError) {
        let examined = try view.examine(path, wanted: file)
        view.removeLeftover(beside: path, examined.row)
        try plan.withLock { plan throws(SystemError) in
            switch examined.step {
            case .write: if let file { try write(file, over: examined, &plan) }
            case .keep: if let file { plan?.rows[path] = keep(file, as: examined) }
            case .remove:
                // With this row, a kill after the removal of the link does not look like a deletion by a person.
                if case .made(let item) = examined.row, item.isLink {
                    // mutation test: removed-link
                    plan?.rows[path] = .intended(item, before: nil)
                }
                if let status = examined.status { plan?.removals.append((path, status)) }
            case .forget: if examined.row != nil { plan?.obsoleteRows.append(path) }
            case .leaveToPerson: plan?.outcome.obstructed.append(path)
            case .wait(let error): plan?.outcome.unreadable.append(error)
            }
        }
    }

    private func write(
        _ file: ViewFiles.File, over examined: ViewFiles.Examined, _ plan: inout Plan?
    ) throws(SystemError) {
        var item = GeneratedItem(contents: file.generated, inputs: file.inputs)
        switch file.contents {
        case .bytes(let bytes):
            try view.store.checkFreeSpace(
                for: 1 + bytes.count, at: "\(view.root.path)/\(file.path)")
            item.stamp = try plan?.drafts.add(
                bytes, as: file.path, prefix: "\(view.view)", modified: file.modified,
                replacing: .only(examined.status)
            ).stamp
        case .link(let target):
            guard plan?.lacksLinks == false,
                try plan?.drafts.addLink(
                    to: target, as: file.path, replacing: .only(examined.status)) == true
            else {
                plan?.lacksLinks = true
                plan?.outcome.unlinked.append(file.path)
                return
            }
        }
        plan?.rows[file.path] = .intended(item, before: examined.item)
        plan?.written.append(file.path)
    }

    /// Gives a file that is as wanted its modification time; returns its new row, `nil` if its row is right.
    private func keep(_ file: ViewFiles.File, as examined: ViewFiles.Examined) -> TableRow? {
        var status = examined.status
        if let modified = file.modified, status?.modified != modified {
            // A copy of the mirror may have lost the times. If another user owns the file, its time stays.
            try? view.root.setModified(modified, of: file.path)
            view.recordChange(of: file.path)
            status = (try? view.root.status(file.path)) ?? status
        }
        var item = GeneratedItem(contents: file.generated, inputs: file.inputs)
        if case .bytes = file.contents { item.stamp = status?.stamp }
        // The row of a link must say that it was made, so that its deletion by a person is noticed.
        guard let last = examined.row?.ownItems.first, last.isSame(as: item),
            !item.isLink || examined.row == .made(item)
        else { return .made(item) }
        view.table.markAsMade(file.path)
        return nil
    }

    /// Gives all files of the batch their names, and removes what was added for removal.
    ///
    /// Each file is replaced atomically. If somebody has made or changed the file at a path since it was compared, it stays.
    ///
    /// - Throws: ``SystemError``. Then some files may have been published.
    package func publish() throws(SystemError) -> ViewFiles.Outcome {
        guard let plan = plan.withLock({ $0.take() }) else {
            preconditionFailure("the batch was published before")
        }
        let (rows, written, obsoleteRows) = (plan.rows, plan.written, plan.obsoleteRows)
        let removedFiles = plan.removals
            .filter { (try? view.root.status($0.path)) == $0.status }.map(\.path)
        var outcome = plan.outcome
        let newFolders = Set(written.map { Layout.split($0).folder })
        let folders = newFolders.union(removedFiles.map { Layout.split($0).folder })
        // After an error, too, because files may have got their names before.
        defer { for path in written + removedFiles + obsoleteRows { view.recordChange(of: path) } }
        // The rows come first: after a power cut, a file without a row would count as a person's.
        // mutation test: view-row-first
        try view.table.store(rows, in: view.store)
        // A lost `favorites/` is not made here: if it came back empty, its favorites would seem to be deleted.
        for folder in newFolders where folder != Layout.favorites {
            _ = try view.root.makeDirectory(folder)
        }
        let dropped = try plan.drafts.publish(in: view.root)
        for path in removedFiles { try view.root.remove(path) }
        for folder in folders.sorted() { try view.root.folder(folder)?.flush() }
        // The rows of removed files go last, because until here a power cut could have brought the files back.
        var newRows: [String: TableRow?] = try rowsOfLinks(written, rows)
        for path in removedFiles + obsoleteRows { newRows.updateValue(nil, forKey: path) }
        try view.table.store(newRows, in: view.store)
        outcome.changed = written.filter { !dropped.contains($0) } + removedFiles
        for path in dropped.reversed() where try !isThere(path, as: rows[path]) {
            outcome.obstructed.append(path)
        }
        return outcome
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
            guard item.isLink, folder != ".", newRows[folder] == nil,
                var stamp = try view.root.status(folder)?.stamp
            else { continue }
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
