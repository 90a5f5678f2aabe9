package import APOD
package import FoundationEssentials
package import Platform
package import Transfer

/// Brings the mirror up to date with NASA: each call of ``sync(retry:reusesWalk:)`` downloads the missing days, newest first.
///
/// The daemon has one for its whole life, and commands such as `adopt` make one for single days. It holds what all syncs
/// share: settings, running downloads, the clock. The steps of one sync are in ``SyncRound``.
package struct Synchronizer: Sendable {
    package struct Options: Hashable, Sendable {
        /// How far back the mirror reaches; `nil` for a sync of single days: favorites, damaged and adopted days.
        package var since: Since?
        /// How many older days are downloaded at the same time; other days have slots besides: see ``transfers(jobs:)``.
        package var jobs: Int
        package var downloadsVideos: Bool
        /// Whether older entries are requested again, to find edits: see ``RecheckWalk``.
        package var rechecks: Bool
        package var keep: Keep
        /// Sites of other institutions that have pictures which NASA has lost, in the order in which they are asked.
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

    /// The number of bytes of pictures and videos that all syncs have received, counted while they arrive.
    package let traffic = SharedValue(0)

    let routes: FeedRoutes
    let client: Client
    let store: Store
    let options: Options
    let downloads: Downloads
    /// Returns the favorites whose picture is missing, which are downloaded first.
    let wantedFavorites: @Sendable () -> Set<Day>
    /// Returns the favorites that the last scan of `favorites/` found, without reading a file.
    let scannedFavorites: @Sendable () -> Set<Day>
    /// Returns all favorites, which `--keep` never removes.
    let favorites: @Sendable () throws -> Set<Day>
    /// Returns the days with a file that a verification found damaged or missing, which are downloaded again.
    let damagedDays: @Sendable () -> Set<Day>
    let now: @Sendable () -> Date
    /// When the program was built; a clock that shows an earlier time is wrong.
    let built: Date
    /// The kind of the obstacle in the last sync; `nil` if it met none.
    let lastObstacle = SharedValue(Obstacle.Kind?.none)

    /// Prepares syncs; `downloadDidEnd` is called when a download ends while no sync runs, so that the next one may begin.
    package init(
        routes: FeedRoutes, client: Client, store: Store, options: Options,
        wantedFavorites: @escaping @Sendable () -> Set<Day> = { [] },
        scannedFavorites: @escaping @Sendable () -> Set<Day> = { [] },
        favorites: @escaping @Sendable () throws -> Set<Day> = { [] },
        damagedDays: @escaping @Sendable () -> Set<Day> = { [] },
        downloadDidEnd: @escaping @Sendable () -> Void = {},
        now: @escaping @Sendable () -> Date = { Date() }, built: Date = PlausibleDates.builtDate
    ) {
        self.routes = routes
        self.client = client
        self.store = store
        self.options = options
        downloads = Downloads(jobs: options.jobs, claims: store.claims, didEndLate: downloadDidEnd)
        self.wantedFavorites = wantedFavorites
        self.scannedFavorites = scannedFavorites
        self.favorites = favorites
        self.damagedDays = damagedDays
        self.now = now
        self.built = built
    }

    /// The most files that are downloaded at the same time: `jobs` for older days, and a few for other days.
    package static func transfers(jobs: Int) -> Int { jobs + Downloads.slotsBesideBacklog }

    /// Checks that the open directory of the mirror is still the one at its path.
    package func checkIsInPlace() throws(TreeError) { try store.checkIsInPlace() }

    // MARK: Syncs

    /// Syncs once; `retry` says which missing days are requested before they are due.
    ///
    /// If `reusesWalk`, the sync uses the snapshot of an earlier walk over the tree, if ``SnapshotOwner`` still has one. Then
    /// it may not notice what a person has changed since that walk.
    ///
    /// Each picture is reported as soon as it is published. A caller that drops the events cancels the sync and all
    /// downloads, which leaves no incomplete file. Only one sync may run at a time.
    package func sync(retry: SyncPlan.Retry = .due, reusesWalk: Bool = false) -> SyncEvents {
        // The stream needs no limit, because there are only one or two short events for each day and each failed request.
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

    /// Cancels all running downloads; those that are complete are still published.
    package func cancelDownloads() async { await downloads.cancel() }

    private func runRound(
        _ retry: SyncPlan.Retry, reusesWalk: Bool, endingOn endRequest: CancellableContinuation,
        report: @escaping @Sendable (SyncEvent) -> Void
    ) async -> SyncSummary {
        var summary: SyncSummary
        do {
            // The drafts of earlier processes are deleted before the check, because they may be what fills the disk.
            try deleteOldDrafts()
            try checkDisk(testsWrite: !reusesWalk)
            // The lack of space that has ended, such as a quota, may be why days have failed.
            let lackedSpace = lastObstacle.withLock { $0 == .space }
            let round = try SyncRound(
                self, retry: retry == .due && lackedSpace ? .transient : retry,
                reusesWalk: reusesWalk, endingOn: endRequest,
                report: report)
            summary = await round.run()
        } catch {
            let obstacle = error as? Obstacle ?? Obstacle(error)
            report(.problem(obstacle.text))
            summary = SyncSummary()
            summary.obstacle = obstacle
            // On a full disk, this may fail. The command `status` looks at the free space itself.
            try? save(obstacle)
        }
        lastObstacle.withLock { last in
            // After the end of an obstacle, others may write again what they could not write.
            if summary.obstacle?.kind != last { summary.hasNews = true }
            last = summary.obstacle?.kind
        }
        return summary
    }

    private func deleteOldDrafts() throws(SystemError) {
        let incoming = try store.incoming
        guard downloads.days.isEmpty else { return }
        store.tree.unfinishedDownloads.withLock { $0.collect(in: incoming) }
    }

    /// Writes an obstacle that was met before the first request into `state.json`, unless it has the same.
    ///
    /// Each lack of space is the same, because its text has the free space, of which `status` asks the disk.
    private func save(_ obstacle: Obstacle) throws {
        var state = try store.state()
        let earlier = state.obstacle
        guard
            earlier?.kind != obstacle.kind
                || obstacle.kind != .space && earlier?.text != obstacle.text
        else { return }
        state.obstacle = obstacle.following(earlier)
        try store.save(state)
    }

    /// Checks before any request that another day could be published.
    ///
    /// Only a write shows that a quota is used up, or that nobody may write after an error, as with “emergency_ro” of ext4. A
    /// test file is written if `testsWrite`, and after an obstacle of the disk. Other polls leave the disk asleep, and so do
    /// those that only wait for space. A lack of space is thrown last, because more space helps against nothing else.
    ///
    /// - Throws: ``Obstacle`` if not; ``SystemError`` if a test file cannot be written, or if the checks themselves fail.
    private func checkDisk(testsWrite: Bool) throws {
        try store.checkCanPublishSomeDay(at: now())
        let lackOfSpace = try store.spaceObstacle()
        let last = lastObstacle.withLock(\.self)
        // Only a quota is used up beside free space.
        let mayLackQuota = last == .space && lackOfSpace == nil
        if testsWrite || mayLackQuota || last == .disk {
            do throws(SystemError) {
                // Not always the larger size, because an obstacle of the disk may last for weeks, with a test every 15 minutes.
                try store.testWrite(mayLackQuota ? Store.spaceForPicture : Store.spaceForRecords)
            } catch {
                guard error.isNoSpace, let lackOfSpace else { throw error }
                throw lackOfSpace
            }
        }
        if let lackOfSpace { throw lackOfSpace }
    }
}
