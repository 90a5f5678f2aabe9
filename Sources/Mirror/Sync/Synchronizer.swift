package import APOD
package import FoundationEssentials
package import Platform
package import Transfer

/// Downloads the days that are missing, newest first.
///
/// Every sync, at start, on schedule and on request, is a ``SyncRound``.
package struct Synchronizer: Sendable {
    package struct Options: Hashable, Sendable {
        /// How far back the mirror reaches; `nil` for favorites and days whose pictures are here alone.
        package var since: Since?
        /// The maximum number of concurrent downloads of pictures.
        package var jobs: Int
        package var downloadsVideos: Bool
        /// Whether days that are older than the newest list are requested again, a few lists a day.
        package var rechecks: Bool
        package var keep: Keep
        /// Where pictures are that NASA lost, in the order of requests.
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
    package let traffic = Monitor(0)

    package var transferMetrics: TransferMetrics { client.metrics }

    let feed: any Feed
    let client: Client
    let store: Store
    let options: Options
    /// The favorites that are missing in the mirror, to be downloaded first.
    let favorites: @Sendable () -> Set<Day>
    /// All favorites, which retention never removes.
    let protected: @Sendable () throws -> Set<Day>
    /// The days with files that may be damaged: these are read, and downloaded again.
    let suspects: @Sendable () -> Set<Day>
    let now: @Sendable () -> Date
    /// When the program was built: an earlier clock is wrong.
    let built: Date
    /// Whether the disk was full at the end of the last sync.
    let wasFull = Monitor(false)

    package init(
        feed: any Feed, client: Client, store: Store, options: Options,
        favorites: @escaping @Sendable () -> Set<Day> = { [] },
        protected: @escaping @Sendable () throws -> Set<Day> = { [] },
        suspects: @escaping @Sendable () -> Set<Day> = { [] },
        now: @escaping @Sendable () -> Date = { Date() }, built: Date = PlausibleDates.builtDate
    ) {
        self.feed = feed
        self.client = client
        self.store = store
        self.options = options
        self.favorites = favorites
        self.protected = protected
        self.suspects = suspects
        self.now = now
        self.built = built
    }

    /// Syncs once.
    ///
    /// Each picture is reported as soon as it is published. Dropping the events cancels the sync, which
    /// leaves no partial file. Once `isOver` returns true, the rest of the backlog is left to the next sync.
    package func sync(
        retry: SyncPlan.Retry = .due, until isOver: @escaping @Sendable () -> Bool = { false }
    ) -> SyncEvents {
        let (events, continuation) = AsyncStream.makeStream(of: SyncEvent.self)
        let work = Task(executorPreference: ThreadPoolExecutor.shared) {
            defer { continuation.finish() }
            do {
                try checkFreeSpace()
                let round = try SyncRound(self, retry: retry, until: isOver) {
                    continuation.yield($0)
                }
                let summary = await round.run()
                guard summary.isOutOfSpace, !Task.isCancelled else { return summary }
                // A large file, which is removed by now, may have filled the disk.
                wasFull.withLock { $0 = true }
                guard (try? checkFreeSpace()) != nil else { return summary }
                let second = try SyncRound(self, retry: .due, until: isOver) {
                    continuation.yield($0)
                }
                return await second.run().adding(summary)
            } catch {
                continuation.yield(.problem("\(error)"))
                var summary = SyncSummary()
                summary.obstacle = SyncSummary.Obstacle(error)
                return summary
            }
        }
        continuation.onTermination = { _ in work.cancel() }
        return SyncEvents(events: events, work: work)
    }

    /// Checks that the mirror is still at its path: see ``Tree/checkIsInPlace()``.
    package func checkIsInPlace() throws(TreeError) { try store.checkIsInPlace() }

    /// Checks for free disk space before any request.
    ///
    /// - Throws: ``SystemError``; `ENOSPC` if the disk counts as full.
    private func checkFreeSpace() throws {
        do {
            try store.checkFreeSpace()
            // Only a write shows whether a quota is used up.
            if wasFull.withLock(\.self) { try store.testWrite() }
            wasFull.withLock { $0 = false }
        } catch {
            if error.isNoSpace {
                transferMetrics.add(.noSpace)
                wasFull.withLock { $0 = true }
            }
            throw error
        }
    }
}
