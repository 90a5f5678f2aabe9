package import Platform
internal import Synchronization

/// Files of a view that are flushed together and then get their names: one flush of many files takes little longer than
/// that of one.
///
/// Each is written when it is added, so that few are in memory. Several tasks may add files. Without ``publish()``,
/// nothing in the tree changes.
package final class ViewBatch: Sendable {
    private struct Drafts: ~Copyable {
        var files: AtomicFileBatch
        var entries: [(path: String, entry: ViewLog.Entry)] = []
        var obstructed: [String] = []
    }

    private let view: ViewFiles
    /// `nil` after ``publish()``.
    private let drafts: Mutex<Drafts?>

    package init(of view: ViewFiles) throws(SystemError) {
        self.view = view
        let incoming = try view.root.makeDirectory(Layout.incoming)
        drafts = Mutex(Drafts(files: AtomicFileBatch(in: incoming)))
    }

    /// Adds those of `files` that differ from what is in their places, and in whose way there is no item of the user.
    ///
    /// - Throws: ``SystemError``; `ENOSPC` if the disk counts as full. The batch must not be published then.
    package func add(_ files: [ViewFiles.File]) throws(SystemError) {
        for file in files {
            if try view.isUpToDate(file) { continue }
            guard let path = try view.prove(file.path, replacedBy: file.bytes) else {
                drafts.withLock { $0?.obstructed.append(file.path) }
                continue
            }
            try view.store.checkFreeSpace(
                for: 1 + file.bytes.count, at: "\(view.root.path)/\(file.path)")
            try drafts.withLock { drafts throws(SystemError) in
                guard
                    let status = try drafts?.files.add(
                        file.bytes, as: file.path, prefix: "\(view.view)",
                        modified: file.modified, replacing: path.isTaken, ifStill: path.status)
                else { preconditionFailure("the batch is published") }
                drafts?.entries.append((file.path, ViewLog.Entry(file: file.bytes, status)))
            }
        }
    }

    /// Publishes all files; each is replaced atomically.
    ///
    /// A file that somebody made or changed since ``add(_:)`` stays.
    ///
    /// - Throws: ``SystemError``. Some files may have been written then.
    package func publish() throws(SystemError) -> ViewFiles.Outcome {
        guard let drafts = drafts.withLock({ $0.take() }) else {
            preconditionFailure("the batch is published")
        }
        let paths = drafts.entries.map(\.path)
        guard !paths.isEmpty else {
            return ViewFiles.Outcome(obstructed: drafts.obstructed)
        }
        // Also after an error, as files may have been renamed before.
        defer { for path in paths { view.recordChange(of: path) } }
        let folders = try Set(paths.map { Layout.split($0).folder }).sorted()
            .map { path throws(SystemError) in try view.root.makeDirectory(path) }
        // After a power cut, a file that is not in the log would count as a user's.
        // mutation test: view-log-first
        try view.log.add(drafts.entries)
        let dropped = try drafts.files.publish(in: view.root)
        for folder in folders { try folder.flush() }
        return ViewFiles.Outcome(
            changed: paths.filter { !dropped.contains($0) },
            obstructed: drafts.obstructed + dropped.reversed())
    }
}
