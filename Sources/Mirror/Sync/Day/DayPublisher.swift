internal import APOD
internal import JSON
internal import Platform

/// Publishes one day: gives its picture, its video and its *record* (the JSON file that names them) their final names.
///
/// ``EntryDownloader`` publishes each downloaded day in this way, and `--keep` publishes each removal. The steps are:
///
/// 1. All files are *staged*: they get names such as `2026-11-20 picture` and `2026-11-20.json` in `incoming/`.
/// 2. Each file in the tree that will be replaced gets a second name in `previous/`.
/// 3. The staged files are renamed into the tree, the record last. When the record has its name, the day is published.
///
/// After an interruption, ``resume()`` (+Resume) finishes the publication, or rolls it back if a staged file is missing.
///
/// For a new day, `incoming/` is not flushed, which saves one of five calls of fsync(2). So after a power cut, a picture may
/// be in the tree without a record. The next sync downloads the day again, and finds the same bytes at the path of the
/// picture.
struct DayPublisher {
    typealias Files = [DayRecord.FileKind: IncomingFile]

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
        _ record: DayRecord, _ files: Files = [:], after earlier: DayRecord?
    ) throws(SystemError) {
        defer { store.snapshots.recordChange(of: day) }
        do {
            try store.checkCanPublishRecord(of: day)
            try stageFiles(files, of: record, after: earlier)
            let hasArchived = try archiveFiles(replacedBy: files, of: record, after: earlier)
            try stageRecord(record)
            // From here on, files of the earlier record are replaced, so that the staged ones must survive a power cut.
            // mutation test: staging-sync (see Tests/Mutants)
            if hasArchived || earlier != nil { try staging.flush() }
        } catch {
            discard()
            throw error
        }
        do {
            try publishStagedFiles(of: record, after: earlier)
        } catch {
            // Even if this succeeds, the error is thrown, because the disk may be failing.
            try? resume()
            throw error
        }
    }

    // MARK: 1. Staging

    /// Whether a staged file has such a name: `2026-11-20 picture`, `2026-11-20 video` or `2026-11-20.json`.
    static func isStagedName(_ name: String) -> Bool {
        guard let day = FileName.day(of: name) else { return false }
        return name == Layout.recordName(of: day)
            || DayRecord.FileKind.allCases.contains { name == stagedName(of: $0, of: day) }
    }

    private static func stagedName(of kind: DayRecord.FileKind, of day: Day) -> String {
        "\(day) \(kind.rawValue)"
    }
    func staged(_ kind: DayRecord.FileKind) -> String { Self.stagedName(of: kind, of: day) }
    var stagedRecord: String { Layout.recordName(of: day) }
    private var recordPath: String { Layout.recordPath(of: day) }

    /// Stages `files`, and flushes the files that `record` names besides and the earlier record did not.
    private func stageFiles(
        _ files: Files, of record: DayRecord, after earlier: DayRecord?
    ) throws(SystemError) {
        for (kind, file) in files {
            file.draft.file.setModified(record.fileTime)
            try file.draft.stage(in: staging, as: staged(kind))
        }
        for kind in DayRecord.FileKind.allCases where files[kind] == nil {
            // A file that was found in the tree may not have been flushed by its writer.
            guard let found = record.file(kind), found != earlier?.file(kind) else { continue }
            try flushInPlace(found.path)
        }
    }

    private func stageRecord(_ record: DayRecord) throws(SystemError) {
        let draft = try store.makeDraft("\(day).record.part")
        try draft.write(record.json.document)
        try draft.stage(in: staging, as: stagedRecord)
    }

    /// Flushes a file that has its final name; if the disk has lost bytes of the file, moves it to `damaged/`, and throws.
    func flushInPlace(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try root.flush(path)
        } catch {
            if error.isFailedFlush { try? store.moveDamaged(path, of: day) }
            throw error
        }
    }

    /// Removes the staged files; after an error, the next ``resume()`` removes them.
    func discard() {
        for kind in DayRecord.FileKind.allCases { try? staging.remove(staged(kind)) }
        try? staging.remove(stagedRecord)
    }

    // MARK: 2. Archiving

    /// Gives the files that will be replaced, and their earlier record, a second name in `previous/`.
    ///
    /// - Returns: Whether any file got a name in `previous/`.
    private func archiveFiles(
        replacedBy files: Files, of record: DayRecord, after earlier: DayRecord?
    ) throws(SystemError) -> Bool {
        let earlierFiles = files.keys.compactMap { earlier?.file($0) }
        let newPaths = files.keys.compactMap { record.file($0)?.path }
        var paths = Set(newPaths + earlierFiles.map(\.path))
        for file in earlierFiles where try root.match(of: file, at: file.path) == .different {
            // Only files with their recorded contents belong into `previous/`.
            try store.moveDamaged(file.path, of: day)
            paths.remove(file.path)
        }
        var hasArchived = false
        // mutation test: archive-before-replace
        for path in paths.sorted() where try store.archive(path, of: day) {
            hasArchived = true
        }
        // A record without a picture and a video is not worth keeping in the history of the day.
        if let earlier, earlier.noPicture == nil, hasArchived || earlier.revision < record.revision
        {
            _ = try store.archive(recordPath, of: day, revision: earlier.revision)
        }
        return hasArchived
    }

    // MARK: 3. Renaming

    /// Gives the staged files their final names, the record last; may be repeated after an interruption.
    func publishStagedFiles(of record: DayRecord, after earlier: DayRecord?) throws(SystemError) {
        try store.checkCanPublishRecord(of: day)
        for kind in DayRecord.FileKind.allCases {
            guard let file = record.file(kind), try staging.status(staged(kind)) != nil else {
                continue
            }
            if kind == .picture { deleteViewFiles(of: record, after: earlier) }
            try publishStaged(kind, as: file, replacing: earlier?.file(kind))
        }
        // Deleted only when the removal is new: later, `previous/` may have files of the removed day that must stay.
        if record.removed != nil, earlier?.removed == nil {
            try deleteFilesMarkedAsRemoved(in: record)
        }
        try replaceMovedPictureByLink(record, after: earlier)
        // The page is deleted just before the record is replaced, because the earlier record names it until then.
        if let earlier, record.page == nil { try store.removeRedirectPage(of: earlier) }
        try publishStagedRecord(record, after: earlier)
    }

    /// Leaves a link at the old path of a picture whose type has changed, because links of favorites lead there.
    private func replaceMovedPictureByLink(
        _ record: DayRecord, after earlier: DayRecord?
    ) throws(SystemError) {
        guard record.removed == nil, let old = earlier?.picture, let new = record.picture?.path,
            old.path != new
        else { return }
        try store.replaceByLink(old.file, to: Layout.split(new).name, of: day)
    }

    /// Gives the staged picture or video its final name.
    ///
    /// A file of the mirror is replaced atomically, so that readers always find a picture. If the name is free, and a person
    /// uses it at this moment, this throws, and ``resume()`` moves the person's file away.
    private func publishStaged(
        _ kind: DayRecord.FileKind, as file: RecordedFile, replacing earlier: RecordedFile?
    ) throws(SystemError) {
        let (folderPath, name) = Layout.split(file.path)
        let folder = try root.makeDirectory(folderPath)
        switch try preparePath(of: file, replacing: earlier) {
        case .free: try staging.renameExclusive(staged(kind), to: folder, as: name)
        case .replaceable: try staging.renameVisibly(staged(kind), to: folder, as: name)
        }
        // mutation test: picture-before-record
        try folder.flush()
    }

    private enum PathState {
        case free
        /// A file is there that the mirror has elsewhere, too, so that it may be overwritten.
        case replaceable
    }

    /// Moves an item at the path of `file` away, if overwriting it would lose it; returns the state of the path after that.
    ///
    /// The file of the earlier record is in `previous/` already if it has its recorded contents. Otherwise, it is moved to
    /// `damaged/`. If the picture had this path before, what it left there is overwritten. A file that a person has put there
    /// after the path was chosen is moved to `aside/`.
    private func preparePath(
        of file: RecordedFile, replacing earlier: RecordedFile?
    ) throws(SystemError) -> PathState {
        guard try root.status(file.path) != nil else { return .free }
        if earlier?.path != file.path, try store.isEarlierName(file.path, of: day) {
            return .replaceable
        }
        try store.moveNonFile(at: file.path, of: day)
        guard try root.status(file.path) != nil else { return .free }
        if try root.hasContents(of: file, at: file.path) { return .replaceable }
        if let earlier, earlier.path == file.path {
            if try root.hasContents(of: earlier, at: file.path) { return .replaceable }
            try store.moveDamaged(file.path, of: day)
        } else {
            // mutation test: taken-name
            try store.moveForeignItem(at: file.path)
        }
        return try root.status(file.path) == nil ? .free : .replaceable
    }

    private func publishStagedRecord(
        _ record: DayRecord, after earlier: DayRecord?
    ) throws(SystemError) {
        let folder = try root.makeDirectory(Layout.folder(Layout.metadata, of: day))
        // If no earlier record could be read, an item at its path is damaged.
        if earlier == nil { try store.moveDamaged(recordPath, of: day) }
        // An imported picture became NASA's, because NASA has sent its bytes. No changed file makes a walk read this record.
        if earlier?.picture?.isImported == true, record.picture?.isImported == false {
            store.checkedMonths.removeAndSave(Month(of: day), in: store)
        }
        // Renamed in one step: only for a picture or a video, a later process looks for a hidden name beside the final one.
        try staging.rename(stagedRecord, to: folder, as: stagedRecord)
        try folder.flush()
    }

    /// Deletes the thumbnail and the rendition of the earlier picture, which views then make again.
    ///
    /// The rendition is deleted even if the picture stays the same, because it may have been made from damaged bytes.
    private func deleteViewFiles(of record: DayRecord, after earlier: DayRecord?) {
        let (rendition, thumbnail) = (Rendition.path(of: day), Layout.thumbnail(of: day))
        // A new day has neither of the two, and need not read the tables of the views.
        let isNewDay = earlier == nil && isMissing(rendition) && isMissing(thumbnail)
        guard !isNewDay else { return }
        store.deleteViewFile(rendition, of: .renditions)
        // mutation test: old-thumbnail
        if record.picture?.sha256 != earlier?.picture?.sha256 {
            store.deleteViewFile(thumbnail, of: .thumbnails)
        }
    }

    private func isMissing(_ path: String) -> Bool { (try? store.tree.exists(path)) == false }
}

/// A picture or video in `incoming/` that was downloaded, or imported by `adopt`, and checked, but is not published yet.
final class IncomingFile: Sendable {
    let draft: AtomicFile
    /// The number of bytes that came over the network; 0 for a picture that `adopt` imported.
    let received: Int

    init(_ draft: consuming AtomicFile, received: Int) {
        self.draft = draft
        self.received = received
    }
}
