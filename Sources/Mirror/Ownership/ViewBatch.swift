package import Platform
internal import Synchronization

/// The publisher of all views: compares what a view wants with its table and the disk, then writes and removes what differs.
///
/// Files are flushed together and then get their names: one flush of many files takes little longer than that of one. Each
/// is written when it is added, so that few are in memory. Several tasks may add files. Without ``publish()``, nothing in
/// the tree changes.
package final class ViewBatch: Sendable {
    private struct Plan: ~Copyable {
        var drafts: AtomicFileBatch
        /// The rows of files that are written or as wanted.
        var rows: [String: TableRow] = [:]
        var written: [String] = []
        /// With the status of each file, which must not change before it is removed; `nil` for a row without a file.
        var removed: [(path: String, status: FileStatus?)] = []
        /// Whether the file system has no symbolic links: then none is tried again, and no row is written.
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

    /// Adds those of `files` that differ from what is in their places, and in whose way there is no item of the user.
    ///
    /// - Throws: ``SystemError``; `ENOSPC` if the disk counts as full. The batch must not be published then.
    package func add(_ files: [ViewFiles.File]) throws(SystemError) {
        for file in files { try change(file.path, to: file) }
    }

    /// Adds the removal of those of the files at `paths` that the view wrote.
    func remove(_ paths: [String]) throws(SystemError) {
        for path in paths { try change(path, to: nil) }
    }

    /// Remembers of the links at the paths that a person deleted them.
    func refuse(_ paths: [String]) throws(SystemError) {
        for path in paths {
            guard let row = try view.table.row(of: path) else { continue }
            plan.withLock { $0?.rows[path] = .refused(row.last) }
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
                // A kill between the removal and the end of its row is no deletion by a person.
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

    /// The row of a file that is as wanted, and gets the time that it should have.
    private func keep(_ file: ViewFiles.File, as examined: ViewFiles.Examined) -> TableRow? {
        var status = examined.status
        if let modified = file.modified, status?.modified != modified {
            // As after a copy without times; only the owner of a file may set its time.
            try? view.root.setModified(modified, of: file.path)
            view.recordChange(of: file.path)
            status = (try? view.root.status(file.path)) ?? status
        }
        var item = GeneratedItem(contents: file.generated, inputs: file.inputs)
        if case .bytes = file.contents { item.stamp = status?.stamp }
        // A link whose row says only that it is intended would be no deleted one if a person deletes it.
        guard let last = examined.row?.items.first, last.isSame(as: item),
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
        var outcome = plan.outcome
        outcome.changed = removed.filter { $0.status != nil }.map(\.path)
        let newFolders = Set(written.map { Layout.split($0).folder })
        let folders = newFolders.union(outcome.changed.map { Layout.split($0).folder })
        // Also after an error, as files may have been renamed before.
        defer { for path in written + removed.map(\.path) { view.recordChange(of: path) } }
        // After a power cut, a file that is not in the table would count as a user's.
        // mutation test: view-row-first
        try view.table.store(rows, in: view.store)
        // An empty `favorites/` would be taken for another one, without the links of its favorites.
        for folder in newFolders where folder != Layout.favorites {
            _ = try view.root.makeDirectory(folder)
        }
        let dropped = try plan.drafts.publish(in: view.root)
        for path in outcome.changed { try view.root.remove(path) }
        for folder in folders.sorted() { try view.root.folder(folder)?.flush() }
        // A removed file that a power cut brings back was known as the view's until here.
        var new: [String: TableRow?] = [:]
        for item in removed { new.updateValue(nil, forKey: item.path) }
        for path in written {
            // A link with the earlier target is a user's from now on; one that is not there any more was deleted.
            guard case .intended(let item, let before) = rows[path],
                item.isLink || before?.isLink == true
            else { continue }
            new[path] = TableRow.made(item)
            let folder = Layout.split(path).folder
            if item.isLink, folder != ".", new[folder] == nil,
                var left = try view.root.status(folder)?.stamp
            {
                left.size = 0
                new[folder] = TableRow.made(GeneratedItem(contents: .folder, stamp: left))
            }
        }
        try view.table.store(new, in: view.store)
        outcome.changed = written.filter { !dropped.contains($0) } + outcome.changed
        for path in dropped.reversed() where try !isThere(path, as: rows[path]) {
            outcome.obstructed.append(path)
        }
        return outcome
    }

    /// Whether the contents of a dropped file are at `path`: another task published the same since it was examined.
    private func isThere(_ path: String, as row: TableRow?) throws(SystemError) -> Bool {
        guard case .contents(let contents) = try view.table.look(at: path, row).found
        else { return false }
        return contents == row?.last.contents
    }
}
