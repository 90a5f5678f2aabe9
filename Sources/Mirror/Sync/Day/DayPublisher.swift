internal import APOD
internal import JSON
internal import Platform

/// Publishes one day: its picture and video first, its record last.
///
/// ``EntryDownloader`` publishes what it downloaded in this way, and retention what it removed.
///
/// All files are staged in `incoming/` under the name of the day before the first file of the tree is
/// replaced, and each file that will be replaced has a second name in `previous/` by then. The rename
/// of the record is the commit: after an interruption before it, ``resume()`` finishes the publication
/// with the staged files, or rolls it back if one of them is missing.
///
/// The staged names of a new day are not flushed, which would take a fifth fsync(2) for each: after a power cut its
/// picture may be there without a record. Nobody was told of the day, and the next sync downloads it again: the same
/// bytes at that path become those of the day, others are a person's.
struct DayPublisher {
    let store: Store
    let day: Day

    var root: Directory { store.tree.root }
    var staging: Directory { get throws(SystemError) { try store.incoming } }

    /// Publishes `record` with the new `files`, which were checked, at the paths that the record names.
    ///
    /// - Throws: ``SystemError``; the tree has the earlier or the new state, or gets it by ``resume()``.
    func publish(
        _ record: DayRecord, _ files: [DayRecord.FileKind: DownloadedFile] = [:],
        after earlier: DayRecord?
    ) throws(SystemError) {
        defer { store.snapshots.recordChange(of: day) }
        do {
            for (kind, file) in files {
                file.draft.file.setModified(record.fileTime)
                try file.draft.stage(in: staging, as: staged(kind))
            }
            for kind in DayRecord.FileKind.allCases where files[kind] == nil {
                // A file that only the new record names was found in the tree, and is perhaps not flushed yet.
                guard let found = record.file(kind), found != earlier?.file(kind) else { continue }
                try flushInPlace(found.path)
            }
            let isReplaced = try keepFiles(replacedBy: files, of: record, after: earlier)
            let draft = try store.draft("\(day).record.part")
            try draft.write(record.json.document)
            try draft.stage(in: staging, as: stagedRecord)
            // The files of the earlier record change from here on: the staged ones must survive a power cut.
            // mutation test: staging-sync
            if isReplaced || earlier != nil { try staging.flush() }
        } catch {
            discard()
            throw error
        }
        do {
            try finish(record, after: earlier)
        } catch {
            // Thrown also if this succeeds: the state of the disk is not certain.
            try? resume()
            throw error
        }
    }

