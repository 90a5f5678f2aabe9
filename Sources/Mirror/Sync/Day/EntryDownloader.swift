internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// Downloads one day: its picture or poster, its video with `--videos`, then publishes both with the record.
struct EntryDownloader: Sendable {
    let synchronizer: Synchronizer
    let entry: Entry
    /// Whether missing files of a complete day are downloaded.
    var isDue = true
    /// Whether only edits of the text are recorded, because retention removed the picture.
    var isTextOnly = false
    /// Whether files of the day may be damaged, so that they are read.
    var isSuspect = false
    /// The classic mirrors from which a picture that NASA lost may be requested now.
    var mirrors: [ClassicMirror] = []
    /// Called, perhaps several times, once the day needs no slot: its files are here, or come too slowly.
    var releaseSlot: @Sendable () -> Void = {}
    /// The hosts that did not answer in this sync.
    var hosts = HostFailures()
    let mirrorsRequested = Monitor(false)

    var store: Store { synchronizer.store }

    /// Updates the tree with the entry.
    ///
    /// Blocks a thread, never the caller's actor, while it waits for the disk: no day delays another.
    @concurrent func update() async -> EntryOutcome {
        let result: EntryOutcome.Result
        do {
            // First finish an interrupted publication, so that record and files agree.
            try DayPublisher(store: store, day: entry.day).resume()
            let earlier =
                try isSuspect ? store.validRecord(of: entry.day) : store.record(of: entry.day)
            result =
                isTextOnly && earlier?.removed == nil
                ? .unchanged : try await update(earlier)
        } catch {
            result = EntryOutcome.Result(error, isDiskFull: { isFull })
        }
        return EntryOutcome(
            entry.day, title: entry.title, modified: entry.modified, didRequestFiles: isDue,
            mirrorsRequested: mirrorsRequested.withLock(\.self), result)
    }

    /// Whether not even a small file can be written, so that the disk is full for all days.
    private var isFull: Bool {
        do throws(SystemError) {
            try store.checkFreeSpace()
            try store.testWrite()
            return false
        } catch {
            return error.isNoSpace
        }
    }

    private func update(_ earlier: DayRecord?) async throws -> EntryOutcome.Result {
        async let foundPicture = picture(after: earlier)
        async let foundVideo = video(after: earlier)
        // Everything is downloaded before anything is published.
        let (picture, video) = (try await foundPicture, try await foundVideo)
        releaseSlot()
        // The problem of a cancelled download says nothing; finished downloads are published.
        if picture.problem != nil || video.problem != nil { try Task.checkCancellation() }

        var record = try newRecord(with: picture, video, after: earlier)
        let isMissing = record.mediaPath == nil
        let problem =
            isMissing
            ? video.problem ?? picture.problem.map(withoutStill) ?? noMedia
            : picture.problem ?? video.problem
        if isMissing, let problem {
            record.missing = MissingRecord(
                reason: problem.reason, since: earlier?.missing?.since ?? synchronizer.now())
        }
        // While NASA cannot be reached, a new day has no page in place of its picture.
        if record.video != nil || earlier?.page != nil || problem?.cause.isTransient != true {
            record.page = try store.publishRedirectPage(of: record, after: earlier)
        }
        let revised = record.revised(from: earlier, at: synchronizer.now())
        var files: [DayRecord.FileKind: DownloadedFile] = [:]
        files[.picture] = picture.file
        files[.video] = video.file
        // A file that was missing or damaged is published also if the record stays the same.
        if let published = revised ?? (files.isEmpty ? nil : record) {
            try DayPublisher(store: store, day: entry.day).publish(published, files, after: earlier)
            if picture.file != nil { store.removeAdopted(of: entry.day) }
            // A picture that was found in the tree may have lost them.
            if earlier?.picture == nil, picture.file == nil {
                store.setMissingAttributes(of: published)
            }
        }
        if let problem {
            return .incomplete(
                isMissing ? problem.cause : .partial, reason: problem.reason, record: revised)
        }
        let wasMissing = earlier?.mediaPath == nil
        guard wasMissing || !files.isEmpty, let path = record.mediaPath else {
            return revised?.isSameEntry(as: earlier) ?? true ? .unchanged : .edited
        }
        let bytes = files.values.map(\.received).saturatingSum()
        let isEdit = earlier.map { (revised?.revision ?? 0) > $0.revision } ?? false
        return .downloaded(path: path, bytes: bytes, isEdit: isEdit)
    }

    /// The record of the entry with what was found; other files stay as they were recorded.
    private func newRecord(
        with picture: Found<PictureRecord>, _ video: Found<VideoRecord>, after earlier: DayRecord?
    ) throws -> DayRecord {
        var record = DayRecord(entry, after: earlier)
        if earlier == nil {
            record.unknown = store.unknownKeys(of: entry.day)
            // The history of a lost record goes on.
            record.revision = try store.archivedRevision(of: entry.day).addingSaturating(1)
        }
        record.picture = picture.record ?? record.picture
        record.video = video.record ?? record.video
        // A later sync must see that the files were not requested since NASA changed the article.
        if let earlier, !isDue || picture.problem != nil || video.problem != nil {
            record.modified = earlier.modified
        }
        return record
    }

