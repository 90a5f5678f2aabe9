internal import APOD
internal import Glibc
internal import Platform

/// How a view finds out what is at a path of the tree, and whether it may write there: see ``ViewStep``.
extension ViewFiles {
    /// What the view knows of a path, what the disk has there, and what is to be done.
    struct Examination {
        let step: ViewStep
        let row: TableRow?
        let found: FoundAtPath
        /// The status of what is at the path; `nil` if nothing is.
        let status: FileStatus?

        /// The item at the path as the view wrote it; `nil` if it is not the view's.
        var item: GeneratedItem? {
            if case .contents(let contents) = found { row?.ownItem(with: contents) } else { nil }
        }
    }

    /// Compares the file that the view wants at `path` with the table and the disk; `file` is `nil` if it wants none.
    func examine(_ path: String, wanted file: File?) throws(SystemError) -> Examination {
        let row: TableRow?
        do throws(SystemError) {
            row = try table.row(of: path)
        } catch {
            guard !error.concernsEveryFile else { throw error }
            // The files of other months have tables of their own.
            return Examination(step: .wait(error), row: nil, found: .unknown(error), status: nil)
        }
        var (found, status) = try findItem(at: path, row, expectedSize: file?.bytes?.count)
        var step = ViewStep(wanted: file?.generated, row: row, found: found)
        // Only a file that must stay otherwise is read to find out whether it is a person's.
        if step == .leaveToPerson, let status, status.kind == .file,
            try isExpendable(path, status, replacedBy: file)
        {
            found = .expendable
            step = ViewStep(wanted: file?.generated, row: row, found: found)
        }
        return Examination(step: step, row: row, found: found, status: status)
    }

    // MARK: What is at a path

    /// Finds out what is at `path`, which has this `row` in the table.
    ///
    /// A file is read only if it has the size of a file in the row, or the `expectedSize`; any other file is foreign.
    ///
    /// - Throws: ``SystemError`` if the machine lacks something, or if the task was cancelled. Any other error becomes a result.
    func findItem(
        at path: String, _ row: TableRow?, expectedSize: Int? = nil
    ) throws(SystemError) -> (found: FoundAtPath, status: FileStatus?) {
        do {
            guard let status = try root.status(path) else { return (.nothing, nil) }
            let found = try examineItem(path, status, row, expectedSize: expectedSize)
            return (found, status)
        } catch {
            // A file is in place of a directory above.
            if error.isNotDirectory { return (.foreign, nil) }
            if error.isCancelled { throw error }
            switch error.cause {
            case .absent: return (.nothing, nil)
            case .invalid: return (.foreign, nil)
            case .denied, .transient: return (.unknown(error), nil)
            case .shortage: throw error
            }
        }
    }

    private func examineItem(
        _ path: String, _ status: FileStatus, _ row: TableRow?, expectedSize: Int?
    ) throws(SystemError) -> FoundAtPath {
        switch status.kind {
        case .symbolicLink:
            guard let target = try root.readTarget(of: path) else { return .foreign }
            return .contents(.link(target: target))
        case .file:
            let items = row?.ownItems ?? []
            if let item = items.first(where: { $0.stamp == status.stamp }) {
                return .contents(item.contents)
            }
            let possibleSizes = items.map { $0.stamp?.size } + [expectedSize]
            guard possibleSizes.contains(status.size),
                let bytes = try root.read(path, limit: status.size)
            else { return .foreign }
            return .contents(.file(InputDigest(of: bytes)))
        case .directory, .other: return .foreign
        }
    }

    // MARK: Files that the table does not know

    /// Whether a file that the table does not know may be replaced, because no person would lose anything.
    ///
    /// For example, the table came from a backup, and this program wrote the file later. A file that cannot be read stays. Each
    /// check reads only what it needs, because the file may be a large one of a person.
    private func isExpendable(
        _ path: String, _ status: FileStatus, replacedBy file: File?
    ) throws(SystemError) -> Bool {
        do {
            if let file {
                if try isBeginning(of: file, path, status) { return true }
                if try root.isBlank(path) { return true }
            }
            return try isMarked(path, status)
        } catch {
            guard !error.concernsEveryFile else { throw error }
            return false
        }
    }

    /// Whether the file at `path` has the first bytes of the wanted `file`, and no others, as after a power cut.
    private func isBeginning(
        of file: File, _ path: String, _ status: FileStatus
    ) throws(SystemError) -> Bool {
        guard let wanted = file.bytes, status.size <= wanted.count,
            let bytes = try root.read(path, limit: wanted.count)
        else { return false }
        return wanted.starts(with: bytes)
    }

    /// Whether the file at `path` has the mark of this program, and nobody has changed it since.
    private func isMarked(_ path: String, _ status: FileStatus) throws(SystemError) -> Bool {
        switch view {
        case .gallery, .feeds:
            let ending = path.splitAtLastDot?.ending
            guard [".html", ".js", ".txt", ".xml", ".rss"].contains(ending),
                let bytes = try root.read(path)
            else { return false }
            return InputDigest.isMarked(bytes, at: path)
        case .thumbnails, .renditions:
            // A person's program may keep the mark when it edits the file. But it does not keep the time, which is the
            // `DayRecord.fileTime` of the picture.
            guard let noon = FileName.day(of: Layout.split(path).name)?.noon,
                (noon..<(noon + secondsOfAfternoon)).contains(status.modified),
                let bytes = try root.read(path),
                let sha256 = ThumbnailFile.originalSHA256(in: bytes)
            else { return false }
            return ThumbnailFile.isThumbnail(bytes, of: sha256)
        case .wallpapers, .v1, .latest, .hint, .sidecars: return false
        }
    }
}

extension Directory {
    /// Whether the file `name` is empty or contains only zeros, as many file systems leave a file after a power cut.
    fileprivate func isBlank(_ name: String) throws(SystemError) -> Bool {
        // The first block suffices for nearly all other files.
        let start = try openFile(name, O_RDONLY).readStart(limit: 4096, path: name)
        guard start.allSatisfy({ $0 == 0 }) else { return false }
        guard let bytes = try read(name) else { return false }
        return bytes.allSatisfy { $0 == 0 }
    }
}
