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
            plan.withLock { $0?.recordRefusal(ofLinkAt: path, row) }
        }
    }

    // MARK: Publishing

    /// Gives all files of the batch their names, and removes what was added for removal: see ``Publication``.
    ///
    /// Each file is replaced atomically. A file that somebody has made or changed since its path was compared stays. So does a
    /// file that cannot be replaced or removed, and the others are published.
    ///
    /// - Throws: ``SystemError`` if the error concerns more than single files. Then some files may have been published.
    package func publish() throws(SystemError) -> ViewFiles.Outcome {
        guard let plan = plan.withLock({ $0.take() }) else {
            preconditionFailure("the batch was published before")
        }
        var publication = Publication(of: plan.changes, in: files)
        return try publication.run(naming: plan.drafts)
    }
}
