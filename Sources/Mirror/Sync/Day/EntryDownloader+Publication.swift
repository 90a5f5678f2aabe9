internal import APOD
internal import Platform

/// The publication of what was downloaded for one day: the new record, the files, and the outcome for the sync.
extension EntryDownloader {
    typealias DownloadedFiles = [DayRecord.FileKind: DownloadedFile]

    /// Publishes the downloaded files with the new record, as far as they differ from what the tree has.
    ///
    /// `earlier` is the stored record; `nil` if there is none.
    func publish(
        _ picture: FileUpdate<PictureRecord>, _ video: FileUpdate<VideoRecord>,
        after earlier: DayRecord?
    ) throws -> EntryOutcome.Result {
        var record = try newRecord(with: picture, video, after: earlier)
        var files: DownloadedFiles = [:]
        files[.picture] = picture.file
        files[.video] = video.file
        let lostCount = try lostFileCount(of: record, besides: files)
        let problem = problem(
            of: record, picture: picture.problem, video: video.problem, lostCount: lostCount)
        if record.mediaPath == nil, let problem {
            record.noPicture = NoPictureRecord(
                reason: problem.reason, since: earlier?.noPicture?.since ?? synchronizer.now())
        }
        try addRedirectPage(to: &record, problem, after: earlier)

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

    // MARK: The record

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

    /// Publishes the redirect page, which opens the video or NASA's article in a browser, and adds its path to the record.
    private func addRedirectPage(
        to record: inout DayRecord, _ problem: DayProblem?, after earlier: DayRecord?
    ) throws {
        // If the network failed, the picture is expected soon, and no page is made for the time until then.
        let isExpectedSoon =
            record.video == nil && earlier?.page == nil && problem?.cause.isTransient == true
        guard !isExpectedSoon else { return }
        // The page of an edited day gets the modification time of the new revision.
        let edited = record.revised(from: earlier, at: synchronizer.now()) ?? record
        record.setPage(try store.publishRedirectPage(of: edited, after: earlier))
    }

    /// Why a file of the day is missing, or differs from what NASA announces; `nil` if all are as announced.
    private func problem(
        of record: DayRecord, picture: DayProblem?, video: DayProblem?, lostCount: Int
    ) -> DayProblem? {
        if record.mediaPath == nil {
            return DayProblem(ofDayWithoutFiles: entry, picture: picture, video: video)
        }
        if let problem = picture ?? video { return problem }
        let wereRequested = scope == .all || lostCount == record.files.count
        guard lostCount > 0, wereRequested else { return nil }
        // Without a problem, the day would have no failure, and would be requested in each sync.
        return DayProblem(.lost, "its file is lost here, and NASA has none for this day any more")
    }

    // MARK: The files

    /// How many files of `record` are neither downloaded now, nor in the tree with their recorded size.
    private func lostFileCount(
        of record: DayRecord, besides files: DownloadedFiles
    ) throws -> Int {
        try DayRecord.FileKind.allCases.count { kind in
            guard files[kind] == nil, let file = record.file(kind) else { return false }
            return try !store.tree.hasFile(file)
        }
    }

    /// Drops the downloads that are in the tree already, at the path of `record`, as after the loss of an earlier record.
    private func dropFilesInPlace(
        _ files: inout DownloadedFiles, of record: DayRecord, after earlier: DayRecord?
    ) throws {
        for kind in files.keys {
            guard let file = record.file(kind), file.path != earlier?.file(kind)?.path,
                try store.tree.root.hasContents(of: file, at: file.path)
            else { continue }
            files[kind] = nil
        }
    }

    private func publish(
        _ record: DayRecord, _ files: DownloadedFiles, after earlier: DayRecord?
    ) throws {
        try DayPublisher(store: store, day: entry.day).publish(record, files, after: earlier)
        progress.withLock { $0.didPublish = true }
        if files[.picture] != nil || earlier?.picture == nil {
            let unused = store.clearAdopted(of: entry.day, publishedWith: entry)
            progress.withLock { $0.unusedImports += unused }
        }
        // A picture that was in the tree already may have another time.
        if earlier?.picture == nil, files[.picture] == nil { store.setMissingTimes(of: record) }
    }

    // MARK: The outcome

    /// The outcome of an update without a problem; `revised` is the changed record, `nil` if it has not changed.
    private func outcome(
        of record: DayRecord, revised: DayRecord?, _ files: DownloadedFiles,
        after earlier: DayRecord?
    ) -> EntryOutcome.Result {
        let isNew = earlier?.mediaPath == nil
        guard isNew || !files.isEmpty, let path = record.mediaPath else {
            guard let revised, isEdit(revised, after: earlier) else { return .unchanged }
            return .edited
        }
        let bytes = files.values.map(\.received).saturatingSum()
        let isEdit =
            if let earlier, let revised { revised.revision > earlier.revision } else { false }
        return .downloaded(path: path, bytes: bytes, isEdit: isEdit)
    }

    /// Whether a changed record without new files is an edit by NASA.
    ///
    /// It is none if only the address of the same picture has changed, or whether NASA announces a larger one.
    private func isEdit(_ revised: DayRecord, after earlier: DayRecord?) -> Bool {
        var compared = revised
        if let old = earlier?.picture {
            compared.picture?.isReduced = old.isReduced
            compared.picture?.origin = old.origin
        }
        return !compared.hasSameContents(as: earlier)
    }
}
