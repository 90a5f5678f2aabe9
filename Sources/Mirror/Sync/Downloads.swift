internal import APOD
internal import Platform
internal import Synchronization

/// The downloads of days, each a task of its own, which may outlive the sync that began it.
///
/// A ``SyncRound`` begins them, and is the only one to apply their outcomes. A sync of the daemon ends before its slow
/// downloads do: these go on in their slots, and the outcome of one that ends between two syncs waits for the next one.
/// So a line carries the same number of downloads at all times, however many syncs there are.
final class Downloads: Sendable {
    private struct Table {
        /// Those whose outcomes are not applied yet.
        var underWay: [Day: Task<Void, Never>] = [:]
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
    /// One is held by each transfer: of a day of the backlog, of the newest day, while the backlog has taken all of its own,
    /// and of favorites and damaged days, for which a person waits.
    let slots, slotOfNewest, slotsOfFavorites: AsyncSemaphore
    /// The bound of the days that are here and not published yet, so that a slow disk delays no download for a while.
    let publications = AsyncSemaphore(4)

    private static let favorites = 2
    /// How many transfers there are at most beside those of the backlog.
    static let maximumBeside = 1 + favorites

    init(jobs: Int, claims: DayClaims, didEndLate: @escaping @Sendable () -> Void) {
        self.claims = claims
        self.didEndLate = didEndLate
        slots = AsyncSemaphore(jobs)
        slotOfNewest = AsyncSemaphore(1)
        slotsOfFavorites = AsyncSemaphore(Self.favorites)
    }

    // MARK: The sync

    /// The days that are under way.
    var days: Set<Day> { table.withLock { Set($0.underWay.keys) } }

    /// Begins a sync, which applies all outcomes until its end, or ends it; returns those that wait.
    func setRound(_ round: SyncRound?) -> [EntryOutcome] {
        table.withLock { table in
            table.round = round
            return table.takeOutcomes()
        }
    }

    /// The outcomes that `round` is to apply now; none after its end.
    func takeOutcomes(for round: SyncRound) -> [EntryOutcome] {
        table.withLock { $0.round === round ? $0.takeOutcomes() : [] }
    }

    // MARK: Downloads

    /// Begins the download of `day`, whose transfer takes `slot`.
    ///
    /// - Returns: What is resumed once the outcome is applied, or waits for the next sync; `nil` if a verification reads the
    ///   files of the day at this moment.
    func begin(
        _ day: Day, in slot: AsyncSemaphore.Permit,
        _ work: @escaping @Sendable () async -> EntryOutcome
    ) -> CancellableContinuation? {
        guard claims.claim(day) else { return nil }
        let ended = CancellableContinuation()
        // Under the lock: it cannot end before it is in the table.
        table.withLock { table in
            table.underWay[day] = Task(executorPreference: ThreadPoolExecutor.shared) { [self] in
                let outcome = await work()
                claims.release(day)
                slot.release()
                await deliver(outcome)
                ended.resume()
            }
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
        let tasks = table.withLock { Array($0.underWay.values) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
