internal import APOD
internal import JSON
internal import Platform

/// Publishes one day: its picture and video first, its record last.
///
/// All files are staged in `incoming/` under the name of the day before the first file of the tree is
/// replaced, and each file that will be replaced has a second name in `previous/` by then. The rename
/// of the record is the commit: after an interruption before it, ``resume()`` completes the publication
/// with the staged files, or rolls it back if one of them is missing.
struct DayPublisher {
    let store: Store
    let day: Day

    var root: Directory { store.tree.root }
    var staging: Directory { store.incoming }

    /// Publishes `record`, which has the final paths of its new files; these are complete and checked.
    ///
    /// - Throws: ``SystemError``; the tree has the earlier or the new state then. If the disk fails
    ///   again meanwhile, the next ``resume()`` decides.
    func publish(
        _ record: DayRecord, _ files: [DayRecord.FileKind: DownloadedFile] = [:],
        after earlier: DayRecord?
    ) throws(SystemError) {
        defer { store.snapshots.recordChange(of: day) }
        do {
            for (kind, file) in files {
                file.draft.file.setAttributes(of: record, from: file.address)
                try file.draft.file.setModified(day.noon, path: file.draft.path)
                try file.draft.stage(in: staging, as: staged(kind))
            }
            for kind in DayRecord.FileKind.allCases where files[kind] == nil {
                // It was found in its place, with the recorded contents.
                guard let found = record.file(kind), found != earlier?.file(kind) else { continue }
                try root.flush(found.path)
            }
            let isReplaced = try archive(files, record, earlier)
            let draft = try store.draft("\(day).record.part")
            try draft.write(record.json.document)
            try draft.stage(in: staging, as: stagedRecord)
            // An edit may replace, move or remove a file of the earlier record: its own must be found then.
            // mutant: staging-sync
            if isReplaced || earlier != nil { try staging.synchronize() }
        } catch {
            discard()
            throw error
        }
        do {
            try finish(record, earlier)
        } catch {
            // Still thrown: the state of the disk is not certain.
            try? resume()
            throw error
        }
    }

    /// Links every file that will be replaced into `previous/`, or into `damaged/` if it is not as
    /// recorded.
    ///
    /// - Returns: Whether any file is replaced.
    private func archive(
        _ files: [DayRecord.FileKind: DownloadedFile], _ record: DayRecord, _ earlier: DayRecord?
    ) throws(SystemError) -> Bool {
        var paths: [String] = []
        for kind in files.keys {
            paths += [record.file(kind)?.path, earlier?.file(kind)?.path].compactMap(\.self)
            guard let file = earlier?.file(kind),
                try root.hasContents(of: file, at: file.path) == false
            else { continue }
            paths.removeAll { $0 == file.path }
            try store.keepDamaged(file.path, of: day)
        }
        if earlier == nil { try store.keepDamaged(recordPath, of: day) }
        var isReplaced = false
        // mutant: archive-before-replace
        for path in Set(paths).sorted() where try store.archive(path, of: day) {
            isReplaced = true
        }
        if let earlier, earlier.missing == nil, isReplaced || earlier.revision < record.revision {
            _ = try store.archive(recordPath, of: day, label: "r\(earlier.revision) ")
        }
        return isReplaced
    }

    // MARK: Names

    /// Whether `name` in `incoming/` is a staged file of a day.
    static func isStaged(_ name: String) -> Bool {
        guard let day = FileName.day(of: name) else { return false }
        return name == Layout.record(of: day)
            || DayRecord.FileKind.allCases.contains { name == staged($0, of: day) }
    }

    private static func staged(_ kind: DayRecord.FileKind, of day: Day) -> String {
        "\(day) \(kind.rawValue)"
    }
    func staged(_ kind: DayRecord.FileKind) -> String { Self.staged(kind, of: day) }
    private var stagedRecord: String { Layout.record(of: day) }
    private var recordPath: String { Layout.recordPath(of: day) }

    func discard() {
        for kind in DayRecord.FileKind.allCases { try? staging.remove(staged(kind)) }
        try? staging.remove(stagedRecord)
    }

    // MARK: Finishing

