package import APOD
package import FoundationEssentials
internal import Platform
package import Transfer

/// Makes the tree what it should be: asks NASA for what is wanted and not had, newest first.
///
/// One pass does the same whether the daemon starts, wakes or is told to: it looks at the tree, plans,
/// and carries the plan out.
package struct Synchronizer: Sendable {
    package struct Options: Hashable, Sendable {
        package var since: Since
        /// Pictures under way at once.
        package var jobs: Int
        package var keepsVideos: Bool

        package init(since: Since = .days(30), jobs: Int = 4, keepsVideos: Bool = false) {
            self.since = since
            self.jobs = jobs
            self.keepsVideos = keepsVideos
        }
    }

    /// The bytes of pictures and videos that arrived so far, in all passes.
    package let traffic = ByteCounter()

    /// What was asked for in all passes, and what went wrong.
    package var transferMetrics: TransferMetrics { client.metrics }

    let feed: any Feed
    let client: Client
    let hosts: HostBackoff
    let store: Store
    let options: Options
    let favorites: @Sendable () -> Set<Day>
    let now: @Sendable () -> Date
    let built: Date
    /// Whether the disk was full at the end of the last pass.
    let wasFull = Monitor(false)

    /// - Parameters:
    ///   - feed: Where entries come from.
    ///   - client: Where pictures come from.
    ///   - hosts: The hosts that asked the client for peace.
    ///   - store: Where all goes.
    ///   - options: What is wanted.
    ///   - favorites: Days that are wanted as well, and before all others.
    ///   - now: The time.
    ///   - built: When the program was built: a clock that is behind that is wrong.
    package init(
        feed: any Feed, client: Client, hosts: HostBackoff, store: Store, options: Options,
        favorites: @escaping @Sendable () -> Set<Day> = { [] },
        now: @escaping @Sendable () -> Date = { Date() }, built: Date = PlausibleDates.builtDate
    ) {
        self.feed = feed
        self.client = client
        self.hosts = hosts
        self.store = store
        self.options = options
        self.favorites = favorites
        self.now = now
        self.built = built
    }

    /// Looks once, and tells what happens as it happens.
    ///
    /// Each picture is told of as soon as it is on the disk, in the order of arrival. Dropping the
    /// events cancels the work, which leaves nothing half done.
    ///
    /// - Parameter retry: Which days need not wait until they are due.
    /// - Returns: What happens, to be consumed once.
    package func pass(retry: SyncPlan.Retry = .due) -> SyncEvents {
        let (events, continuation) = AsyncStream.makeStream(of: SyncEvent.self)
        let current = Monitor(SyncRound?.none)
        let work = Task(executorPreference: ThreadPoolExecutor.shared) {
            defer { continuation.finish() }
            do {
                try checkRoom()
                let pass = try SyncRound(self, retry: retry) { continuation.yield($0) }
                current.withLock { $0 = pass }
                // Whoever asked before.
                continuation.yield(.alive)
                let summary = await pass.run()
                guard summary.isOutOfSpace, !Task.isCancelled else { return summary }
                // A large file may have taken the room of the others, and is gone.
                wasFull.withLock { $0 = true }
                guard (try? checkRoom()) != nil else { return summary }
                let second = try SyncRound(self, retry: .due) { continuation.yield($0) }
                current.withLock { $0 = second }
                return await second.run().adding(summary)
            } catch {
                continuation.yield(.problem("\(error)"))
                return SyncSummary(failing: SyncSummary.Obstacle(error))
            }
        }
        continuation.onTermination = { _ in work.cancel() }
        return SyncEvents(events: events, work: work) {
            guard let pass = current.withLock({ $0 }) else { return }
            Task(executorPreference: ThreadPoolExecutor.shared) { await pass.answer() }
        }
    }

    /// Whether there is room to write, found out without a request: nothing is asked for in vain.
    ///
    /// - Throws: ``SystemError``; `ENOSPC` where the disk counts as full.
    private func checkRoom() throws {
        do {
            try store.checkRoom()
            // A quota shows only when something is written.
            if wasFull.withLock(\.self) { try store.probe() }
            wasFull.withLock { $0 = false }
        } catch {
            if error.isNoSpace {
                transferMetrics.note(.noSpace)
                wasFull.withLock { $0 = true }
            }
            throw error
        }
    }
}
