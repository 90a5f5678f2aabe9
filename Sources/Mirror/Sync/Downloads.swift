internal import APOD
internal import Platform
internal import Synchronization

/// The downloads of days, each a task of its own, which may outlive the sync that began it.
///
/// A ``SyncRound`` begins them, and is the only one to apply their outcomes. A sync of the daemon ends before its slow
/// downloads do: these go on, and the outcome of one that ends between two syncs waits for the next one.
final class Downloads: Sendable {
    private struct Download {
        let task: Task<Void, Never>
        let permits: HeldPermits
    }

    private struct Table {
        /// Those whose outcomes are not applied yet.
        var underWay: [Day: Download] = [:]
        /// What ended and is not applied yet, at most one for each day that is under way.
        var outcomes: [EntryOutcome] = []
        /// The running sync, which applies outcomes.
        var round: SyncRound?

        mutating func takeOutcomes() -> [EntryOutcome] {
            defer { outcomes = [] }
            for outcome in outcomes { underWay[outcome.day] = nil }
            return outcomes
        }
    }

    private let table = Mutex(Table())
    private let claims: DayClaims
    /// Called when a download ends between two syncs.
    private let didEndLate: @Sendable () -> Void
    /// The bounds of the days of the backlog, and of favorites and damaged days, that are under way.
    ///
    /// The newest day needs no place: NASA publishes one a day.
    let places, placesOfFavorites: AsyncSemaphore

    /// How many days of the backlog may be under way beyond `jobs`: they are published, or downloaded slowly; so a
    /// slow disk or a slow host delays no other download.
    private static let daysWithoutSlot = 4

    init(jobs: Int, claims: DayClaims, didEndLate: @escaping @Sendable () -> Void) {
        self.claims = claims
        self.didEndLate = didEndLate
        places = AsyncSemaphore(jobs + Self.daysWithoutSlot)
        placesOfFavorites = AsyncSemaphore(jobs)
    }

    // MARK: The sync

    /// The days that are under way.
    var days: Set<Day> { table.withLock { Set($0.underWay.keys) } }

    /// Begins a sync, which applies all outcomes until its end; returns those since the sync before.
    func begin(_ round: SyncRound) -> [EntryOutcome] {
        table.withLock { table in
            table.round = round
            return table.takeOutcomes()
        }
    }

    /// The outcomes that `round` is to apply now; none after its end.
    func takeOutcomes(for round: SyncRound) -> [EntryOutcome] {
        table.withLock { $0.round === round ? $0.takeOutcomes() : [] }
    }

    /// Ends the sync: others no longer wait for what is under way; returns the last outcomes.
    func endRound() -> [EntryOutcome] {
        let (outcomes, left) = table.withLock { table in
            table.round = nil
            return (table.takeOutcomes(), table.underWay.values.map(\.permits))
        }
        for permits in left { permits.release() }
        return outcomes
    }

    // MARK: Downloads

    /// Begins the download of `day`, which `permits` and a `place` allow.
    ///
    /// - Returns: What is resumed once the outcome is applied, or waits for the next sync; `nil` if a verification reads the
    ///   files of the day at this moment.
    func begin(
        _ day: Day, _ permits: HeldPermits, in place: AsyncSemaphore.Permit?,
        _ work: @escaping @Sendable () async -> EntryOutcome
    ) -> CancellableContinuation? {
        guard claims.claim(day) else { return nil }
        let ended = CancellableContinuation()
        // Under the lock: it cannot end before it is in the table.
        table.withLock { table in
            let task = Task(executorPreference: ThreadPoolExecutor.shared) { [self] in
                let outcome = await work()
                claims.release(day)
                permits.release()
                place?.release()
                await deliver(outcome)
                ended.resume()
            }
            table.underWay[day] = Download(task: task, permits: permits)
        }
        return ended
    }

    /// Sends the outcome to the running sync; between two syncs it waits for the next one.
    private func deliver(_ outcome: EntryOutcome) async {
        let round = table.withLock { table in
            table.outcomes.append(outcome)
            return table.round
        }
        if let round { await round.applyOutcomes() } else { didEndLate() }
    }

    /// Cancels all downloads, and waits for them: transfers end at once, what is complete is published.
    func cancel() async {
        let tasks = table.withLock { $0.underWay.values.map(\.task) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