    private var noMedia: Problem {
        if let video = entry.media.video {
            return Problem(cause: .noImage, reason: "a video without a still image: \(video)")
        }
        guard entry.mediaType == "image" else {
            return Problem(
                cause: .noImage, reason: "no picture: NASA's media type is “\(entry.mediaType)”")
        }
        return Problem(
            cause: .lost, reason: "NASA has no picture for this day, or only a placeholder")
    }

    /// The problem of a still image, as that of a day that has its video at least, at NASA or elsewhere.
    private func withoutStill(_ problem: Problem) -> Problem {
        guard entry.media.video != nil, problem.cause != .localError else { return problem }
        return Problem(
            cause: .noStill, reason: "a video whose still image is not here: \(problem.reason)")
    }

    /// The result for one file; without any value, the file stays as it is.
    struct Found<Record: Sendable>: Sendable {
        var record: Record?
        /// The file to publish; `nil` if it is in the tree.
        var file: DownloadedFile?
        var problem: Problem?
    }

    /// Why a file is missing, or not the one that NASA announces.
    struct Problem: Error, Sendable {
        var cause: RetryState.Cause
        var reason: String
        /// Whether NASA says that it does not have the file.
        var isAbsence = false
    }

    // MARK: The video

    private func video(after earlier: DayRecord?) async throws -> Found<VideoRecord> {
        guard entry.media.videoIsFile, let address = entry.media.video else { return Found() }
        let file = earlier?.file(.video)
        let downloadsVideos = synchronizer.options.downloadsVideos
        var isDamaged = false
        if isSuspect, let file { isDamaged = try !store.tree.isIntact(file, isRead: true) }
        var known: FileVersion?
        if !isDamaged, let earlier, let video = earlier.video, let path = video.path,
            try store.tree.exists(path)
        {
            if video.url == address { known = video.version }
            // Without a version, each change of the article would download a large file.
            let mayBeOther = video.url != address || known != nil && earlier.isChanged(in: entry)
            guard downloadsVideos, isDue, mayBeOther else { return Found() }
        } else if earlier?.video?.path == nil, let video = try store.unrecordedVideo(of: entry) {
            return Found(record: video)
        }
        let isNew = earlier?.picture == nil && earlier?.removed == nil
        // A video that was damaged or lost is downloaded again, also without `--videos`.
        let isAllowed = downloadsVideos || isSuspect && file != nil
        guard isAllowed, isDue || isNew else { return Found() }
        do {
            return try await video(at: address, unless: known, after: earlier)
        } catch let problem as Problem {
            return Found(problem: problem)
        }
    }

    private func video(
        at address: String, unless known: FileVersion?, after earlier: DayRecord?
    ) async throws -> Found<VideoRecord> {
        guard
            let (file, result, header) = try await download(
                address, as: "\(entry.day).video.part", unless: known)
        else { return Found() }
        guard header.type == .mp4 else {
            throw Problem(
                cause: .unusable, reason: "\(address) is not an MP4 video")
        }
        let video = VideoRecord(
            url: address,
            path: try store.freePath(
                of: entry, .mp4, replacing: earlier?.video?.path, isRecorded: earlier != nil),
            bytes: result.bytes, sha256: result.sha256, etag: result.etag,
            lastModified: result.lastModified)
        let isSame = known != nil && video.sha256 == earlier?.video?.sha256
        return Found(record: video, file: isSame ? nil : file)
    }

    // MARK: Transfer

    /// Downloads one file into `incoming/`, and checks its header and its end.
    ///
    /// - Returns: `nil` if NASA's file still has the version `known`.
    /// - Throws: ``Problem``, `CancellationError`, or an error of this machine.
    func download(
        _ address: String, as name: String, unless known: FileVersion?
    ) async throws -> (file: DownloadedFile, result: DownloadResult, header: MediaHeader)? {
        let draft = try store.draft(name)
        try store.checkFreeSpace(for: 1)
        let heartbeat = Heartbeat.current
        let result: DownloadResult
        do {
            try hosts.check(address)
            result = try await synchronizer.client.download(
                address, into: draft.file, limit: Layout.largestFile, unless: known,
                space: store.space,
                progress: { bytes in
                    heartbeat?.signal()
                    hosts.recordAnswer(from: address)
                    synchronizer.traffic.withLock { $0 += bytes }
                },
                whenSlow: releaseSlot)
        } catch {
            hosts.record(error, of: address)
            if case .notModified = error { return nil }
            throw try Problem(error, of: address)
        }
        let header: MediaHeader
        do {
            header = try MediaHeader(reading: draft.file)
            // mutation test: media-end
            try header.checkEnd(of: draft.file)
        } catch {
            synchronizer.client.metrics.add(.unusable)
            throw Problem(cause: .unusable, reason: "\(address) is \(error)")
        }
        let file = DownloadedFile(draft, from: result.address, received: result.bytes)
        return (file, result, header)
    }
}
