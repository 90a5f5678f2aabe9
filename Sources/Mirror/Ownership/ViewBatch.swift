package import Platform
internal import Synchronization

/// Publishes the files of a view: compares what it wants with its table and the disk, then writes and removes what differs.
///
/// Files are flushed together and then get their names, because a flush of many files takes little longer than of one.
/// Each is written when it is added, so that few are in memory. Several tasks may add files. Without ``publish()``, nothing
/// in the tree changes.
package final class ViewBatch: Sendable {
    private struct Plan: ~Copyable {
        var drafts: AtomicFileBatch
        /// The rows of files that are written, or that are as wanted.
        var rows: [String: TableRow] = [:]
        var written: [String] = []
        /// The status must not change before the file is removed; `nil` for a row without a file.
        var removed: [(path: String, status: FileStatus?)] = []
        /// Whether the file system has no symbolic links: then no further link is tried, and no row is written.
        var isLinkless = false
        var outcome = ViewFiles.Outcome()
    }

    private let view: ViewFiles
    /// `nil` after ``publish()``.
    private let plan: Mutex<Plan?>

    package init(of view: ViewFiles) throws(SystemError) {
        self.view = view
        let incoming = try view.root.makeDirectory(Layout.incoming)
        // A person may mount something on `favorites/`.
        if view.view == .hint,
            try !view.root.isReachable(Layout.favorites, byRenamesFrom: incoming)
        {
            plan = Mutex(Plan(drafts: AtomicFileBatch(besideFinalNamesIn: view.root)))
        } else {
            plan = Mutex(Plan(drafts: AtomicFileBatch(in: incoming)))
        }
    }

    /// Adds each of `files` that differs from what is in its place, unless an item of the user is in the way.
    ///
    /// - Throws: ``SystemError``; `ENOSPC` if the disk counts as full. The batch must not be published then.
    package func add(_ files: [ViewFiles.File]) throws(SystemError) {
        for file in files { try change(file.path, to: file) }
    }

    /// Adds the removal of each file at `paths` that the view wrote.
    func remove(_ paths: [String]) throws(SystemError) {
        for path in paths { try change(path, to: nil) }
    }

    /// Records that a person deleted the links at `paths`.
    func refuse(_ paths: [String]) throws(SystemError) {
        for path in paths {
            guard let row = try view.table.row(of: path) else { continue }
            plan.withLock { $0?.rows[path] = .refused(row.lastWritten) }
        }
    }

    private func change(_ path: String, to file: ViewFiles.File?) throws(SystemError) {
        let examined = try view.examine(path, wanted: file)
        view.removeWaiting(at: path, examined.row)
        try plan.withLock { plan throws(SystemError) in
            switch examined.step {
            case .write: if let file { try write(file, over: examined, &plan) }
            case .keep: if let file { plan?.rows[path] = keep(file, as: examined) }
            case .remove:
                // If a kill comes between the removals of the link and of its row, no person has deleted the link.
                if case .made(let item) = examined.row, item.isLink {
                    // mutation test: removed-link
                    plan?.rows[path] = .intended(item, before: nil)
                }
                plan?.removed.append((path, examined.status))
            case .forget: if examined.row != nil { plan?.removed.append((path, nil)) }
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
            guard plan?.isLinkless == false,
                try plan?.drafts.addLink(
                    to: target, as: file.path, replacing: .only(examined.status)) == true
            else {
                plan?.isLinkless = true
                plan?.outcome.unlinked.append(file.path)
                return
            }
        }
        plan?.rows[file.path] = .intended(item, before: examined.item)
        plan?.written.append(file.path)
    }

    /// The new row of a file that is as wanted, and gets the time that it should have; `nil` if its row is right.
    private func keep(_ file: ViewFiles.File, as examined: ViewFiles.Examined) -> TableRow? {
        var status = examined.status
        if let modified = file.modified, status?.modified != modified {
            // The mirror may have been copied without times. Only the owner of a file may set its time.
            try? view.root.setModified(modified, of: file.path)
            view.recordChange(of: file.path)
            status = (try? view.root.status(file.path)) ?? status
        }
        var item = GeneratedItem(contents: file.generated, inputs: file.inputs)
        if case .bytes = file.contents { item.stamp = status?.stamp }
        // If a person deletes a link, the table must say that it was made.
        guard let last = examined.row?.ownItems.first, last.isSame(as: item),
            !item.isLink || examined.row == .made(item)
        else { return .made(item) }
        view.table.markAsMade(file.path)
        return nil
    }

    /// Publishes all files; each is replaced atomically.
    ///
    /// A file that somebody made or changed since it was added stays.
    ///
    /// - Throws: ``SystemError``. Some files may have been written then.
    package func publish() throws(SystemError) -> ViewFiles.Outcome {
        guard let plan = plan.withLock({ $0.take() }) else {
            preconditionFailure("the batch is published")
        }
        let (rows, written) = (plan.rows, plan.written)
        let removed = plan.removed.filter {
            $0.status == nil || (try? view.root.status($0.path)) == $0.status
        }
        let removedFiles = removed.filter { $0.status != nil }.map(\.path)
        var outcome = plan.outcome
        let newFolders = Set(written.map { Layout.split($0).folder })
        let folders = newFolders.union(removedFiles.map { Layout.split($0).folder })
        // Also after an error, because files may have been renamed before.
        defer { for path in written + removed.map(\.path) { view.recordChange(of: path) } }
        // After a power cut, a file that is not in the table would count as a user's.
        // mutation test: view-row-first
        try view.table.store(rows, in: view.store)
        // An empty `favorites/` would be taken for another one, without the links of its favorites.
        for folder in newFolders where folder != Layout.favorites {
            _ = try view.root.makeDirectory(folder)
        }
        let dropped = try plan.drafts.publish(in: view.root)
        for path in removedFiles { try view.root.remove(path) }
        for folder in folders.sorted() { try view.root.folder(folder)?.flush() }
        // Until here, the table had the rows of removed files, because a power cut could have brought the files back.
        var newRows: [String: TableRow?] = try rowsOfLinks(written, rows)
        for item in removed { newRows.updateValue(nil, forKey: item.path) }
        try view.table.store(newRows, in: view.store)
        outcome.changed = written.filter { !dropped.contains($0) } + removedFiles
        for path in dropped.reversed() where try !isThere(path, as: rows[path]) {
            outcome.obstructed.append(path)
        }
        return outcome
    }

    /// The rows of published links, and of the directories in which they are.
    ///
    /// A link with its earlier target is a user's from now on, and a link that is gone was deleted by a person.
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

    /// Whether the contents of a dropped file are at `path`: another task published the same since it was examined.
    private func isThere(_ path: String, as row: TableRow?) throws(SystemError) -> Bool {
        guard case .contents(let contents) = try view.table.look(at: path, row).found
        else { return false }
        return contents == row?.lastWritten.contents
    }
}
