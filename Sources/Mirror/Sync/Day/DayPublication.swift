internal import APOD
internal import FoundationEssentials
internal import Platform

/// The last step of the download of a day: makes its new *record*, and publishes the record with the downloaded files.
///
/// The record is the JSON file with the texts of the day and the paths of its files. ``EntryDownloader`` makes one publication at
/// the end of its downloads, and calls ``run()`` once. What the tree has already is not published again. ``DayPublisher`` gives
/// the files their names in such an order that it can finish or roll back an interrupted publication.
struct DayPublication {
    /// What the mirror will have of the day.
    private enum Availability {
        /// All requested files are as NASA announces them. Other files may be lost, or removed by `--keep`.
        case withoutProblem
        /// A picture or video is here, and another file is missing, or a better one was expected.
        case partial(DayProblem)
        case missing(DayProblem)
    }

    private let downloader: EntryDownloader
    private let picture: EntryDownloader.FileUpdate<PictureRecord>
    private let video: EntryDownloader.FileUpdate<VideoRecord>
    /// The stored record; `nil` if there is none.
    private let earlier: DayRecord?
    /// The new record.
    private var record: DayRecord
    /// The downloaded files that are not in the tree yet.
    private var files: DayPublisher.Files

    private var store: Store { downloader.store }
    private var entry: Entry { downloader.entry }

    init(
        of downloader: EntryDownloader, picture: EntryDownloader.FileUpdate<PictureRecord>,
        video: EntryDownloader.FileUpdate<VideoRecord>, after earlier: DayRecord?
    ) {
        self.downloader = downloader
        self.picture = picture
        self.video = video
        self.earlier = earlier
        record = DayRecord(downloader.entry, after: earlier)
        files = [.picture: picture.file, .video: video.file].compactMapValues(\.self)
    }

    /// Makes the new record, and publishes what has changed; returns the result, and adds details to the downloader's outcome.
    ///
    /// By the files in the record, later steps add the reason why there are none, and the redirect page. Only then does the
    /// comparison with the stored record show whether anything has changed.
    mutating func run() throws -> EntryOutcome.Result {
        if earlier == nil { try continueLostRecord() }
        recordDownloads()
        let availability = try availability()
        if case .missing(let problem) = availability { recordIfWithoutFiles(problem) }
        if !isPictureExpectedSoon(availability) { try addRedirectPage() }
        let revised = record.revised(from: earlier, at: now)
        try dropFilesInTree()
        // A file that was missing or damaged is published even if the record stays the same.
        let needsPublication = revised != nil || !files.isEmpty
        if needsPublication { try publish(revised ?? record) }
        downloader.outcome.withLock { outcome in
            outcome.route = record.route
            outcome.didPublish = needsPublication
        }
        return result(availability, revised: revised)
    }

    private var now: Date { downloader.synchronizer.now() }

    // MARK: The new record

    /// Keeps what is left of a lost or damaged record: the keys of a person, and the number of its revisions in `previous/`.
    private mutating func continueLostRecord() throws {
        record.unknown = try store.unknownKeys(of: entry.day)
        record.revision = try store.archivedRevision(of: entry.day).addingSaturating(1)
    }

    /// Enters what the downloads have changed; a file that was not downloaded stays as it was recorded.
    private mutating func recordDownloads() {
        record.picture = picture.record ?? record.picture
        record.video = video.record ?? record.video
        // If a removed day comes back and no video was requested, its record no longer calls the video removed.
        let wasVideoRequested = video.record != nil || video.problem != nil
        if downloader.scope == .all, !wasVideoRequested { record.forgetRemovedVideo() }
        let hasFailed = picture.problem != nil || video.problem != nil
        let wereAllRequested = downloader.scope == .all && !hasFailed
        // With the old time of the article, a later sync knows that not all files were requested since NASA changed it.
        if let earlier, !wereAllRequested { record.modified = earlier.modified }
    }

