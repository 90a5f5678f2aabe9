internal import APOD
internal import FoundationEssentials
internal import MediaFormat
internal import Platform
internal import Transfer

/// Downloads the files of one day, checks them, and publishes them with the record of the day.
///
/// A ``SyncRound`` makes one for each entry that it takes from NASA's lists. This file contains the order of the steps and
/// the download of the video. Extensions contain the transfer of one file, and the download of the picture.
struct EntryDownloader: Sendable {
    /// Which files may be requested.
    enum Scope: Sendable {
        /// All files that are missing, reduced, or perhaps replaced by NASA.
        case all
        /// Only the lost picture, or the lost video of a day without a picture, because other retries are not due yet.
        case lost
        /// No files, because `--keep` removed the day. Only edits of its text are recorded.
        case textOnly
    }

    /// What is to change for the picture or the video of the day.
    struct FileUpdate<Record: Sendable>: Sendable {
        /// The new part of the record; `nil` if that part stays as it is.
        var record: Record?
        /// The file to publish; `nil` if the right file is in the tree already.
        var file: DownloadedFile?
        /// Why the file is missing, or differs from what NASA announces; `nil` if it is as announced.
        var problem: DayProblem?

        static var unchanged: Self { Self() }
    }

    /// What has been done so far, which the outcome reports even after an error.
    struct Progress: Sendable {
        /// Whether the picture was requested from classic mirrors.
        var mirrorsRequested = false
        /// The route of the record, once the record is published or found to need no change; `nil` before that.
        var route: Route?
        var didPublish = false
    }

    let synchronizer: Synchronizer
    let entry: Entry
    let scope: Scope
    /// Whether a verification found damage, so that a record which breaks a rule of the schema is replaced, too.
    let isDamaged: Bool
    /// Whether a picture in `adopted/` waited for the entry at the start of the sync.
    let isAdopted: Bool
    /// The sites that may be asked now for a picture that NASA has lost; they have the web pages from before NASA's move.
    let classicMirrors: [ClassicMirror]
    /// The slot of this download, which is released when the files are downloaded, so that another download begins.
    let slot: AsyncSemaphore.Permit
    /// The hosts that did not answer in this sync.
    let hosts: HostFailures
    let progress = SharedValue(Progress())

    var store: Store { synchronizer.store }

    /// Updates the tree with the entry; a wait for the disk blocks a thread, but not the ``SyncRound``.
    @concurrent func update() async -> EntryOutcome {
        let result: EntryOutcome.Result
        do {
            // An interrupted publication is finished first, so that record and files agree.
            try DayPublisher(store: store, day: entry.day).resume()
            let earlier = try store.record(of: entry.day, mustBeValid: isDamaged)
            if scope == .textOnly, earlier?.removed == nil {
                // The day was not removed, and would be recorded as failed without a request for its files.
                result = .unchanged
            } else {
                result = try await update(after: earlier)
            }
        } catch {
            result = EntryOutcome.Result(error, spaceObstacle: { spaceObstacle })
        }
        let reached = progress.withLock(\.self)
        var outcome = EntryOutcome(
            entry.day, didRequestFiles: scope == .all, didPublish: reached.didPublish, result)
        outcome.route = reached.route
        outcome.mirrorsRequested = reached.mirrorsRequested
        outcome.title = entry.title
        outcome.modified = entry.modified
        outcome.entryProblems = entry.problems
        return outcome
    }

    /// Why the disk takes no file of any size; `nil` if it takes a small one.
    private var spaceObstacle: Obstacle? {
        do throws(SystemError) {
            if let obstacle = try store.spaceObstacle() { return obstacle }
            try store.testWrite()
            return nil
        } catch {
            return error.isNoSpace ? Obstacle(error) : nil
        }
    }

    /// Updates the tree; `earlier` is the stored record, `nil` if there is none.
    private func update(after earlier: DayRecord?) async throws -> EntryOutcome.Result {
        // Both are downloaded before anything is published, one after the other, because a slot is for one transfer.
        let picture = try await updatePicture(after: earlier)
        let video = try await updateVideo(after: earlier)
        // A cancelled task gets no permit, and publishes its finished downloads without one.
        let publication = try? await synchronizer.downloads.publications.permit()
        defer { publication?.release() }
        slot.release()
        // A cancellation is not recorded as a problem of the day.
        if picture.problem != nil || video.problem != nil { try Task.checkCancellation() }

        var record = try newRecord(with: picture, video, after: earlier)
        var files: [DayRecord.FileKind: DownloadedFile] = [:]
        files[.picture] = picture.file
        files[.video] = video.file
        let lostCount = try lostFileCount(of: record, besides: files)
        let isWithoutFiles = record.mediaPath == nil
        let problem =
            isWithoutFiles
            ? DayProblem(ofDayWithoutFiles: entry, picture: picture.problem, video: video.problem)
            : picture.problem ?? video.problem ?? problem(ofLost: lostCount, of: record)
        if isWithoutFiles, let problem {
            record.noPicture = NoPictureRecord(
                reason: problem.reason, since: earlier?.noPicture?.since ?? synchronizer.now())
        }
        // If the network failed, the picture is expected soon, and no redirect page is made for the time until then.
        let isExpectedSoon =
            record.video == nil && earlier?.page == nil && problem?.cause.isTransient == true
        if !isExpectedSoon {
            // The page of an edited day gets the modification time of the new revision.
            let edited = record.revised(from: earlier, at: synchronizer.now()) ?? record
            record.page = try store.publishRedirectPage(of: edited, after: earlier)
        }

        let revised = record.revised(from: earlier, at: synchronizer.now())
        try dropFilesInPlace(&files, of: record, after: earlier)
        // A file that was missing or damaged is published even if the record stays the same.
        if let published = revised ?? (files.isEmpty ? nil : record) {
            try publish(published, files, after: earlier)
        }
        progress.withLock { $0.route = record.route }

        if let problem {
            return lostCount < record.files.count ? .partial(problem) : .missing(problem)
        }
        return outcome(of: record, revised: revised, files, after: earlier)
    }

