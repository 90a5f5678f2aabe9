internal import APOD
internal import Platform
internal import Synchronization

/// The running downloads of days, which may outlive the sync that began them.
///
/// A download is a task of its own and occupies a slot, so that their number is limited. A sync of the daemon ends before its
/// slow downloads, which go on in their slots. If a download ends between two syncs, its outcome waits for the next one.
final class Downloads: Sendable {
    private struct Table {
        /// The downloads that run, and those whose outcomes no sync has applied yet.
        var underWay: [Day: Task<Void, Never>] = [:]
        /// The outcomes that no sync has applied yet, at most one for each day in `underWay`.
        var outcomes: [EntryOutcome] = []
        /// The running sync; `nil` between two syncs.
        var round: SyncRound?

        /// Returns the waiting outcomes, and forgets their downloads.
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
    /// The slots of the backlog, which is all older days that are due.
    let slots: AsyncSemaphore
    /// The slot for the newest day, which it uses while all of ``slots`` are occupied.
    let slotOfNewest = AsyncSemaphore(1)
    /// The slots for favorites and damaged days, for which a person may wait.
    let slotsOfFavorites = AsyncSemaphore(Downloads.favoriteSlots)
    /// Limits how many downloaded days are published at the same time; other days wait until the disk has taken them.
    let publications = AsyncSemaphore(4)

    private static let favoriteSlots = 2
    /// The number of slots for the newest day and for favorites.
    static let slotsBesideBacklog = 1 + favoriteSlots

    init(jobs: Int, claims: DayClaims, didEndLate: @escaping @Sendable () -> Void) {
        self.claims = claims
        self.didEndLate = didEndLate
        slots = AsyncSemaphore(jobs)
    }

    // MARK: The sync

    /// The days with a running download, or with an outcome that no sync has applied yet.
    var days: Set<Day> { table.withLock { Set($0.underWay.keys) } }

    /// Makes `round` the running sync, to which all outcomes go from now on; `nil` at the end of a sync.
    ///
    /// - Returns: The outcomes that no sync has applied yet, which the caller applies.
    func setRound(_ round: SyncRound?) -> [EntryOutcome] {
        table.withLock { table in
            table.round = round
            return table.takeOutcomes()
        }
    }

    /// Returns the outcomes that `round` is to apply now; none if it is not the running sync any more.
    func takeOutcomes(for round: SyncRound) -> [EntryOutcome] {
        table.withLock { $0.round === round ? $0.takeOutcomes() : [] }
    }

    // MARK: Downloads

    /// Begins the download of `day` by the task `work`, and releases `slot` at its end.
    ///
    /// - Returns: A continuation that is resumed when the outcome is delivered; `nil` if a verification reads the day now, so
    ///   that no download was begun.
    func begin(
        _ day: Day, in slot: AsyncSemaphore.Permit,
        _ work: @escaping @Sendable () async -> EntryOutcome
    ) -> CancellableContinuation? {
        guard claims.claim(day) else { return nil }
        let ended = CancellableContinuation()
        // The lock prevents that the download ends before it is in the table.
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

    /// Lets the running sync apply the outcome; between two syncs, the outcome waits for the next one.
    private func deliver(_ outcome: EntryOutcome) async {
        let round = table.withLock { table in
            table.outcomes.append(outcome)
            return table.round
        }
        if let round { await round.applyOutcomes() } else { didEndLate() }
    }

    /// Cancels all downloads, and waits until they have ended; those that are complete are still published.
    func cancel() async {
        let tasks = table.withLock { Array($0.underWay.values) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
