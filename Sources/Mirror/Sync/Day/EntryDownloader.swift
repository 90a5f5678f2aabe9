internal import APOD
internal import Platform
internal import Transfer

/// Downloads the files of one day, checks them, and publishes them with the record of the day.
///
/// A ``SyncRound`` makes one for each entry, the title, text and addresses of a day, that it takes from NASA's lists. An error
/// or a cancellation leaves the day as it was, or completely updated, and becomes a part of the ``EntryOutcome``.
///
/// This file has the order of the steps. Extensions download one file (+Transfer), decide about the video (+Video), and publish
/// what was downloaded (+Publication). ``PictureDownload`` decides about the picture.
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

    // MARK: The sync

    let synchronizer: Synchronizer
    /// The hosts that did not answer in this sync.
    let hostFailures: HostFailures
    /// The sites that may be asked now for a picture that NASA has lost; they have the web pages from before NASA's move.
    let classicMirrors: [ClassicMirror]
    /// The permit for this download, which is released when the files are downloaded, so that another download begins.
    let slot: AsyncSemaphore.Permit

    // MARK: The day

    let entry: Entry
    let scope: Scope
    /// Whether a verification found damage, so that a record which breaks a rule of the schema is replaced, too.
    let isDamaged: Bool
    /// Whether a picture in `adopted/` waited for the entry at the start of the sync.
    let hasAdoptedPicture: Bool

    /// What is known so far, which is reported even after an error; the steps, which follow each other, add what they do.
    let outcome: SharedValue<EntryOutcome>

    var store: Store { synchronizer.store }

    /// Updates the tree with the entry; a wait for the disk blocks a thread, but not the ``SyncRound``.
    @concurrent func update() async -> EntryOutcome {
        let result: EntryOutcome.Result
        do {
            result = try await updateTree()
        } catch {
            result = EntryOutcome.Result(error, spaceObstacle: { spaceObstacle })
        }
        return outcome.withLock { outcome in
            outcome.result = result
            return outcome
        }
    }

    private func updateTree() async throws -> EntryOutcome.Result {
        // An interrupted publication is finished first, so that record and files agree.
        try DayPublisher(store: store, day: entry.day).resume()
        let earlier = try store.record(of: entry.day, mustBeValid: isDamaged)
        if scope == .textOnly, earlier?.removed == nil {
            // The day was not removed, and would be recorded as failed without a request for its files.
            return .unchanged
        }
        // Both are downloaded before anything is published, one after the other, because a slot is for one transfer.
        let picture = try await downloadPicture(after: earlier)
        let video = try await downloadVideo(after: earlier)
        let publicationPermit = await exchangeSlotForPublicationPermit()
        defer { publicationPermit?.release() }
        // A cancellation is not recorded as a problem of the day.
        if picture.problem != nil || video.problem != nil { try Task.checkCancellation() }
        return try publish(picture, video, after: earlier)
    }

    /// Waits until this day may be published, and only then lets the next download begin.
    ///
    /// A cancelled task gets no permit, and publishes its finished downloads without one.
    private func exchangeSlotForPublicationPermit() async -> AsyncSemaphore.Permit? {
        defer { slot.release() }
        return try? await synchronizer.downloads.publications.permit()
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
}
