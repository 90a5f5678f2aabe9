internal import APOD
internal import Platform
internal import Synchronization

/// The downloads of days, each a task of its own, which may outlive the sync that began it.
///
/// A sync of the daemon ends before its slow downloads, which go on in their slots. If a download ends between two
/// syncs, its outcome waits for the next ``SyncRound``. So the same number of downloads runs at all times.
final class Downloads: Sendable {
    private struct Table {
        /// The downloads that run, or whose outcomes are not applied yet.
        var underWay: [Day: Task<Void, Never>] = [:]
        /// The outcomes that are not applied yet, at most one for each day that is under way.
        var outcomes: [EntryOutcome] = []
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
    /// The slots of the backlog; each transfer holds one.
    let slots: AsyncSemaphore
    /// The slot of the newest day, which it uses while the backlog has all of ``slots``.
    let slotOfNewest = AsyncSemaphore(1)
    /// The slots of favorites and damaged days, for which a person waits.
    let slotsOfFavorites = AsyncSemaphore(Downloads.favoriteSlots)
    /// The slots of downloaded days that are not published yet; while all are taken, downloads wait for the disk.
    let publications = AsyncSemaphore(4)

    private static let favoriteSlots = 2
    /// The slots besides those of the backlog: of the newest day, and of favorites.
    static let slotsBesideBacklog = 1 + favoriteSlots

    init(jobs: Int, claims: DayClaims, didEndLate: @escaping @Sendable () -> Void) {
        self.claims = claims
        self.didEndLate = didEndLate
        slots = AsyncSemaphore(jobs)
    }

    // MARK: The sync

    /// The days whose outcomes are not applied yet.
    var days: Set<Day> { table.withLock { Set($0.underWay.keys) } }

    /// Sets the running sync, which gets all outcomes from now on, or `nil` at its end; returns the outcomes that waited.
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

    /// Begins the download of `day`, and releases `slot` at its end.
    ///
    /// - Returns: What is resumed once the outcome is delivered; `nil` if a verification reads the day now.
    func begin(
        _ day: Day, in slot: AsyncSemaphore.Permit,
        _ work: @escaping @Sendable () async -> EntryOutcome
    ) -> CancellableContinuation? {
        guard claims.claim(day) else { return nil }
        let ended = CancellableContinuation()
        // The lock is held, so that the download cannot end before it is in the table.
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

    /// Cancels all downloads, and waits until they have ended; complete ones are published.
    func cancel() async {
        let tasks = table.withLock { Array($0.underWay.values) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }
}
