internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// Downloads the files of one day, checks them, and publishes them with the record of the day.
///
/// A ``SyncRound`` makes one for each entry that it takes from NASA's lists. This file has the order of the
/// work; extensions have the transfer of one file, and decide about the picture (or the poster of a video), the video,
/// and classic mirrors.
struct EntryDownloader: Sendable {
    /// Which files may be requested.
    enum Scope: Sendable {
        /// All that are missing, reduced, or perhaps replaced by NASA.
        case all
        /// Only a missing or damaged picture, and the video of a day without a picture: the retry is not due yet.
        case lost
        /// None: retention removed the day, and only edits of its text are recorded.
        case textOnly
    }

    let synchronizer: Synchronizer
    let entry: Entry
    var scope = Scope.all
    /// Whether a verification found damage, so that also a record is replaced that breaks a rule of the schema.
    var isSuspect = false
    /// The classic mirrors of APOD from which a picture that NASA lost may be requested now.
    var classicMirrors: [ClassicMirror] = []
    /// Released once the files are here, so that the next day begins.
    let slot: AsyncSemaphore.Permit
    /// The hosts that did not answer in this sync.
    var hosts = HostFailures()
    let progress = SharedValue(Progress())

    /// What the outcome says, also after an error, besides its result.
    struct Progress: Sendable {
        /// Whether a classic mirror was requested.
        var mirrorsRequested = false
        /// The route of the record, once that is published or need not change.
        var route: Route?
        /// Whether a record was published.
        var didPublish = false
    }

    var store: Store { synchronizer.store }

    /// Updates the tree with the entry; waiting for the disk blocks a thread, but not the ``SyncRound``.
    @concurrent func update() async -> EntryOutcome {
        let result: EntryOutcome.Result
        do {
            // First finish an interrupted publication, so that record and files agree.
            try DayPublisher(store: store, day: entry.day).resume()
            let earlier = try store.record(of: entry.day, mustBeValid: isSuspect)
            // Without files, a day that retention did not remove would be recorded as a failed download.
            result =
                scope == .textOnly && earlier?.removed == nil
                ? .unchanged : try await update(after: earlier)
        } catch {
            result = EntryOutcome.Result(error, spaceObstacle: { spaceObstacle })
        }
        let progress = progress.withLock(\.self)
        return EntryOutcome(
            entry.day, by: progress.route, title: entry.title, modified: entry.modified,
            didRequestFiles: scope == .all, mirrorsRequested: progress.mirrorsRequested,
            didPublish: progress.didPublish, entryProblems: entry.problems, result)
    }

    /// Why not even a small file can be written, so that the disk is full for all days; `nil` if one can.
    private var spaceObstacle: Obstacle? {
        do throws(SystemError) {
            if let obstacle = try store.spaceObstacle() { return obstacle }
            try store.testWrite()
            return nil
        } catch {
            return error.isNoSpace ? Obstacle(error) : nil
        }
    }

    private func update(after earlier: DayRecord?) async throws -> EntryOutcome.Result {
        // Everything is downloaded before anything is published, one file after the other: a slot is one transfer.
        let picture = try await updatePicture(after: earlier)
        let video = try await updateVideo(after: earlier)
        // A cancelled task publishes without.
        let publication = try? await synchronizer.downloads.publications.permit()
        defer { publication?.release() }
        slot.release()
        // The problem of a cancelled download says nothing; finished downloads are published.
        if picture.problem != nil || video.problem != nil { try Task.checkCancellation() }

        var record = try newRecord(with: picture, video, after: earlier)
        let lost = try lostFiles(of: record, picture, video)
        let isWithoutFiles = record.mediaPath == nil
        let problem =
            isWithoutFiles
            ? DayProblem(ofDayWithoutFiles: entry, picture: picture.problem, video: video.problem)
            : picture.problem ?? video.problem ?? problem(ofLost: lost, of: record)
        if isWithoutFiles, let problem {
            record.noPicture = NoPictureRecord(
                reason: problem.reason, since: earlier?.noPicture?.since ?? synchronizer.now())
        }
        // After a failure of the network the picture is expected soon: no redirect page takes its place.
        let isExpectedSoon =
            record.video == nil && earlier?.page == nil && problem?.cause.isTransient == true
        if !isExpectedSoon {
            // The page of an edited day gets the modification time of the new revision.
            let edited = record.revised(from: earlier, at: synchronizer.now()) ?? record
            record.page = try store.publishRedirectPage(of: edited, after: earlier)
        }

        let revised = record.revised(from: earlier, at: synchronizer.now())
        var files: [DayRecord.FileKind: DownloadedFile] = [:]
        files[.picture] = picture.file
        files[.video] = video.file
        try dropFilesInPlace(&files, of: record, after: earlier)
        // A file that was missing or damaged is published also if the record stays the same.
        if let published = revised ?? (files.isEmpty ? nil : record) {
            try publish(published, files, after: earlier)
        }
        progress.withLock { $0.route = record.route }

        if let problem {
            return lost.count < record.files.count ? .partial(problem) : .missing(problem)
        }
        return outcome(of: record, revised: revised, files, after: earlier)
    }

