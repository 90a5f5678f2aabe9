package import APOD
package import FoundationEssentials
package import Platform
package import Transfer

/// Brings the mirror up to date with NASA: ``sync(retry:reusesWalk:)`` downloads the missing days, newest first.
///
/// It has the settings and the downloads of all syncs. The work of one sync is in ``SyncRound``.
package struct Synchronizer: Sendable {
    package struct Options: Hashable, Sendable {
        /// How far back the mirror reaches; `nil` to download only favorites, and records that are lost.
        package var since: Since?
        /// The number of concurrent downloads of the backlog; ``transfers(jobs:)`` counts the others, too.
        package var jobs: Int
        package var downloadsVideos: Bool
        /// Whether older entries are requested again, to find edits: see ``RecheckWalk``.
        package var rechecks: Bool
        package var keep: Keep
        /// Other sites that have pictures which NASA lost, in the order of requests.
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

    let routes: FeedRoutes
    let client: Client
    let store: Store
    let options: Options
    let downloads: Downloads
    /// The favorites whose picture is missing, to be downloaded first.
    let missingFavorites: @Sendable () -> Set<Day>
    /// All favorites, which retention never removes.
    let favorites: @Sendable () throws -> Set<Day>
    /// The days with files that may be damaged, which are read, and downloaded again.
    let suspects: @Sendable () -> Set<Day>
    let now: @Sendable () -> Date
    /// When the program was built; an earlier clock is wrong.
    let built: Date
    /// The kind of obstacle that the last sync met; `nil` if it met none.
    private let lastObstacle = SharedValue(Obstacle.Kind?.none)

    /// `downloadDidEnd` is called when a download ends while no sync runs.
    package init(
        routes: FeedRoutes, client: Client, store: Store, options: Options,
        missingFavorites: @escaping @Sendable () -> Set<Day> = { [] },
        favorites: @escaping @Sendable () throws -> Set<Day> = { [] },
        suspects: @escaping @Sendable () -> Set<Day> = { [] },
        downloadDidEnd: @escaping @Sendable () -> Void = {},
        now: @escaping @Sendable () -> Date = { Date() }, built: Date = PlausibleDates.builtDate
    ) {
        self.routes = routes
        self.client = client
        self.store = store
        self.options = options
        downloads = Downloads(
            jobs: options.jobs, claims: store.claims, didEndLate: downloadDidEnd)
        self.missingFavorites = missingFavorites
        self.favorites = favorites
        self.suspects = suspects
        self.now = now
        self.built = built
    }

    /// How many files are downloaded at once, at most, with `jobs` for the backlog.
    package static func transfers(jobs: Int) -> Int { jobs + Downloads.slotsBesideBacklog }

    /// Syncs once; `retry` says which missing days are requested before they are due.
    ///
    /// With `reusesWalk`, the sync uses the snapshot that ``SnapshotOwner`` holds, if there is one, instead of a walk
    /// over the tree. Then it does not check the files of complete days that NASA has not edited.
    ///
    /// Each picture is reported as soon as it is published. A caller that drops the events cancels the sync and all
    /// downloads, which leaves no partial file. Only one sync may run at a time.
    package func sync(
        retry: SyncPlan.Retry = .due, reusesWalk: Bool = false
    ) -> SyncEvents {
        // The stream needs no bound, because there are one or two short events for each day and each failed request.
        let (events, continuation) = AsyncStream.makeStream(of: SyncEvent.self)
        let endRequest = CancellableContinuation()
        let work = Task(executorPreference: ThreadPoolExecutor.shared) {
            defer { continuation.finish() }
            return await runRound(retry, reusesWalk: reusesWalk, endingOn: endRequest) {
                continuation.yield($0)
            }
        }
        continuation.onTermination = { _ in work.cancel() }
        return SyncEvents(events: events, work: work, endRequest: endRequest)
    }

    /// Cancels the downloads that no sync waits for; complete ones are published.
    package func cancelDownloads() async { await downloads.cancel() }

    private func runRound(
        _ retry: SyncPlan.Retry, reusesWalk: Bool, endingOn endRequest: CancellableContinuation,
        report: @escaping @Sendable (SyncEvent) -> Void
    ) async -> SyncSummary {
        var summary = SyncSummary()
        do {
            // Old drafts are removed before the check, because they may be what fills the disk.
            let incoming = try store.incoming
            if downloads.days.isEmpty {
                store.tree.unfinishedDownloads.withLock { $0.collect(in: incoming) }
            }
            try checkDisk()
            let round = try SyncRound(
                self, retry: retry, reusesWalk: reusesWalk, endingOn: endRequest,
                report: report)
            summary = await round.run()
        } catch {
            let obstacle = error as? Obstacle ?? Obstacle(error)
            report(.problem(obstacle.text))
            summary.obstacle = obstacle
            summary.hasNews = lastObstacle.withLock { $0 != obstacle.kind }
            // A full disk may not take this, and `status` looks at its space itself.
            try? save(obstacle)
        }
        lastObstacle.withLock { $0 = summary.obstacle?.kind }
        return summary
    }

    package func checkIsInPlace() throws(TreeError) { try store.checkIsInPlace() }

    /// Writes an obstacle from before the first request into `state.json`, unless one of its kind is there.
    private func save(_ obstacle: Obstacle) throws {
        var state = try store.state()
        guard state.obstacle?.kind != obstacle.kind else { return }
        state.obstacle = obstacle
        try store.save(state)
    }

    /// Checks, before any request, that the disk takes another day.
    ///
    /// - Throws: ``Obstacle`` or ``SystemError``.
    private func checkDisk() throws {
        if let obstacle = try store.spaceObstacle() { throw obstacle }
        try store.checkPlaces(at: now())
        // After a full disk, a test file is written, because only a write shows whether a quota is used up.
        if lastObstacle.withLock({ $0 == .space }) { try store.testWrite() }
    }
}

/// An event of a sync, sent as soon as it happens.
package enum SyncEvent: Sendable {
    /// This many more days will be requested.
    case planned(days: Int)
    /// A day is finished with any outcome, or was removed by `--keep`.
    case day(EntryOutcome)
    /// A failure that concerns no single day.
    case problem(String)
    /// Something that a person should know before it happens. Each sync sends it until then.
    case notice(String)
}

/// The events of one sync, to be consumed once.
package struct SyncEvents: AsyncSequence, Sendable {
    package typealias Failure = Never

    let events: AsyncStream<SyncEvent>
    let work: Task<SyncSummary, Never>
    let endRequest: CancellableContinuation

    package func makeAsyncIterator() -> AsyncStream<SyncEvent>.Iterator {
        events.makeAsyncIterator()
    }

    /// Lets the sync end soon after NASA has answered; its downloads go on, and the next sync begins the other days.
    package func end() { endRequest.resume() }

    /// Waits until the sync has ended; cancellation makes it end soon.
    package func summary() async -> SyncSummary {
        await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            work.cancel()
        }
    }
}
