internal import APOD
internal import Platform

/// Makes the new *record* of a day, the JSON with its texts and the paths of its files, and publishes it with the downloaded files.
///
/// ``EntryDownloader`` makes one at the end of its downloads. What the tree has already is not published again.
struct DayPublication {
    private let downloader: EntryDownloader
    /// The stored record; `nil` if there is none.
    private let earlier: DayRecord?
    private var record: DayRecord
    /// The downloaded files that are not in the tree yet.
    private var files: DayPublisher.Files = [:]
    /// Whether the mirror has at least one file of the record, with the downloaded ones.
    private var hasFiles = false
    /// Why a file of the day is missing, or differs from what NASA announces; `nil` if all are as announced.
    private var problem: DayProblem?

    private var store: Store { downloader.store }
    private var day: Day { downloader.entry.day }

    /// Decides what is published after the requests for the picture and the video, and changes nothing in the tree.
    init(
        of downloader: EntryDownloader, _ picture: EntryDownloader.FileUpdate<PictureRecord>,
        _ video: EntryDownloader.FileUpdate<VideoRecord>, after earlier: DayRecord?
    ) throws {
        self.downloader = downloader
        self.earlier = earlier
        record = DayRecord(downloader.entry, after: earlier)
        if earlier == nil {
            record.unknown = try store.unknownKeys(of: day)
            // The record may be lost, and its revisions continue after those in `previous/`.
            record.revision = try store.archivedRevision(of: day).addingSaturating(1)
        }
        // A file that was not downloaded stays as it was recorded.
        record.picture = picture.record ?? record.picture
        record.video = video.record ?? record.video
        files[.picture] = picture.file
        files[.video] = video.file
        let wereAllRequested =
            downloader.scope == .all && picture.problem == nil && video.problem == nil
        // With the old time of the article, a later sync knows that not all files were requested since NASA changed it.
        if let earlier, !wereAllRequested { record.modified = earlier.modified }
        try findProblem(picture: picture.problem, video: video.problem)
    }

    /// Finds out why a file is missing, or differs from what NASA announces, by the problems of the requests.
    private mutating func findProblem(picture: DayProblem?, video: DayProblem?) throws {
        let lostCount = try DayRecord.FileKind.allCases.count(where: isLost)
        hasFiles = lostCount < record.files.count
        let wereLostFilesRequested = downloader.scope == .all || !hasFiles
        if record.mediaPath == nil {
            let reason = DayProblem(
                ofDayWithoutFiles: downloader.entry, picture: picture, video: video)
            let since = earlier?.noPicture?.since ?? downloader.synchronizer.now()
            record.noPicture = NoPictureRecord(reason: reason.reason, since: since)
            problem = reason
        } else if let failure = picture ?? video {
            problem = failure
        } else if lostCount > 0, wereLostFilesRequested {
            // Without a problem, the day would have no failure, and would be requested in each sync.
            problem = DayProblem(
                .lost, "its file is lost here, and NASA has none for this day any more",
                notNamedIn: downloader.entry)
        }
    }

    /// Whether the file of the record is neither downloaded now, nor in the tree with its recorded size.
    private func isLost(_ kind: DayRecord.FileKind) throws -> Bool {
        guard files[kind] == nil, let file = record.file(kind) else { return false }
        return try !store.tree.hasFile(file)
    }

    // MARK: Publishing

    /// Publishes what has changed; returns the outcome of the day.
    mutating func run() throws -> EntryOutcome.Result {
        if !isPictureExpectedSoon { try addRedirectPage() }
        let revised = record.revised(from: earlier, at: downloader.synchronizer.now())
        try dropFilesInTree()
        // A file that was missing or damaged is published even if the record stays the same.
        if revised != nil || !files.isEmpty { try publish(revised ?? record) }
        downloader.outcome.withLock { $0.route = record.route }
        return outcome(revised: revised)
    }

    /// Whether the network has failed at a day without files: its picture may come with the next attempt.
    private var isPictureExpectedSoon: Bool {
        record.video == nil && earlier?.page == nil && problem?.cause.isTransient == true
    }

    /// Publishes the redirect page, which opens the video or NASA's article in a browser, and adds its path to the record.
    private mutating func addRedirectPage() throws {
        // The page of an edited day gets the modification time of the new revision.
        let revised = record.revised(from: earlier, at: downloader.synchronizer.now()) ?? record
        record.setPage(try store.publishRedirectPage(of: revised, after: earlier))
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

    private func publish(_ record: DayRecord) throws {
        try DayPublisher(store: store, day: day).publish(record, files, after: earlier)
        downloader.outcome.withLock { $0.didPublish = true }
        if files[.picture] != nil || earlier?.picture == nil {
            let unused = store.clearAdopted(of: day, publishedWith: downloader.entry)
            downloader.outcome.withLock { $0.unusedImports += unused }
        }
        // A picture that was in the tree already may have another time.
        if earlier?.picture == nil, files[.picture] == nil { store.setMissingTimes(of: record) }
    }

    // MARK: The outcome

    /// The outcome of the update; `revised` is the changed record, `nil` if it has not changed.
    private func outcome(revised: DayRecord?) -> EntryOutcome.Result {
        var isNewRevision = false
        if let earlier, let revised { isNewRevision = revised.revision > earlier.revision }
        let isNewDay = earlier?.mediaPath == nil
        let newPath = isNewDay || !files.isEmpty ? record.mediaPath : nil
        let bytes = files.values.map(\.received).saturatingSum()
        if let problem {
            guard hasFiles else { return .missing(problem) }
            return .partial(
                problem, bytes: newPath == nil ? nil : bytes, isEdit: isNewRevision)
        }
        if let newPath {
            return .downloaded(path: newPath, bytes: bytes, isEdit: isNewRevision)
        }
        guard let revised, isEdit(revised) else { return .unchanged }
        return .edited
    }

    /// Whether a changed record without new files is an edit by NASA.
    ///
    /// It is none if only the address of the same picture has changed, or whether NASA announces a larger one.
    private func isEdit(_ revised: DayRecord) -> Bool {
        var compared = revised
        if let old = earlier?.picture {
            compared.picture?.isReduced = old.isReduced
            compared.picture?.origin = old.origin
        }
        return !compared.hasSameContents(as: earlier)
    }
}
