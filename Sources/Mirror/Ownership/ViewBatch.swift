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
        /// With the status of each file, which must not change before it is removed.
        var removed: [(path: String, status: FileStatus?)] = []
        /// The paths of rows without a file.
        var forgotten: [String] = []
        var outcome = ViewFiles.Outcome()
    }

    private let view: ViewFiles
    /// `nil` after ``publish()``.
    private let plan: Mutex<Plan?>

    package init(of view: ViewFiles) throws(SystemError) {
        self.view = view
        let incoming = try view.root.makeDirectory(Layout.incoming)
        plan = Mutex(Plan(drafts: AtomicFileBatch(in: incoming)))
    }

    // MARK: What is wanted

    /// Adds those of `files` that differ from what is in their places, and in whose way there is no item of the user.
    ///
    /// - Throws: ``SystemError``; `ENOSPC` if the disk counts as full. The batch must not be published then.
    package func add(_ files: [ViewFiles.File]) throws(SystemError) {
        for file in files {
            let contents = GeneratedContents.file(InputDigest(of: file.bytes))
            let examined = try view.examine(file.path, contents, bytes: file.bytes)
            switch examined.step {
            case .keep: keep(file, examined, contents)
            case .write: try write(file, examined, contents)
            case .leaveToPerson, .wait, .remove, .forget: leave(file.path, examined.step)
            }
        }
    }

    /// The file has these contents; its row, and perhaps its time, may be another one.
    private func keep(
        _ file: ViewFiles.File, _ examined: ViewFiles.Examined, _ contents: GeneratedContents
    ) {
        guard var status = examined.status else { return }
        if let modified = file.modified, status.modified != modified {
            // As after a copy without times; only the owner of a file may set its time.
            try? view.root.setModified(modified, of: file.path)
            view.recordChange(of: file.path)
            if let new = try? view.root.status(file.path) { status = new }
        }
        let stamp = GeneratedItem.Stamp(status)
        let last = examined.row?.last
        if last?.contents == contents, last?.inputs == file.inputs,
            stamp.isTimeAndSize(of: last?.stamp)
        {
            return view.table.settle(file.path)
        }
        let item = GeneratedItem(contents: contents, inputs: file.inputs, stamp: stamp)
        plan.withLock { $0?.rows[file.path] = .made(item) }
    }

    private func write(
        _ file: ViewFiles.File, _ examined: ViewFiles.Examined, _ contents: GeneratedContents
    ) throws(SystemError) {
        try view.store.checkFreeSpace(
            for: 1 + file.bytes.count, at: "\(view.root.path)/\(file.path)")
        try plan.withLock { plan throws(SystemError) in
            guard
                let status = try plan?.drafts.add(
                    file.bytes, as: file.path, prefix: "\(view.view)", modified: file.modified,
                    replacing: examined.status != nil, ifStill: examined.status)
            else { preconditionFailure("the batch is published") }
            let item = GeneratedItem(
                contents: contents, inputs: file.inputs, stamp: GeneratedItem.Stamp(status))
            plan?.rows[file.path] = .intended(item, before: examined.item)
            plan?.written.append(file.path)
        }
    }

    /// Adds a symbolic link to `target` at `path`, unless it is there; returns `false` on a file system without links, where
    /// nothing is written, not even to the table.
    func addLink(to target: String, at path: String) throws(SystemError) -> Bool {
        let item = GeneratedItem(contents: .link(target: target))
        let examined = try view.examine(path, item.contents)
        switch examined.step {
        case .keep:
            if examined.row != .made(item) { plan.withLock { $0?.rows[path] = .made(item) } }
        case .write:
            return try plan.withLock { plan throws(SystemError) in
                guard
                    try plan?.drafts.addLink(
                        to: target, as: path, replacing: examined.status != nil,
                        ifStill: examined.status) == true
                else { return false }
                plan?.rows[path] = .intended(item, before: examined.item)
                plan?.written.append(path)
                return true
            }
        case .leaveToPerson, .wait, .remove, .forget: leave(path, examined.step)
        }
        return true
    }

    /// Removes what the view wrote at `path`.
    func remove(_ path: String) throws(SystemError) {
        let examined = try view.examine(path, wanted: nil)
        switch examined.step {
        case .remove: plan.withLock { $0?.removed.append((path, examined.status)) }
        case .forget:
            if examined.row != nil { plan.withLock { $0?.forgotten.append(path) } }
        case .keep, .write, .leaveToPerson, .wait: leave(path, examined.step)
        }
    }

    /// What is at `path` stays.
    private func leave(_ path: String, _ step: Step) {
        plan.withLock { plan in
            if case .wait(let error) = step {
                plan?.outcome.unreadable.append(error)
            } else {
                plan?.outcome.obstructed.append(path)
            }
        }
    }

    // MARK: Publishing

    /// Publishes all files; each is replaced atomically.
    ///
    /// A file that somebody made or changed since it was added stays.
    ///
    /// - Throws: ``SystemError``. Some files may have been written then.
    package func publish() throws(SystemError) -> ViewFiles.Outcome {
        guard let plan = plan.withLock({ $0.take() }) else {
            preconditionFailure("the batch is published")
        }
        let (rows, written, forgotten) = (plan.rows, plan.written, plan.forgotten)
        let removed = plan.removed.filter { (try? view.root.status($0.path)) == $0.status }
            .map(\.path)
        var outcome = plan.outcome
        // Also after an error, as files may have been renamed before.
        defer { for path in written + removed { view.recordChange(of: path) } }
        let folders = try Set(written.map { Layout.split($0).folder }).sorted()
            .map { path throws(SystemError) in try view.root.makeDirectory(path) }
        // After a power cut, a file that is not in the table would count as a user's.
        // mutation test: view-row-first
        try view.table.store(rows, in: view.store)
        let dropped = try plan.drafts.publish(in: view.root)
        for folder in folders { try folder.flush() }
        for path in removed { try view.root.remove(path) }
        // A removed file that a power cut brings back must still be known as the view's.
        for folder in Set(removed.map { Layout.split($0).folder }) {
            try view.root.folder(folder)?.flush()
        }
        try view.table.store(
            newRows(written: written, removed: removed + forgotten, rows), in: view.store)
        outcome.changed = written.filter { !dropped.contains($0) } + removed
        outcome.obstructed += dropped.reversed()
        return outcome
    }

    /// The rows that are to be stored at once after a publication: `nil` for removed files; and those of links that have
    /// replaced others, as a link with the earlier target is a user's from then on.
    private func newRows(
        written: [String], removed: [String], _ rows: [String: TableRow]
    ) -> [String: TableRow?] {
        var new = [String: TableRow?](uniqueKeysWithValues: removed.map { ($0, nil) })
        for path in written {
            guard case .intended(let item, .some) = rows[path], case .link = item.contents else {
                continue
            }
            new[path] = .made(item)
        }
        return new
    }
}