    /// What the mirror will have of the day, by the problems of the requests and by the files in the tree.
    private func availability() throws -> Availability {
        guard record.mediaPath != nil else {
            return .missing(
                DayProblem(
                    ofDayWithoutFiles: entry, picture: picture.problem, video: video.problem))
        }
        let lostCount = try DayRecord.FileKind.allCases.count(where: isLost)
        let hasFiles = lostCount < record.files.count
        let wereLostFilesRequested = downloader.scope == .all || !hasFiles
        var problem = picture.problem ?? video.problem
        if problem == nil, lostCount > 0, wereLostFilesRequested {
            // Without a problem, the day would have no failure, and would be requested in each sync.
            problem = DayProblem(
                .lost, "its file is lost here, and NASA has none for this day any more",
                notNamedIn: entry)
        }
        guard let problem else { return .withoutProblem }
        return hasFiles ? .partial(problem) : .missing(problem)
    }

    /// Whether the file of the record is neither downloaded now, nor in the tree with its recorded size.
    private func isLost(_ kind: DayRecord.FileKind) throws -> Bool {
        guard files[kind] == nil, let file = record.file(kind) else { return false }
        return try !store.tree.hasFile(file)
    }

    /// Enters `problem` as the reason why the record names no file; the time from which on it names none stays the same.
    private mutating func recordIfWithoutFiles(_ problem: DayProblem) {
        guard record.mediaPath == nil else { return }
        let since = earlier?.noPicture?.since ?? now
        record.noPicture = NoPictureRecord(reason: problem.reason, since: since)
    }

    // MARK: Publishing

    /// Whether the network or this machine has failed at a day without files, whose picture may come with the next attempt.
    private func isPictureExpectedSoon(_ availability: Availability) -> Bool {
        guard case .missing(let problem) = availability else { return false }
        return problem.cause.isTransient && record.video == nil && earlier?.page == nil
    }

    /// Publishes the redirect page, which opens the video or NASA's article in a browser, and adds its path to the record.
    private mutating func addRedirectPage() throws {
        // The page of an edited day gets the time of the new revision, which still lacks the path of the page.
        let withoutPage = record.revised(from: earlier, at: now) ?? record
        record.setPage(try store.publishRedirectPage(of: withoutPage, after: earlier))
    }

    /// Drops the downloads whose contents are at their new path already: the record of the day was lost, but not its files.
    ///
    /// A file that keeps its path was requested because the one at the path is missing, damaged or replaced by NASA.
    private mutating func dropFilesInTree() throws {
        for kind in files.keys {
            guard let file = record.file(kind), file.path != earlier?.file(kind)?.path,
                try store.tree.root.hasContents(of: file, at: file.path)
            else { continue }
            files[kind] = nil
        }
    }

    /// Publishes `record` and the files; then the pictures in `adopted/`, which a person has imported, are of no use any more.
    private func publish(_ record: DayRecord) throws {
        try DayPublisher(store: store, day: entry.day).publish(record, files, after: earlier)
        // When the picture that the day had before came, `adopted/` was cleared. After an error, the next start tries it again.
        let mayHaveNewPicture = files[.picture] != nil || earlier?.picture == nil
        if mayHaveNewPicture { store.clearAdopted(of: entry.day, publishedWith: entry) }
        // A picture that was in the tree already may have another time.
        if earlier?.picture == nil, files[.picture] == nil { store.setMissingTimes(of: record) }
    }

    /// The result of the day; `revised` is the changed record, `nil` if it has not changed.
    private func result(
        _ availability: Availability, revised: DayRecord?
    ) -> EntryOutcome.Result {
        let isNewRevision = (revised ?? record).revision > record.revision
        let isNewDay = earlier?.mediaPath == nil
        let newPath = isNewDay || !files.isEmpty ? record.mediaPath : nil
        let bytes = files.values.map(\.received).saturatingSum()
        switch availability {
        case .missing(let problem): return .missing(problem)
        case .partial(let problem):
            return .partial(problem, bytes: newPath == nil ? nil : bytes, isEdit: isNewRevision)
        case .withoutProblem:
            if let newPath {
                return .downloaded(path: newPath, bytes: bytes, isEdit: isNewRevision)
            }
            // Without a new file, a day counts as edited if more has changed than times, routes, addresses and announced sizes.
            let hasNewContents = record.change(since: earlier) > .sourceOfPicture
            return hasNewContents ? .edited : .unchanged
        }
    }
}
