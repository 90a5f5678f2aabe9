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
        var owner = Owner.none
    }

    /// Who applies the outcomes.
    private enum Owner {
        /// No sync runs.
        case none
        /// A sync that reads the tree, or failed to.
        case starting
        case round(SyncRound)
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

    /// Begins a sync; returns the days that earlier ones download.
    func startSync() -> Set<Day> {
        table.withLock { table in
            table.owner = .starting
            return Set(table.underWay.keys)
        }
    }

    /// Lets `round` apply all outcomes from now on; returns those since the sync before.
    func attach(_ round: SyncRound) -> [EntryOutcome] {
        table.withLock { $0.owner = .round(round) }
        return takeOutcomes(for: round)
    }

    /// The outcomes that `round` is to apply now; none after ``endSync()``.
    func takeOutcomes(for round: SyncRound) -> [EntryOutcome] {
        table.withLock { table in
            guard case .round(let owner) = table.owner, owner === round else { return [] }
            return Self.takeOutcomes(&table)
        }
    }

    private static func takeOutcomes(_ table: inout Table) -> [EntryOutcome] {
        defer { table.outcomes = [] }
        for outcome in table.outcomes { table.underWay[outcome.day] = nil }
        return table.outcomes
    }

    /// Ends the sync; others no longer wait for what is under way.
    ///
    /// - Returns: The last outcomes of the sync.
    func endSync() -> [EntryOutcome] {
        let (outcomes, left) = table.withLock { table in
            table.owner = .none
            let outcomes = Self.takeOutcomes(&table)
            return (outcomes, table.underWay.values.map(\.permits))
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

    private func deliver(_ outcome: EntryOutcome) async {
        let owner = table.withLock { table in
            table.outcomes.append(outcome)
            return table.owner
        }
        switch owner {
        case .round(let round): await round.applyOutcomes()
        case .starting: break
        case .none: didEndLate()
        }
    }

    /// Cancels all downloads, and waits for them: transfers end at once, what is complete is published.
    func cancel() async {
        let tasks = table.withLock { $0.underWay.values.map(\.task) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
