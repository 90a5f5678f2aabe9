internal import Platform

extension ViewBatch {
    /// What a ``ViewBatch`` does when it is published, and the drafts of the files that then get their names.
    ///
    /// The batch has examined each path before: it has compared the path with its row in the ``ViewTable``, which shows whose
    /// file is there, and has decided by ``ViewStep`` what is done. The plan writes each wanted file at once, as a draft, which
    /// is a file under a temporary name.
    struct Plan: ~Copyable {
        /// Which files get their names, which are removed, and which rows of the table change.
        struct Changes {
            /// The new rows of the ``ViewTable``, by path.
            var rows: [String: TableRow] = [:]
            /// The paths of the files and links that get their names.
            var written: [String] = []
            /// The files to remove, each with the status that it must still have then.
            var removals: [(path: String, status: FileStatus)] = []
            /// The paths whose rows are to be removed, because there is no file, and none is wanted.
            var obsoleteRows: [String] = []
            /// What is known of the outcome before the batch is published.
            var outcome = ViewFiles.Outcome()
        }

        private let files: ViewFiles
        /// The files and links of ``Changes/written``, under temporary names.
        private(set) var drafts: AtomicFileBatch
        private(set) var changes = Changes()
        /// Whether the file system was found to have no symbolic links, so that no further link is tried.
        private var lacksLinks = false

        init(of files: ViewFiles, _ drafts: consuming AtomicFileBatch) {
            self.files = files
            self.drafts = drafts
        }

        /// Adds a wanted file, whose path was `examined`.
        mutating func add(
            _ file: ViewFiles.File, over examined: ViewFiles.Examination
        ) throws(SystemError) {
            switch examined.step {
            case .write: try write(file, over: examined)
            case .keep: keep(file, as: examined)
            case .leaveToPerson: changes.outcome.obstructed.append(file.path)
            case .wait(let error): changes.outcome.unreadable.append(error)
            case .remove, .forget: break  // These are only for paths at which nothing is wanted.
            }
        }

        /// Adds the removal of what the view wrote at `path`, which was `examined`.
        mutating func remove(_ path: String, _ examined: ViewFiles.Examination) {
            switch examined.step {
            case .remove:
                // With this row, a kill after the removal of the link does not look like a deletion by a person.
                if case .made(let item) = examined.row, item.isLink {
                    // mutation test: removed-link (see Tests/Mutants)
                    changes.rows[path] = .intended(item, before: nil)
                }
                if let status = examined.status { changes.removals.append((path, status)) }
            case .forget: if examined.row != nil { changes.obsoleteRows.append(path) }
            case .leaveToPerson: changes.outcome.obstructed.append(path)
            case .wait(let error): changes.outcome.unreadable.append(error)
            case .write, .keep: break  // These are only for wanted files.
            }
        }

        /// Adds to the table that a person has deleted the link at `path`, which has this `row`.
        mutating func recordRefusal(ofLinkAt path: String, _ row: TableRow) {
            changes.rows[path] = .refused(row.lastWritten)
        }

        // MARK: Files to write

        /// Writes the file or link under a temporary name, and adds the row that the table must have before the publication.
        private mutating func write(
            _ file: ViewFiles.File, over examined: ViewFiles.Examination
        ) throws(SystemError) {
            let expected = AtomicFileBatch.Replaced.only(examined.status)
            var stamp: GeneratedItem.Stamp?
            switch file.contents {
            case .bytes(let bytes):
                stamp = try writeDraft(of: file, with: bytes, replacing: expected)
            case .link(let target):
                guard try draftLink(to: target, at: file.path, replacing: expected) else {
                    changes.outcome.unlinked.append(file.path)
                    return
                }
            }
            changes.rows[file.path] = .intended(file.item(stamp), before: examined.item)
            changes.written.append(file.path)
        }

        private mutating func writeDraft(
            of file: ViewFiles.File, with bytes: [UInt8],
            replacing expected: AtomicFileBatch.Replaced
        ) throws(SystemError) -> GeneratedItem.Stamp {
            // One byte more, because a full disk refuses an empty file, too.
            try files.store.checkFreeSpace(
                for: bytes.count + 1, at: "\(files.root.path)/\(file.path)")
            return try drafts.add(
                bytes, as: file.path, prefix: "\(files.view)", modified: file.modified,
                replacing: expected
            ).stamp
        }

        /// Makes the link under a temporary name; returns `false` if the file system has no symbolic links.
        private mutating func draftLink(
            to target: String, at path: String, replacing expected: AtomicFileBatch.Replaced
        ) throws(SystemError) -> Bool {
            if lacksLinks { return false }
            lacksLinks = try !drafts.addLink(to: target, as: path, replacing: expected)
            return !lacksLinks
        }

        // MARK: Files to keep

        /// Keeps a file that is as wanted: restores its modification time, and adds its row if the table has another one.
        private mutating func keep(_ file: ViewFiles.File, as examined: ViewFiles.Examination) {
            let status = files.restoreModificationTime(of: file, examined.status)
            let item = file.item(file.bytes == nil ? nil : status?.stamp)
            if isKnown(item, by: examined.row) {
                files.table.markAsMade(file.path)
            } else {
                changes.rows[file.path] = .made(item)
            }
        }

        /// Whether `row` says that the view wrote `item`.
        private func isKnown(_ item: GeneratedItem, by row: TableRow?) -> Bool {
            guard let last = row?.ownItems.first, last.isEqualIgnoringInode(item) else {
                return false
            }
            // The row of a link must say that it was made, so that its deletion by a person is noticed.
            return !item.isLink || row == .made(item)
        }
    }
}

extension ViewFiles {
    /// Gives the file its wanted modification time, which a copy of the mirror may have lost; returns its status.
    fileprivate func restoreModificationTime(of file: File, _ status: FileStatus?) -> FileStatus? {
        guard let modified = file.modified, status?.modified != modified else { return status }
        // If another user owns the file, its time stays.
        try? root.setModified(modified, of: file.path)
        recordChange(of: file.path)
        return (try? root.status(file.path)) ?? status
    }
}

extension ViewFiles.File {
    /// What the ``ViewTable`` stores of the file; `stamp` is `nil` for a link.
    fileprivate func item(_ stamp: GeneratedItem.Stamp?) -> GeneratedItem {
        GeneratedItem(contents: generated, inputs: inputs, stamp: stamp)
    }
}