    private func finish(_ record: DayRecord, _ earlier: DayRecord?) throws(SystemError) {
        for kind in DayRecord.FileKind.allCases {
            guard let file = record.file(kind) else { continue }
            let path = file.path
            guard try staging.status(staged(kind)) != nil else { continue }
            // The gallery would show those of the old picture; they can be made again.
            if kind == .picture {
                try? root.remove(Rendition.path(of: day))
                // mutant: old-thumbnail
                if record.picture?.sha256 != earlier?.picture?.sha256 {
                    try? root.remove(Layout.thumbnail(of: day))
                }
            }
            let (folderPath, name) = Layout.split(path)
            let folder = try root.makeDirectory(folderPath)
            try store.makeRoom(for: path, of: day)
            try staging.rename(staged(kind), to: folder, as: name)
            // mutant: picture-before-record
            try folder.synchronize()
        }
        if record.removed != nil {
            try store.moveToTrash(record)
        } else if earlier?.removed != nil {
            try store.returnFromTrash(day)
            // A copy of the mirror may have lost them in the trash, too.
            store.setMissingAttributes(of: record)
        }
        if record.removed == nil, let old = earlier?.picture?.path,
            let new = record.picture?.path, old != new
        {
            try store.makeRoom(for: old, of: day)
            try store.replaceByLink(at: old, to: Layout.split(new).name)
        }
        // From here on, ``resume()`` publishes the record.
        if let earlier, record.page == nil { try store.removeRedirectPage(of: earlier) }
        let folder = try root.makeDirectory(Layout.folder(Layout.metadata, of: day))
        try staging.rename(stagedRecord, to: folder, as: stagedRecord)
        try folder.synchronize()
    }

    /// Completes an interrupted publication, or rolls it back.
    func resume() throws(SystemError) {
        defer { store.snapshots.recordChange(of: day) }
        guard let bytes = try staging.read(stagedRecord, limit: 16 << 20) else {
            return discard()
        }
        let earlier = try store.record(of: day)
        // An incompletely written record: nothing has been replaced yet.
        guard let record = DayRecord(bytes, of: day), record.revision >= earlier?.revision ?? 0
        else { return discard() }
        if try canFinish(record, earlier) {
            try finish(record, earlier)
        } else {
            try rollBack(record, earlier)
        }
        // Also after it is finished: a power cut can leave both names of a renamed file, and rename(2) does
        // nothing to two names of one file.
        discard()
        try staging.synchronize()
    }

    /// Whether each file that `record` names is staged or already has its final name, and is on the disk.
    ///
    /// A killed process may have named it before its bytes were there. A file whose fsync fails counts as lost: a
    /// second fsync would succeed without them, see fsync(2).
    private func canFinish(
        _ record: DayRecord, _ earlier: DayRecord?
    ) throws(SystemError) -> Bool {
        for kind in DayRecord.FileKind.allCases {
            guard let file = record.file(kind) else { continue }
            let isStaged = try staging.status(staged(kind)) != nil
            if !isStaged, file == earlier?.file(kind) { continue }
            let (folder, path) = isStaged ? (staging, staged(kind)) : (root, file.path)
            // mutant: staged-hash
            guard try folder.hasContents(of: file, at: path) == true else {
                return false
            }
            // mutant: found-file-sync
            guard (try? folder.flush(path)) != nil else {
                return false
            }
        }
        return (try? staging.flush(stagedRecord)) != nil
    }

    /// Restores the files of `earlier` from `previous/`.
    private func rollBack(_ record: DayRecord, _ earlier: DayRecord?) throws(SystemError) {
        for kind in DayRecord.FileKind.allCases {
            guard let file = earlier?.file(kind),
                try root.hasContents(of: file, at: file.path) != true
            else { continue }
            try store.restorePrevious(file.path, sha256: file.sha256, of: day)
            if let other = record.file(kind)?.path, other != file.path,
                try store.archive(other, of: day)
            {
                try root.remove(other)
            }
        }
    }
}

/// A picture or video that is downloaded or adopted, and checked, but not published.
final class DownloadedFile: Sendable {
    let draft: AtomicFile
    /// Where NASA has it; empty if that is not known.
    let address: String
    /// The bytes that were received.
    let received: Int

    init(_ draft: consuming AtomicFile, from address: String, received: Int) {
        self.draft = draft
        self.address = address
        self.received = received
    }
}

extension FileDescriptor {
    /// Sets the extended attributes of a picture or video of `record`, as far as the file system has them;
    /// `address` is empty if it is not known where NASA has the file.
    func setAttributes(of record: DayRecord, from address: String) {
        if !address.isEmpty { setAttribute("user.xdg.origin.url", address) }
        if let permalink = record.entry.permalink {
            setAttribute("user.xdg.referrer.url", permalink)
        }
        setAttribute("user.xdg.comment", record.entry.title)
    }
}

extension Directory {
    /// Whether the file at `path` has the recorded contents of `file`; `nil` if there is none.
    func hasContents(of file: RecordedFile, at path: String) throws(SystemError) -> Bool? {
        guard let status = try status(path), status.kind == .file else { return nil }
        // A file of another size is not read: it may be of any size.
        guard status.size == file.bytes else { return false }
        return try openToRead(path).sha256(path: path, limit: file.bytes) == file.sha256
    }
}
