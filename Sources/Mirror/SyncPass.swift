internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// One pass of the synchronizer: it looks at the tree, plans, and carries the plan out.
///
/// The newest entry and the catch-up are fetched side by side. Neither waits for the other, also where
/// one hangs: the newest picture has a place of its own. Neither fails with the other.
actor SyncPass {
    private let setting: Synchronizer
    private let tell: @Sendable (SyncEvent) -> Void
    private let slots: Slots
    private nonisolated let keeper: DayKeeper
    private var ledger: SyncLedger

    init(
        _ setting: Synchronizer, isEager: Bool, tell: @escaping @Sendable (SyncEvent) -> Void
    ) throws {
        self.setting = setting
        self.tell = tell
        slots = Slots(setting.options.jobs > 1 ? setting.options.jobs - 1 : 1)
        keeper = DayKeeper(
            store: setting.store, client: setting.client,
            keepsVideos: setting.options.keepsVideos, traffic: setting.traffic, now: setting.now)
        ledger = try SyncLedger(of: setting, isEager: isEager)
        setting.hosts.notBefore = ledger.known.hosts.mapValues(\.timeIntervalSince1970)
    }

    /// Tells that it still works.
    func answer() { tell(.alive) }

    func run() async -> SyncSummary {
        let backlog = claim()
        async let today: Void = lookAtNewest()
        async let earlier: Void = catchUp(backlog)
        _ = await (today, earlier)
        let hosts = setting.hosts.notBefore.mapValues { Date(timeIntervalSince1970: $0) }
        attempt { try ledger.close(in: setting.store, hosts: hosts, at: setting.now()) }
        return ledger.summary
    }

    /// The days that nobody looks for yet.
    private func claim() -> [Day] {
        let days = ledger.claim(at: setting.now())
        if !days.isEmpty { tell(.planned(days: days.count)) }
        return days
    }

    // MARK: The newest entry

    private func lookAtNewest() async {
        do throws(FeedError) {
            let listing = try await setting.feed.newest()
            guard let newest = listing.entries.first, isBelievable(newest.day) else {
                throw .unusable("the newest entry that NASA serves is of no day so far")
            }
            await keep(newest, from: listing)
        } catch {
            fail(error, isAboutAll: true)
        }
        if hasReserve { await slots.add() }
    }

    private func keep(_ newest: Entry, from listing: Listing) async {
        ledger.note(newest: newest.day, at: setting.now())
        let due = claim()
        let isOurs = due.contains(newest.day) || ledger.claimEdit(of: newest.day)
        note(listing.rejections.filter { $0.day.map(due.contains) ?? true })
        async let first: Void = isOurs ? keepNewest(newest) : ()
        async let rest: Void = catchUp(
            due.filter { $0 != newest.day }, having: Array(listing.entries.dropFirst()))
        _ = await (first, rest)
    }

    /// Keeps the newest entry in the place that is set aside for it.
    private func keepNewest(_ entry: Entry) async {
        guard hasReserve else { return await keep(entry) }
        let isDue = ledger.isDue(entry.day, at: setting.now())
        settle(await keeper.keep(entry, isDue: isDue))
    }

    /// Whether the newest picture has a place of its own among those under way.
    private var hasReserve: Bool { setting.options.jobs > 1 }

    /// A newest day far in the future comes from a server gone wrong, not from NASA.
    private func isBelievable(_ day: Day) -> Bool {
        Double(day.noon) < setting.now().timeIntervalSince1970 + 3 * 86_400
            || ledger.known.newest.map { $0.distance(to: day) < 400 } ?? false
    }

    // MARK: The catch-up

    /// Keeps `days` in a sliding window: so many at once, each told of as soon as it is done.
    ///
    /// - Parameters:
    ///   - days: Claimed; they are asked for in this order.
    ///   - entries: Entries that are here already; of days that are had they may be edits.
    private func catchUp(_ days: [Day], having entries: [Entry] = []) async {
        await withTaskGroup(of: Void.self) { group in
            var underWay = 0
            func add(_ entry: Entry) async {
                if underWay == setting.options.jobs {
                    await group.next()
                    underWay -= 1
                }
                group.addTask { await self.keep(entry) }
                underWay += 1
            }

            var remaining = Set(days)
            for entry in entries
            where remaining.remove(entry.day) != nil || ledger.claimEdit(of: entry.day) {
                await add(entry)
            }
            var search = EntrySearch(setting.feed, for: days.filter(remaining.contains))
            while !isStopped, let finding = await search.next() {
                switch finding {
                case .answer(let entries, let rejections, let unpublished):
                    note(rejections)
                    for day in unpublished {
                        settle(day, .unpublished, "NASA has no entry for that day, or not yet")
                    }
                    for entry in entries { await add(entry) }
                case .failure(let error, let day):
                    fail(error, isAboutAll: false)
                    if let day { settle(day, .unreachable, "\(error)") }
                }
            }
        }
    }

    private func keep(_ entry: Entry) async {
        guard !isStopped else { return }
        let isDue = ledger.isDue(entry.day, at: setting.now())
        let outcome = try? await slots.within { await keeper.keep(entry, isDue: isDue) }
        if let outcome { settle(outcome) }
    }

    // MARK: What comes of it

    private var isStopped: Bool {
        if case .noSpace = ledger.summary.obstacle { return true }
        return Task.isCancelled
    }

    private func settle(_ outcome: DayOutcome) {
        switch outcome.result {
        // What was cut off says nothing of the day.
        case .pending where Task.isCancelled: return
        // Once is enough for all who met it at the same time.
        case .noSpace where isStopped: return
        case .noSpace(let message):
            setting.tally.note(.noSpace)
            problem(message)
        case .pending(.failed, _, _): setting.tally.note(.disk)
        default: break
        }
        ledger.settle(outcome, at: setting.now())
        if case .unchanged = outcome.result { return }
        tell(.day(outcome))
    }

    private func settle(_ day: Day, _ cause: Pending.Cause, _ reason: String) {
        settle(DayOutcome(day, .pending(cause, reason: reason, record: nil)))
    }

    private func note(_ rejections: [Rejection]) {
        for rejection in rejections {
            setting.tally.note(.unusable)
            if let day = rejection.day {
                settle(day, .unusable, rejection.reason)
            } else {
                problem(rejection.reason)
            }
        }
    }

    private func fail(_ error: FeedError, isAboutAll: Bool) {
        guard error != .transfer(.cancelled), !Task.isCancelled else { return }
        if case .unusable = error { setting.tally.note(.unusable) }
        problem("\(error)")
        guard isAboutAll else { return }
        if case .transfer = error {
            ledger.note(.unreachable("\(error)"))
        } else {
            ledger.note(.unusable("\(error)"))
        }
    }

    private func problem(_ message: String) {
        ledger.note(message, at: setting.now())
        tell(.problem(message))
    }

    private func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            let obstacle = SyncSummary.Obstacle(error)
            if case .noSpace = obstacle {
                setting.tally.note(.noSpace)
            } else {
                setting.tally.note(.disk)
            }
            problem("\(error)")
            ledger.note(obstacle)
        }
    }
}

extension SyncSummary.Obstacle {
    /// What an error of this machine's means for the pass.
    init(_ error: any Error) {
        let isNoSpace = (error as? SystemError)?.isNoSpace ?? false
        self = isNoSpace ? .noSpace("\(error)") : .failed("\(error)")
    }
}
