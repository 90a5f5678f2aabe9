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
    package let traffic = Traffic()

    /// What was asked for in all passes, and what went wrong.
    package var tally: Tally { client.tally }

    let feed: any Feed
    let client: Client
    let hosts: HostCalendar
    let store: Store
    let options: Options
    let favorites: @Sendable () -> Set<Day>
    let now: @Sendable () -> Date

    /// - Parameters:
    ///   - feed: Where entries come from.
    ///   - client: Where pictures come from.
    ///   - hosts: The hosts that asked the client for peace.
    ///   - store: Where all goes.
    ///   - options: What is wanted.
    ///   - favorites: Days that are wanted as well, and before all others.
    ///   - now: The time.
    package init(
        feed: any Feed, client: Client, hosts: HostCalendar, store: Store, options: Options,
        favorites: @escaping @Sendable () -> Set<Day> = { [] },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.feed = feed
        self.client = client
        self.hosts = hosts
        self.store = store
        self.options = options
        self.favorites = favorites
        self.now = now
    }

    /// Looks once, and tells what happens as it happens.
    ///
    /// Each picture is told of as soon as it is on the disk, in the order of arrival. Dropping the
    /// events cancels the work, which leaves nothing half done.
    ///
    /// - Parameter isEager: Whether a person asked: see ``SyncPlan``.
    /// - Returns: What happens, to be consumed once.
    package func pass(isEager: Bool = false) -> SyncEvents {
        let (events, continuation) = AsyncStream.makeStream(of: SyncEvent.self)
        let current = Monitor(SyncPass?.none)
        let work = Task(executorPreference: Workers.shared) {
            defer { continuation.finish() }
            do {
                let pass = try SyncPass(self, isEager: isEager) { continuation.yield($0) }
                current.withLock { $0 = pass }
                // Whoever asked before.
                continuation.yield(.alive)
                return await pass.run()
            } catch {
                continuation.yield(.problem("\(error)"))
                return SyncSummary(failing: SyncSummary.Obstacle(error))
            }
        }
        continuation.onTermination = { _ in work.cancel() }
        return SyncEvents(events: events, work: work) {
            guard let pass = current.withLock({ $0 }) else { return }
            Task(executorPreference: Workers.shared) { await pass.answer() }
        }
    }
}