    // MARK: Steps of the update

    /// The record of the entry with the downloaded files; other files stay as they were recorded.
    private func newRecord(
        with picture: FileUpdate<PictureRecord>, _ video: FileUpdate<VideoRecord>,
        after earlier: DayRecord?
    ) throws -> DayRecord {
        var record = DayRecord(entry, after: earlier)
        if earlier == nil {
            record.unknown = try store.unknownKeys(of: entry.day)
            // The record may be lost, and its revisions continue after those in `previous/`.
            record.revision = try store.archivedRevision(of: entry.day).addingSaturating(1)
        }
        record.picture = picture.record ?? record.picture
        record.video = video.record ?? record.video
        // With the old time of the article, a later sync knows that not all files were requested since NASA changed it.
        if let earlier, scope != .all || picture.problem != nil || video.problem != nil {
            record.modified = earlier.modified
        }
        return record
    }

    /// How many files of `record` are neither downloaded now, nor in the tree with their recorded size.
    private func lostFileCount(
        of record: DayRecord, besides files: [DayRecord.FileKind: DownloadedFile]
    ) throws -> Int {
        try DayRecord.FileKind.allCases.count { kind in
            guard files[kind] == nil, let file = record.file(kind) else { return false }
            return try !store.tree.hasFile(file)
        }
    }

    /// The problem of lost files that NASA has no longer; `nil` if none is lost, or if one was not requested.
    ///
    /// Without this problem, the day would have no failure, and would be requested in each sync.
    private func problem(ofLost count: Int, of record: DayRecord) -> DayProblem? {
        guard count > 0, scope == .all || count == record.files.count else { return nil }
        return DayProblem(.lost, "its file is lost here, and NASA has none for this day any more")
    }

    /// Drops the downloads that are in the tree already, at the path of `record`, as after the loss of an earlier record.
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

    private func publish(
        _ record: DayRecord, _ files: [DayRecord.FileKind: DownloadedFile],
        after earlier: DayRecord?
    ) throws {
        try DayPublisher(store: store, day: entry.day).publish(record, files, after: earlier)
        progress.withLock { $0.didPublish = true }
        if files[.picture] != nil || earlier?.picture == nil { store.removeAdopted(of: entry.day) }
        // A picture that was in the tree already may have another time.
        if earlier?.picture == nil, files[.picture] == nil { store.setMissingTimes(of: record) }
    }

    /// The outcome of an update without a problem; `revised` is the changed record, `nil` if it has not changed.
    private func outcome(
        of record: DayRecord, revised: DayRecord?, _ files: [DayRecord.FileKind: DownloadedFile],
        after earlier: DayRecord?
    ) -> EntryOutcome.Result {
        let isNew = earlier?.mediaPath == nil
        guard isNew || !files.isEmpty, let path = record.mediaPath else {
            guard var revised else { return .unchanged }
            // It is no edit if only the address of the same picture has changed, or whether NASA announces a larger one.
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

    // MARK: The video

    /// Downloads the video, if NASA has it as a file; for any other video, a redirect page is published later.
    ///
    /// With `--videos`, a missing video is downloaded, and one that NASA may have replaced. Without it, only a video that was
    /// downloaded before and is lost.
    private func updateVideo(after earlier: DayRecord?) async throws -> FileUpdate<VideoRecord> {
        guard scope != .textOnly, entry.media.videoIsFile, let address = entry.media.video else {
            return .unchanged
        }
        let downloadsVideos = synchronizer.options.downloadsVideos
        let file = earlier?.file(.video)
        var known: FileVersion?
        if let earlier, let video = earlier.video, let file, try store.tree.hasFile(file) {
            if video.url == address { known = video.version }
            // If the server names no version, each change of the article would download a large file again.
            let mayBeReplaced =
                video.url != address || (known != nil && earlier.isArticleModified(in: entry))
            guard downloadsVideos, scope == .all, mayBeReplaced else { return .unchanged }
        } else {
            let hasNoFile = earlier?.picture == nil && earlier?.removed == nil
            guard downloadsVideos || file != nil, scope == .all || hasNoFile else {
                return .unchanged
            }
        }
        do {
            return try await downloadVideo(at: address, unless: known, after: earlier)
        } catch let problem as DayProblem {
            return FileUpdate(problem: problem)
        }
    }

    /// Downloads the video at one address, unless it still has the version `known`.
    private func downloadVideo(
        at address: String, unless known: FileVersion?, after earlier: DayRecord?
    ) async throws -> FileUpdate<VideoRecord> {
        let name = UnfinishedDownloads.draft(of: entry.day, "video")
        guard
            let download = try await download(address, as: name, isVideo: true, unless: known)
        else { return .unchanged }
        let response = download.response
        var file = RecordedFile(path: "", bytes: response.bytes, sha256: response.sha256)
        file.path = try store.freePath(
            of: entry, download.header.type, for: file, after: earlier)
        let video = VideoRecord(
            url: address, file: file, etag: response.etag, lastModified: response.lastModified)
        let isSame = known != nil && file.sha256 == earlier?.video?.file?.sha256
        return FileUpdate(record: video, file: isSame ? nil : download.file)
    }
}