    /// Gives files that will be replaced a second name in `previous/`, or moves them to `damaged/` if they are not as
    /// recorded, and gives the earlier record one in `previous/`; returns whether a replaced file is in `previous/` now.
    private func keepFiles(
        replacedBy files: [DayRecord.FileKind: DownloadedFile], of record: DayRecord,
        after earlier: DayRecord?
    ) throws(SystemError) -> Bool {
        var replaced: Set<String> = []
        for kind in files.keys {
            if let path = record.file(kind)?.path { replaced.insert(path) }
            guard let old = earlier?.file(kind) else { continue }
            if try root.hasContents(of: old, at: old.path) == false {
                try store.moveDamaged(old.path, of: day)
                replaced.remove(old.path)
            } else {
                replaced.insert(old.path)
            }
        }
        var isReplaced = false
        // mutation test: archive-before-replace
        for path in replaced.sorted() where try store.archive(path, of: day) {
            isReplaced = true
        }
        // A record without picture and video is not part of the history of its day.
        if let earlier, earlier.noPicture == nil, isReplaced || earlier.revision < record.revision {
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

    /// Removes the staged files; one that stays for an error is removed by the next ``resume()``.
    func discard() {
        for kind in DayRecord.FileKind.allCases { try? staging.remove(staged(kind)) }
        try? staging.remove(stagedRecord)
    }

    // MARK: Finishing

    /// Gives the staged files their final names, the record last; may be repeated after an interruption.
    private func finish(_ record: DayRecord, after earlier: DayRecord?) throws(SystemError) {
        for kind in DayRecord.FileKind.allCases {
            guard let file = record.file(kind), try staging.status(staged(kind)) != nil else {
                continue
            }
            if kind == .picture {
                // mutation test: old-thumbnail
                if record.picture?.sha256 != earlier?.picture?.sha256 { store.removeJPEGs(of: day) }
            }
            try publishStaged(kind, as: file, after: earlier)
        }
        // Files are deleted once: an edit of a removed day keeps the record that it replaces.
        if record.removed != nil, earlier?.removed == nil { try deleteFiles(of: record) }
        // Favorites may link to the old path of a picture whose type has changed.
        if record.removed == nil, let old = earlier?.picture, let new = record.picture?.path,
            old.path != new
        {
            try store.replaceByLink(old.file, to: Layout.split(new).name, of: day)
        }
        // This is last before the commit: until then the earlier record names the page.
        if let earlier, record.page == nil { try store.removeRedirectPage(of: earlier) }
        let folder = try root.makeDirectory(Layout.folder(Layout.metadata, of: day))
        // An item at the path of the record is damaged; the staged one has the keys of a user that were read from it.
        if earlier == nil { try store.moveDamaged(recordPath, of: day) }
        // One rename, though people see it: no later process would know of a record that waits beside the earlier one.
        try staging.rename(stagedRecord, to: folder, as: stagedRecord)
        try folder.flush()
    }

    /// Gives the staged file its final name.
    ///
    /// What the mirror itself has there is replaced atomically, so that readers always find a picture. A free name is
    /// only taken while it is free: a person may put a file there at any moment, which ``resume()`` moves away.
    private func publishStaged(
        _ kind: DayRecord.FileKind, as file: RecordedFile, after earlier: DayRecord?
    ) throws(SystemError) {
        let (folderPath, name) = Layout.split(file.path)
        let folder = try root.makeDirectory(folderPath)
        try makeRoom(for: file, replacing: earlier?.file(kind))
            ? staging.renameExclusive(staged(kind), to: folder, as: name)
            : staging.renameVisibly(staged(kind), to: folder, as: name)
        // mutation test: picture-before-record
        try folder.flush()
    }

    /// Moves away what would be lost if `file` replaced it; returns whether its path is free.
    ///
    /// The file of the earlier record is in `previous/` if it is as recorded, or is put into `damaged/`. A user's file,
    /// which somebody put there after the path was chosen, is moved to `aside/`.
    private func makeRoom(
        for file: RecordedFile, replacing earlier: RecordedFile?
    ) throws(SystemError) -> Bool {
        try store.makeRoom(for: file.path, of: day)
        guard try root.status(file.path) != nil else { return true }
        if try root.hasContents(of: file, at: file.path) == true { return false }
        if let earlier, earlier.path == file.path {
            if try root.hasContents(of: earlier, at: file.path) == true { return false }
            try store.moveDamaged(file.path, of: day)
        } else {
            // mutation test: taken-name
            try store.moveAside(file.path)
        }
        return try root.status(file.path) == nil
    }

    /// Finishes an interrupted publication, or rolls it back; does nothing if there is none.
    func resume() throws(SystemError) {
        guard let bytes = try staging.read(stagedRecord, limit: Layout.largestRecord) else {
            return discard()
        }
        defer { store.snapshots.recordChange(of: day) }
        let earlier = try store.record(of: day)
        // If the staged record is cut, no file has been replaced yet; if it is older, this was finished.
        guard let record = DayRecord(bytes, of: day), record.revision >= earlier?.revision ?? 0
        else { return discard() }
        // mutation test: take-back
        try takeBack(record)
        if try canFinish(record, after: earlier) {
            try finish(record, after: earlier)
        } else {
            try rollBack(record, to: earlier)
        }
        // A power cut can leave both names of a renamed file, for which rename(2) does nothing.
        discard()
        try staging.flush()
    }

    /// Stages files again to which a killed process was about to give their final names.
    private func takeBack(_ record: DayRecord) throws(SystemError) {
        for kind in DayRecord.FileKind.allCases {
            guard let file = record.file(kind) else { continue }
            let waiting = Directory.waitingPath(for: file.path)
            try ifPresent(root.rename(waiting, to: staging, as: staged(kind)))
        }
    }

    /// Whether each file that `record` names is staged or already has its final name, and is on the disk.
    ///
    /// A killed process may have renamed a file that was not flushed, so that each is flushed here. One whose fsync
    /// fails is moved to `damaged/`, or discarded: a second fsync would succeed without its bytes, see fsync(2). After
    /// another error nothing is known, and all stays as it is.
    private func canFinish(
        _ record: DayRecord, after earlier: DayRecord?
    ) throws(SystemError) -> Bool {
        for kind in DayRecord.FileKind.allCases {
            guard let file = record.file(kind) else { continue }
            let isStaged = try staging.status(staged(kind)) != nil
            if !isStaged, file == earlier?.file(kind) { continue }
            let (folder, path) = try isStaged ? (staging, staged(kind)) : (root, file.path)
            // mutation test: staged-hash
            guard try folder.hasContents(of: file, at: path) == true else {
                return false
            }
            // mutation test: found-file-sync
            guard try isFlushed(isStaged ? staging.flush(path) : flushInPlace(path)) else {
                return false
            }
        }
        return try isFlushed(staging.flush(stagedRecord))
    }

    /// Whether `flush` succeeds; `false` if the disk has lost bytes of the file.
    private func isFlushed(
        _ flush: @autoclosure () throws(SystemError) -> Void
    ) throws(SystemError) -> Bool {
        do {
            try flush()
            return true
        } catch  where error.isOfFlush {
            return false
        }
    }

    /// Flushes a file that has its final name; one whose bytes the disk has lost is moved to `damaged/`.
    private func flushInPlace(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try root.flush(path)
        } catch {
            if error.isOfFlush { try? store.moveDamaged(path, of: day) }
            throw error
        }
    }

    /// Restores the files of `earlier` from `previous/`, and moves those of `record` that have other paths there, or to
    /// `aside/` what else has these paths, perhaps a person's; a file of a kind that `earlier` lacks stays: the next sync
    /// of the day finds it if it is intact.
    private func rollBack(_ record: DayRecord, to earlier: DayRecord?) throws(SystemError) {
        for kind in DayRecord.FileKind.allCases {
            guard let old = earlier?.file(kind) else { continue }
            if try root.hasContents(of: old, at: old.path) != true {
                try store.restorePrevious(old.path, sha256: old.sha256, of: day)
            }
            guard let file = record.file(kind), file.path != old.path else { continue }
            if try root.hasContents(of: file, at: file.path) == true {
                _ = try store.archive(file.path, of: day)
                try store.remove(file.path, provedBy: .record(file))
            } else if try root.status(file.path)?.kind == .file {
                try store.moveAside(file.path)
            }
        }
        if let earlier { store.setMissingTimes(of: earlier) }
    }
}
