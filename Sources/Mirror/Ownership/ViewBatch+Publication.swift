internal import Platform

extension ViewBatch {
    /// The publication of a ``ViewBatch``, which gives files of a view their names, and removes others.
    ///
    /// The steps have this order, so that the ``ViewTable`` proves after a power cut at any time which files are the view's:
    ///
    /// 1. The rows of new files are stored, because a file without a row would count as a person's.
    /// 2. The files get their names or are removed, and their directories are flushed.
    /// 3. The rows of removed files are removed, because until here a power cut could have brought the files back.
    struct Publication {
        private let files: ViewFiles
        private let changes: Plan.Changes
        /// The paths of the files to remove, without those that have changed since they were examined: these may be a person's.
        private let removed: [String]
        /// The paths that got no file, because somebody has put something else there since they were examined.
        private var dropped: Set<String> = []
        /// Why single files could not be written or removed, by their paths; the first error of each.
        private var failures: [String: SystemError] = [:]

        init(of changes: Plan.Changes, in files: ViewFiles) {
            self.files = files
            self.changes = changes
            // A file whose status cannot be read stays, too.
            removed = changes.removals.compactMap { path, status in
                (try? files.root.status(path)) == status ? path : nil
            }
        }

        /// Publishes `drafts`, the files and links of ``Plan/Changes/written`` under temporary names, and removes files.
        ///
        /// - Throws: ``SystemError`` if every other file would fail as well.
        mutating func run(
            naming drafts: consuming AtomicFileBatch
        ) throws(SystemError) -> ViewFiles.Outcome {
            // Even after an error, some files may have got their names.
            defer {
                for path in changes.written + removed + changes.obsoleteRows {
                    files.recordChange(of: path)
                }
            }
            // mutation test: view-row-first (see Tests/Mutants)
            try files.table.store(changes.rows, in: files.store)
            try makeFolders()
            try name(drafts)
            try removeFiles()
            for folder in Self.folders(of: newPaths + formerPaths).sorted() {
                try files.root.folder(folder)?.flush()
            }
            try files.table.store(
                rowsOfLinks(), removing: formerPaths + changes.obsoleteRows, in: files.store)
            return try outcome()
        }

        // MARK: Files

        /// Makes the directories of the new files; if that fails for a directory, its files fail.
        private mutating func makeFolders() throws(SystemError) {
            // A lost `favorites/` is not made here: if it came back empty, its favorites would seem to be deleted.
            for folder in Self.folders(of: changes.written) where folder != Layout.favorites {
                do throws(SystemError) {
                    _ = try files.root.makeDirectory(folder)
                } catch {
                    for path in changes.written where Layout.split(path).folder == folder {
                        try addFailure(of: path, error)
                    }
                }
            }
        }

        private mutating func name(_ drafts: consuming AtomicFileBatch) throws(SystemError) {
            var errors: [(path: String, error: SystemError)] = []
            dropped = Set(
                try drafts.publish(in: files.root) { (path, error) throws(SystemError) in
                    guard !error.endsPublication else { throw error }
                    errors.append((path, error))
                })
            for (path, error) in errors { try addFailure(of: path, error) }
        }

        private mutating func removeFiles() throws(SystemError) {
            for path in removed {
                do throws(SystemError) {
                    try files.root.remove(path)
                } catch {
                    try addFailure(of: path, error)
                }
            }
        }

        private static func folders(of paths: [String]) -> Set<String> {
            Set(paths.map { Layout.split($0).folder })
        }

        /// Records why the file at `path` could not be written or removed.
        ///
        /// - Throws: The error if every other file would fail as well.
        private mutating func addFailure(
            of path: String, _ error: SystemError
        ) throws(SystemError) {
            guard !error.endsPublication else { throw error }
            failures[path] = failures[path] ?? error
        }

        // MARK: What was done

        /// The paths whose new files could be written; the ``dropped`` ones are among them.
        private var newPaths: [String] { changes.written.filter { failures[$0] == nil } }

        /// The paths of the files that were removed.
        private var formerPaths: [String] { removed.filter { failures[$0] == nil } }

        private func outcome() throws(SystemError) -> ViewFiles.Outcome {
            var outcome = changes.outcome
            outcome.changed = newPaths.filter { !dropped.contains($0) } + formerPaths
            outcome.failures = failures.sorted { $0.key < $1.key }.map(\.value)
            for path in newPaths.filter(dropped.contains) where try !isPublished(path) {
                outcome.obstructed.append(path)
            }
            return outcome
        }

        /// Whether a dropped `path` has the wanted contents nevertheless, because another task has published the same file.
        private func isPublished(_ path: String) throws(SystemError) -> Bool {
            let row = changes.rows[path]
            guard case .contents(let contents) = try files.findItem(at: path, row).found
            else { return false }
            return contents == row?.lastWritten.contents
        }

        // MARK: The final rows

        /// The final rows of published links, of files that have replaced links, and of the directories of links.
        ///
        /// By these rows, the next update knows that a missing link was deleted by a person, as ``DeletedLinks`` decides, and
        /// that a link with the former target was made by a person.
        private func rowsOfLinks() throws(SystemError) -> [String: TableRow] {
            var finalRows: [String: TableRow] = [:]
            for path in newPaths {
                guard case .intended(let item, let before) = changes.rows[path],
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
}

extension SystemError {
    /// Whether every other file of a batch would fail because of this error, too.
    fileprivate var endsPublication: Bool { concernsEveryFile || isReadOnly }
}
