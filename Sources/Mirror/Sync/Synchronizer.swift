package import APOD
package import FoundationEssentials
package import Platform
package import Transfer

/// Brings the mirror up to date with NASA: ``sync(retry:reusesWalk:until:)`` downloads the missing days, newest first.
///
/// It has the collaborators and settings of all syncs; the work of one sync is in ``SyncRound``.
package struct Synchronizer: Sendable {
    package struct Options: Hashable, Sendable {
        /// How far back the mirror reaches; `nil` to download only favorites, and records that are lost.
        package var since: Since?
        /// The maximum number of concurrent downloads of pictures.
        package var jobs: Int
        package var downloadsVideos: Bool
        /// Whether older entries are requested again in search of edits: see ``RecheckWalk``.
        package var rechecks: Bool
        package var keep: Keep
        /// Other sites with the pictures of APOD that NASA lost, in the order of requests.
        package var mirrors: [ClassicMirror]

        package init(
            since: Since? = .days(30), jobs: Int = 4, downloadsVideos: Bool = false,
            rechecks: Bool = true, keep: Keep = .all, mirrors: [ClassicMirror] = []
        ) {
            self.since = since
            self.jobs = jobs
            self.downloadsVideos = downloadsVideos
            self.rechecks = rechecks
            self.keep = keep
            self.mirrors = mirrors
        }
    }

    /// The bytes of pictures and videos received in all syncs, counted while they arrive.
    package let traffic = SharedValue(0)

    let feed: any Feed
    let client: Client
    let store: Store
    let options: Options
    /// The favorites whose picture is missing, to be downloaded first.
    let missingFavorites: @Sendable () -> Set<Day>
    /// All favorites, which retention never removes.
    let favorites: @Sendable () throws -> Set<Day>
    /// The days with files that may be damaged: these are read, and downloaded again.
    let suspects: @Sendable () -> Set<Day>
    /// The time of the clock.
    let now: @Sendable () -> Date
    /// When the program was built: an earlier clock is wrong.
    let built: Date
    /// Whether the disk was full at the end of the last sync.
    let wasFull = SharedValue(false)

    package init(
        feed: any Feed, client: Client, store: Store, options: Options,
        missingFavorites: @escaping @Sendable () -> Set<Day> = { [] },
        favorites: @escaping @Sendable () throws -> Set<Day> = { [] },
        suspects: @escaping @Sendable () -> Set<Day> = { [] },
        now: @escaping @Sendable () -> Date = { Date() }, built: Date = PlausibleDates.builtDate
    ) {
        self.feed = feed
        self.client = client
        self.store = store
        self.options = options
        self.missingFavorites = missingFavorites
        self.favorites = favorites
        self.suspects = suspects
        self.now = now
        self.built = built
    }

    /// Syncs once; `retry` says which missing days are requested before they are due.
    ///
    /// With `reusesWalk`, the sync begins with the snapshot that ``SnapshotOwner`` holds, if there is one, instead of a
    /// walk over the tree; then it does not check the files of complete days that NASA has not edited.
    ///
    /// Each picture is reported as soon as it is published. Dropping the events cancels the sync, which leaves no
    /// partial file. Once `isTimeOver` returns true, the rest of the backlog is left to the next sync.
    package func sync(
        retry: SyncPlan.Retry = .due, reusesWalk: Bool = false,
        until isTimeOver: @escaping @Sendable () -> Bool = { false }
    ) -> SyncEvents {
        // Bounded by the work: an event or two for each day and each failed request, all of them short.
        let (events, continuation) = AsyncStream.makeStream(of: SyncEvent.self)
        let work = Task(executorPreference: ThreadPoolExecutor.shared) {
            defer { continuation.finish() }
            return await runRound(retry, reusesWalk: reusesWalk, until: isTimeOver) {
                continuation.yield($0)
            }
        }
        continuation.onTermination = { _ in work.cancel() }
        return SyncEvents(events: events, work: work)
    }

    private func runRound(
        _ retry: SyncPlan.Retry, reusesWalk: Bool,
        until isTimeOver: @escaping @Sendable () -> Bool,
        report: @escaping @Sendable (SyncEvent) -> Void
    ) async -> SyncSummary {
        var summary = SyncSummary()
        do {
            try checkFreeSpace()
            let round = try SyncRound(
                self, retry: retry, reusesWalk: reusesWalk, until: isTimeOver, report: report)
            summary = await round.run()
        } catch {
            report(.problem("\(error)"))
            summary.obstacle = SyncSummary.Obstacle(error)
            summary.hasNews = true
        }
        if summary.isOutOfSpace { wasFull.withLock { $0 = true } }
        return summary
    }

    /// Checks that the mirror is still at its path: see ``Tree/checkIsInPlace()``.
    package func checkIsInPlace() throws(TreeError) { try store.checkIsInPlace() }

    /// Checks for free disk space before any request; after a full disk also by writing a test file.
    ///
    /// - Throws: ``SystemError``; `ENOSPC` if the disk counts as full.
    private func checkFreeSpace() throws(SystemError) {
        try store.checkFreeSpace()
        // Only a write shows whether a quota is used up.
        if wasFull.withLock(\.self) { try store.testWrite() }
        wasFull.withLock { $0 = false }
    }
}

/// An event of a sync, sent as soon as it happens.
package enum SyncEvent: Sendable {
    /// This many more days will be requested.
    case planned(days: Int)
    /// A day is finished: a planned one, with any outcome, or one that `--keep` removes.
    case day(EntryOutcome)
    /// A failure that concerns no single day.
    case problem(String)
}

/// The events of one sync, to be consumed once.
package struct SyncEvents: AsyncSequence, Sendable {
    package typealias Failure = Never

    let events: AsyncStream<SyncEvent>
    let work: Task<SyncSummary, Never>

    package func makeAsyncIterator() -> AsyncStream<SyncEvent>.Iterator {
        events.makeAsyncIterator()
    }

    /// Waits until the sync has ended; cancellation makes it end soon.
    package func summary() async -> SyncSummary {
        await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            work.cancel()
        }
    }
}