    /// The files of `record` that are neither here in their size nor downloaded now.
    private func lostFiles(
        of record: DayRecord, _ picture: FileUpdate<PictureRecord>,
        _ video: FileUpdate<VideoRecord>
    ) throws -> [RecordedFile] {
        try DayRecord.FileKind.allCases.compactMap { kind in
            let download = kind == .picture ? picture.file : video.file
            guard download == nil, let file = record.file(kind), try !store.tree.hasFile(file)
            else { return nil }
            return file
        }
    }

    /// The problem of `files`, which are lost here, and of which NASA's entry has no address any more; `nil` if there are
    /// none, or one of them was not to be requested.
    ///
    /// Without it, the day would be due in each sync, as nothing was tried that could fail.
    private func problem(ofLost files: [RecordedFile], of record: DayRecord) -> DayProblem? {
        guard !files.isEmpty, scope == .all || files.count == record.files.count else { return nil }
        return DayProblem(.lost, "its file is lost here, and NASA has none for this day any more")
    }

    /// Drops downloads whose new path has a file of the same contents, as after the loss of the record: that one becomes
    /// the file of the day.
    private func dropFilesInPlace(
        _ files: inout [DayRecord.FileKind: DownloadedFile], of record: DayRecord,
        after earlier: DayRecord?
    ) throws {
        for kind in files.keys {
            guard let file = record.file(kind), file.path != earlier?.file(kind)?.path,
                try store.tree.root.hasContents(of: file, at: file.path) == true
            else { continue }
            files[kind] = nil
        }
    }

    /// The outcome of an update without a problem; `revised` is the new record, `nil` if it has not changed.
    private func outcome(
        of record: DayRecord, revised: DayRecord?, _ files: [DayRecord.FileKind: DownloadedFile],
        after earlier: DayRecord?
    ) -> EntryOutcome.Result {
        let isNew = earlier?.mediaPath == nil
        guard isNew || !files.isEmpty, let path = record.mediaPath else {
            guard var revised else { return .unchanged }
            // Whether another address has a better picture is no edit.
            if let old = earlier?.picture {
                revised.picture?.isReduced = old.isReduced
                revised.picture?.origin = old.origin
            }
            return revised.hasSameContents(as: earlier) ? .unchanged : .edited
        }
        let bytes = files.values.map(\.received).saturatingSum()
        let isEdit =
            if let earlier, let revised { revised.revision > earlier.revision } else { false }
        return .downloaded(path: path, bytes: bytes, isEdit: isEdit)
    }

    /// The record of the entry with what was downloaded; other files stay as they were recorded.
    private func newRecord(
        with picture: FileUpdate<PictureRecord>, _ video: FileUpdate<VideoRecord>,
        after earlier: DayRecord?
    ) throws -> DayRecord {
        var record = DayRecord(entry, after: earlier)
        if earlier == nil {
            record.unknown = try store.unknownKeys(of: entry.day)
            // The history of a lost record goes on.
            record.revision = try store.archivedRevision(of: entry.day).addingSaturating(1)
        }
        record.picture = picture.record ?? record.picture
        record.video = video.record ?? record.video
        // A later sync must see that not all files were requested since NASA changed the article.
        if let earlier, scope != .all || picture.problem != nil || video.problem != nil {
            record.modified = earlier.modified
        }
        return record
    }

    private func publish(
        _ record: DayRecord, _ files: [DayRecord.FileKind: DownloadedFile],
        after earlier: DayRecord?
    ) throws {
        try DayPublisher(store: store, day: entry.day).publish(record, files, after: earlier)
        progress.withLock { $0.didPublish = true }
        if files[.picture] != nil || earlier?.picture == nil { store.removeAdopted(of: entry.day) }
        // A picture that was found in the tree may have lost its time.
        if earlier?.picture == nil, files[.picture] == nil { store.setMissingTimes(of: record) }
    }

    /// What changes for one file of the day.
    struct FileUpdate<Record: Sendable>: Sendable {
        /// The new part of the record; `nil` if the recorded one stays.
        var record: Record?
        /// The file to publish; `nil` if the tree has it already.
        var file: DownloadedFile?
        /// Why the file is missing, or not the one that NASA announces.
        var problem: DayProblem?

        static var unchanged: Self { Self() }
    }
}
