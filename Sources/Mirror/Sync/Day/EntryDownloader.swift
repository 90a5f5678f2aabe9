internal import APOD
internal import Platform
internal import Transfer

/// Downloads the files of one day, checks them, and publishes them with the record of the day.
///
/// A ``SyncRound`` makes one for each *entry* that it takes from NASA's lists: the title, the text and the addresses of a day.
/// After an error or a cancellation, the day is as it was or completely updated, or ``DayPublisher/resume()`` later makes it so.
/// The error becomes a part of the ``EntryOutcome``.
///
/// This file has the order of the steps. ``PictureDownload`` and ``VideoDownload`` decide which addresses are requested, each by a
/// ``FileDownload``. ``DayPublication`` makes the new record, and publishes it with the files.
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
        var file: IncomingFile?
        /// Why the file is missing, or differs from what NASA announces; `nil` if it is as announced.
        var problem: DayProblem?

        static var unchanged: Self { Self() }
    }

    // MARK: The sync

    let synchronizer: Synchronizer
    let hostFailures: HostFailures<Day>
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
    /// What is known so far, to which each step adds what it has done, so that it is reported even after an error.
    let outcome: SharedValue<EntryOutcome>

    var store: Store { synchronizer.store }

    // MARK: The steps

    /// Updates the tree with the entry; a wait for the disk blocks a thread, but not the ``SyncRound``.
    @concurrent func update() async -> EntryOutcome {
        let result: EntryOutcome.Result
        do {
            result = try await updateTree()
        } catch {
            result = EntryOutcome.Result(error, spaceObstacle: store.obstacleToPictures)
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
        let isRemoved = earlier?.removed != nil
        // Without a request for its files, a day that was not removed would be recorded as failed.
        if scope == .textOnly, !isRemoved { return .unchanged }

        // Both are downloaded before anything is published, one after the other, because a slot is for one transfer.
        let picture = try await downloadPicture(after: earlier)
        let video = try await VideoDownload(downloader: self, earlier: earlier).run()
        let publicationPermit = await exchangeSlotForPublicationPermit()
        defer { publicationPermit?.release() }
        // A cancellation is not recorded as a problem of the day.
        if picture.problem != nil || video.problem != nil { try Task.checkCancellation() }
        var publication = DayPublication(
            of: self, picture: picture, video: video, after: earlier)
        return try publication.run()
    }

    /// Waits until this day may be published, and only then lets the next download begin.
    ///
    /// A cancelled task gets no permit, and publishes its finished downloads without one.
    private func exchangeSlotForPublicationPermit() async -> AsyncSemaphore.Permit? {
        defer { slot.release() }
        return try? await synchronizer.downloads.publications.waitForPermit()
    }
}
