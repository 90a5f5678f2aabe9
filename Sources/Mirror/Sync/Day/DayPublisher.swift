internal import APOD
internal import JSON
internal import Platform

/// Publishes one day: its picture and video first, its record last.
///
/// ``EntryDownloader`` publishes each downloaded day in this way, and `--keep` publishes each removal. The steps are:
///
/// 1. All files are staged: they get names such as `2026-11-20 picture` and `2026-11-20.json` in `incoming/`.
/// 2. Each file in the tree that will be replaced gets a second name in `previous/`.
/// 3. The staged files are renamed into the tree, the record last. When the record has its name, the day is published.
///
/// After an interruption, ``resume()`` finishes the publication with the staged files, or rolls it back if one is missing.
///
/// For a new day, `incoming/` is not flushed, because that would take a fifth fsync(2). So after a power cut, a picture may
/// be in the tree without a record. The next sync downloads the day again, and finds the same bytes at the path of the
/// picture. The marks `mutation test: …` are for Tests/Mutants.
struct DayPublisher {
    let store: Store
    let day: Day

    var root: Directory { store.tree.root }
    var staging: Directory { get throws(SystemError) { try store.incoming } }

    /// Publishes `record` in place of the `earlier` one, and the new `files`, which were checked, at the paths that it names.
    ///
    /// If `record` marks files as removed that the earlier record did not, they are deleted.
    ///
    /// - Throws: ``SystemError``. Then the tree has the earlier or the new state, or gets one of them by ``resume()``.
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
                // A file that was found in the tree may not have been flushed by its writer.
                guard let found = record.file(kind), found != earlier?.file(kind) else { continue }
                try flushInPlace(found.path)
            }
            let isReplaced = try archiveFiles(replacedBy: files, of: record, after: earlier)
            let draft = try store.draft("\(day).record.part")
            try draft.write(record.json.document)
            try draft.stage(in: staging, as: stagedRecord)
            // From here on, files of the earlier record are replaced, so that the staged ones must survive a power cut.
            // mutation test: staging-sync
            if isReplaced || earlier != nil { try staging.flush() }
        } catch {
            discard()
            throw error
        }
        do {
            try finish(record, after: earlier)
        } catch {
            // Even if this succeeds, the error is thrown, because the disk may be failing.
            try? resume()
            throw error
        }
    }

    /// Gives the files that will be replaced, and their earlier record, a second name in `previous/`.
    ///
    /// A file that does not have its recorded contents is moved to `damaged/` instead.
    ///
    /// - Returns: Whether any file got a name in `previous/`.
    private func archiveFiles(
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
        // A record without a picture and a video is not worth keeping in the history of the day.
        if let earlier, earlier.noPicture == nil, isReplaced || earlier.revision < record.revision {
            _ = try store.archive(recordPath, of: day, label: "r\(earlier.revision) ")
        }
        return isReplaced
    }

    // MARK: Staged files

    /// Whether a staged file has such a name: `2026-11-20 picture`, `2026-11-20 video` or `2026-11-20.json`.
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

    /// Removes the staged files; after an error, the next ``resume()`` removes them.
    func discard() {
        for kind in DayRecord.FileKind.allCases { try? staging.remove(staged(kind)) }
        try? staging.remove(stagedRecord)
    }

    // MARK: Finishing

    /// Deletes the thumbnail and the rendition of the earlier picture, which views then make again.
    ///
    /// The rendition is deleted even if the picture stays the same, because it may have been made from damaged bytes.
    private func deleteViewFiles(of record: DayRecord, after earlier: DayRecord?) {
        // A new day has neither of the two, and need not read the tables of the views.
        let mayHaveFiles = [Rendition.path(of: day), Layout.thumbnail(of: day)].contains {
            (try? store.tree.exists($0)) != false
        }
        guard earlier != nil || mayHaveFiles else { return }
        store.deleteViewFile(Rendition.path(of: day), of: .renditions)
        // mutation test: old-thumbnail
        if record.picture?.sha256 != earlier?.picture?.sha256 {
            store.deleteViewFile(Layout.thumbnail(of: day), of: .thumbnails)
        }
    }

    /// Gives the staged files their final names, the record last; may be repeated after an interruption.
    private func finish(_ record: DayRecord, after earlier: DayRecord?) throws(SystemError) {
        for kind in DayRecord.FileKind.allCases {
            guard let file = record.file(kind), try staging.status(staged(kind)) != nil else {
                continue
            }
            if kind == .picture { deleteViewFiles(of: record, after: earlier) }
            try publishStaged(kind, as: file, after: earlier)
        }
        // Only the publication that removes the files deletes them. A later edit of the record keeps its `previous/`.
        if record.removed != nil, earlier?.removed == nil {
            try deleteFilesMarkedAsRemoved(in: record)
        }
        // If the type of the picture has changed, links of favorites lead to the old path.
        if record.removed == nil, let old = earlier?.picture, let new = record.picture?.path,
            old.path != new
        {
            try store.replaceByLink(old.file, to: Layout.split(new).name, of: day)
        }
        // The page is deleted just before the record is replaced, because the earlier record names it until then.
        if let earlier, record.page == nil { try store.removeRedirectPage(of: earlier) }
        let folder = try root.makeDirectory(Layout.folder(Layout.metadata, of: day))
        // If no earlier record could be read, an item at its path is damaged. A person's keys in it are in the staged record.
        if earlier == nil { try store.moveDamaged(recordPath, of: day) }
        // NASA has sent the bytes of the imported picture, which changes no file.
        if earlier?.picture?.isImported == true, record.picture?.isImported == false {
            store.checkedMonths.forget(Month(of: day), in: store)
        }
        // Renamed in one step, because no later process would look for a record under a hidden name in that folder.
        try staging.rename(stagedRecord, to: folder, as: stagedRecord)
        try folder.flush()
    }

    /// Gives the staged picture or video its final name.
    ///
    /// A file of the mirror is replaced atomically, so that readers always find a picture. If the name is free, and a person
    /// uses it at this moment, this throws, and ``resume()`` moves the person's file away.
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

    /// Moves an item at the path of `file` away, if replacing it would lose it; returns whether the path is free then.
    ///
    /// The file of the earlier record is in `previous/` already if it has its recorded contents. Otherwise, it is moved to
    /// `damaged/`. A file that a person has put there after the path was chosen is moved to `aside/`.
    private func makeRoom(
        for file: RecordedFile, replacing earlier: RecordedFile?
    ) throws(SystemError) -> Bool {
        try store.moveNonFile(at: file.path, of: day)
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
        // If the staged record is cut off, no file has been replaced yet. If it is older, its publication was finished.
        guard let record = DayRecord(bytes, of: day), record.revision >= earlier?.revision ?? 0
        else { return discard() }
        // mutation test: take-back
        try takeBack(record)
        if try canFinish(record, after: earlier) {
            try finish(record, after: earlier)
        } else {
            try rollBack(record, to: earlier)
        }
        // After a power cut, a file may have both names, and rename(2) from one to the other does nothing.
        discard()
        try staging.flush()
    }

    /// Stages the files again that a killed process left under a hidden name in their final folder.
    private func takeBack(_ record: DayRecord) throws(SystemError) {
        for kind in DayRecord.FileKind.allCases {
            guard let file = record.file(kind) else { continue }
            let waiting = Directory.waitingPath(for: file.path)
            try ifPresent(root.rename(waiting, to: staging, as: staged(kind)))
        }
    }

    /// Whether each file that `record` names is staged or has its final name already, so that the publication can go on.
    ///
    /// Flushes each file, because the killed process may not have done it. If a flush fails, the file is moved to `damaged/`,
    /// or discarded: the disk has lost bytes of it, and a second flush would succeed nevertheless, see fsync(2).
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
        } catch  where error.isFailedFlush {
            return false
        }
    }

    /// Flushes a file that has its final name; if the disk has lost bytes of the file, moves it to `damaged/`.
    private func flushInPlace(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try root.flush(path)
        } catch {
            if error.isFailedFlush { try? store.moveDamaged(path, of: day) }
            throw error
        }
    }

    /// Gives the tree the files of the record `earlier` again, after `record` was published incompletely.
    ///
    /// Replaced files are restored from `previous/`. A file of `record` at another path is moved to `previous/`, or to
    /// `aside/` if it may be a person's. A picture or video that `earlier` did not have stays, and the next sync may use it.
    private func rollBack(_ record: DayRecord, to earlier: DayRecord?) throws(SystemError) {
        for kind in DayRecord.FileKind.allCases {
            guard let old = earlier?.file(kind) else { continue }
            if try root.hasContents(of: old, at: old.path) != true {
                try store.restorePrevious(old, inPlaceOf: record.file(kind), of: day)
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
