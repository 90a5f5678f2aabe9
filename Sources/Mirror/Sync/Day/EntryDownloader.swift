internal import APOD
internal import FoundationEssentials
internal import MediaFormat
internal import Platform
internal import Transfer

/// Downloads the files of one day, checks them, and publishes them with the record of the day.
///
/// A ``SyncRound`` makes one for each entry that it takes from NASA's lists. This file has the order of the work and
/// the video; extensions have the transfer of one file, and the picture.
struct EntryDownloader: Sendable {
    /// Which files may be requested.
    enum Scope: Sendable {
        /// All that are missing, reduced, or perhaps replaced by NASA.
        case all
        /// Only a lost picture, or the lost video of a day without a picture: the retry of the day is not due yet.
        case lost
        /// None, because retention removed the day: only edits of its text are recorded.
        case textOnly
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

    /// What the outcome says besides its result, also after an error.
    struct Progress: Sendable {
        var mirrorsRequested = false
        /// The route of the record, once that is published or need not change.
        var route: Route?
        var didPublish = false
    }

    let synchronizer: Synchronizer
    let entry: Entry
    let scope: Scope
    /// Whether a verification found damage; then a record that breaks a rule of the schema is replaced, too.
    let isSuspect: Bool
    /// The classic mirrors of APOD that may be asked now for a picture that NASA lost.
    let classicMirrors: [ClassicMirror]
    /// Released once the files are downloaded, so that the next day begins.
    let slot: AsyncSemaphore.Permit
    /// The hosts that did not answer in this sync.
    let hosts: HostFailures
    let progress = SharedValue(Progress())

    var store: Store { synchronizer.store }

    /// Updates the tree with the entry; waiting for the disk blocks a thread, but not the ``SyncRound``.
    @concurrent func update() async -> EntryOutcome {
        let result: EntryOutcome.Result
        do {
            // An interrupted publication is finished first, so that record and files agree.
            try DayPublisher(store: store, day: entry.day).resume()
            let earlier = try store.record(of: entry.day, mustBeValid: isSuspect)
            if scope == .textOnly, earlier?.removed == nil {
                // Without files, the day would be recorded as a failed download.
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
        // Both are downloaded before anything is published, one after the other, because a slot is one transfer.
        let picture = try await updatePicture(after: earlier)
        let video = try await updateVideo(after: earlier)
        // A cancelled task gets no permit, and publishes without one.
        let publication = try? await synchronizer.downloads.publications.permit()
        defer { publication?.release() }
        slot.release()
        // A cancelled download is no problem of the day. Finished downloads are published.
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
        // After a failure of the network the picture is expected soon, and no redirect page takes its place.
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
        // The old time shows a later sync that not all files were requested since NASA changed the article.
        if let earlier, scope != .all || picture.problem != nil || video.problem != nil {
            record.modified = earlier.modified
        }
        return record
    }

    /// How many files of `record` are neither in the tree in their size nor downloaded now.
    private func lostFileCount(
        of record: DayRecord, besides files: [DayRecord.FileKind: DownloadedFile]
    ) throws -> Int {
        try DayRecord.FileKind.allCases.count { kind in
            guard files[kind] == nil, let file = record.file(kind) else { return false }
            return try !store.tree.hasFile(file)
        }
    }

    /// The problem of lost files that NASA does not have any more; `nil` if none is lost, or one was not requested.
    ///
    /// Without this problem, nothing would have failed, and the day would be due in each sync.
    private func problem(ofLost count: Int, of record: DayRecord) -> DayProblem? {
        guard count > 0, scope == .all || count == record.files.count else { return nil }
        return DayProblem(.lost, "its file is lost here, and NASA has none for this day any more")
    }

    /// Drops the downloads whose new path has a file of the same contents already, as after the loss of the record.
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
        // A picture that was found in the tree may have another time.
        if earlier?.picture == nil, files[.picture] == nil { store.setMissingTimes(of: record) }
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

    // MARK: The video

    /// Downloads the video if NASA has it as a file; a video elsewhere gets a redirect page.
    ///
    /// That is a missing video, or one that NASA replaced, with `--videos`; and without it only a lost one.
    private func updateVideo(after earlier: DayRecord?) async throws -> FileUpdate<VideoRecord> {
        guard scope != .textOnly, entry.media.videoIsFile, let address = entry.media.video else {
            return .unchanged
        }
        let downloadsVideos = synchronizer.options.downloadsVideos
        let file = earlier?.file(.video)
        var known: FileVersion?
        if let earlier, let video = earlier.video, let file, try store.tree.hasFile(file) {
            if video.url == address { known = video.version }
            // Without a known version, each change of the article would download a large file.
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
