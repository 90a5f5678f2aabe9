internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// One pass of the synchronizer: it looks at the tree, plans, and carries the plan out.
///
/// The newest entry and the catch-up are fetched side by side. Neither waits for the other, also where
/// one hangs: the newest picture has a place of its own. Neither fails with the other.
actor SyncRound {
    private let setting: Synchronizer
    private let tell: @Sendable (SyncEvent) -> Void
    private let slots: AsyncSemaphore
    private nonisolated let keeper: EntryDownloader
    private var ledger: SyncRoundState

    init(
        _ setting: Synchronizer, retry: SyncPlan.Retry,
        tell: @escaping @Sendable (SyncEvent) -> Void
    ) throws {
        self.setting = setting
        self.tell = tell
        slots = AsyncSemaphore(setting.options.jobs > 1 ? setting.options.jobs - 1 : 1)
        keeper = EntryDownloader(
            store: setting.store, client: setting.client,
            keepsVideos: setting.options.keepsVideos, traffic: setting.traffic, now: setting.now)
        ledger = try SyncRoundState(of: setting, retry: retry)
        setting.hosts.notBefore = ledger.known.hosts.mapValues(\.timeIntervalSince1970)
    }

    /// Tells that it still works.
    func answer() { tell(.alive) }

    func run() async -> SyncSummary {
        for text in ledger.problems { problem(text) }
        let backlog = claim()
        async let today: Void = lookAtNewest()
        async let earlier: Void = catchUp(backlog)
        _ = await (today, earlier)
        let hosts = setting.hosts.notBefore.mapValues { Date(timeIntervalSince1970: $0) }
        attempt { try ledger.close(in: setting.store, hosts: hosts, at: setting.now()) }
        pointLatest()
        return ledger.summary
    }

    /// The days that nobody looks for yet.
    private func claim() -> [Day] {
        let days = ledger.claim(at: setting.now())
        if !days.isEmpty { tell(.planned(days: days.count)) }
        return days.filter { day in
            guard let error = ledger.obstruction(of: day) else { return true }
            settle(day, .failed, "\(error)")
            return false
        }
    }

    // MARK: The newest entry

    private func lookAtNewest() async {
        do throws(FeedError) {
            let (listing, newest) = try await newestListing()
            await keep(listing, newest: newest)
        } catch {
            fail(error, isAboutAll: true)
        }
        if hasReserve { await slots.add() }
    }

    /// The newest entries that NASA serves, and the day that is the newest.
    private func newestListing() async throws(FeedError) -> (FeedPage, Day) {
        let listing = try await setting.feed.newest()
        if let newest = newest(in: listing) { return (listing, newest) }
        // All of it is dated in the future: what is up to tomorrow is asked for by its dates.
        rejectEntries(of: listing, after: nil)
        if let last = ledger.dates(at: setting.now()).last {
            let pages = try await setting.feed.pager(over: last.advanced(by: -24)...last)
            while let page = try await pages.next() {
                if let newest = newest(in: page) { return (page, newest) }
            }
        }
        throw .unusable("all entries that NASA serves as its newest are dated in the future")
    }

    private func newest(in listing: FeedPage) -> Day? {
        // A day that is complete was published, whatever is served for it now.
        let listed = listing.rejections.compactMap(\.day).filter(ledger.complete.contains)
        return ledger.dates(at: setting.now()).newest(of: listing.entries.map(\.day) + listed)
    }

    /// Reports the entries of `listing` that are dated after `newest`, each for itself.
    private func rejectEntries(of listing: FeedPage, after newest: Day?) {
        for entry in listing.entries where newest.map({ entry.day > $0 }) ?? true {
            setting.transferMetrics.note(.unusable)
            problem(
                "the entry “\(entry.title)” is rejected: it is dated \(entry.day), in the future")
        }
    }

    private func keep(_ listing: FeedPage, newest: Day) async {
        rejectEntries(of: listing, after: newest)
        let entries = listing.entries.filter { $0.day <= newest }
        ledger.note(newest: newest, at: setting.now())
        let due = claim()
        note(listing.rejections.filter { $0.day.map(due.contains) ?? true })
        let first = entries.first { $0.day == newest }
        let isOurs = due.contains(newest) || first.map { isHere($0) } ?? false
        async let today: Void = isOurs && first != nil ? keepNewest(first) : ()
        async let rest: Void = catchUp(
            due.filter { $0 != newest || first == nil }, having: entries.filter { $0.day != newest }
        )
        _ = await (today, rest)
    }

    /// Whether `entry`, which came with the newest, says something new of a day that is not due.
    private func isHere(_ entry: Entry) -> Bool {
        ledger.claimEdit(of: entry.day) || ledger.claimNews(entry)
    }

    /// Keeps the newest entry in the place that is set aside for it.
    private func keepNewest(_ entry: Entry?) async {
        guard let entry else { return }
        guard hasReserve else { return await keep(entry) }
        let isDue = ledger.isDue(entry.day, at: setting.now())
        settle(await keeper.keep(entry, isDue: isDue))
    }

    /// Whether the newest picture has a place of its own among those under way.
    private var hasReserve: Bool { setting.options.jobs > 1 }

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
            for entry in entries where remaining.remove(entry.day) != nil || isHere(entry) {
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
                    let dates = ledger.dates(at: setting.now())
                    for entry in entries {
                        if dates.contains(entry.day) {
                            await add(entry)
                        } else {
                            settle(entry.day, .unusable, "its entry is dated in the future")
                        }
                    }
                case .failure(let error, let day):
                    fail(error, isAboutAll: false)
                    if let day { settle(day, error.cause, "\(error)") }
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

    private func settle(_ outcome: EntryOutcome) {
        switch outcome.result {
        // What was cut off says nothing of the day.
        case .pending where Task.isCancelled: return
        // Once is enough for all who met it at the same time.
        case .noSpace where isStopped: return
        case .noSpace(let message):
            setting.transferMetrics.note(.noSpace)
            problem(message)
        case .pending(.failed, _, _): setting.transferMetrics.note(.disk)
        default: break
        }
        ledger.settle(outcome, at: setting.now())
        if case .unchanged = outcome.result { return }
        tell(.day(outcome))
    }

    private func settle(_ day: Day, _ cause: RetryState.Cause, _ reason: String) {
        settle(EntryOutcome(day, .pending(cause, reason: reason, record: nil)))
    }

    private func note(_ rejections: [Rejection]) {
        for rejection in rejections {
            setting.transferMetrics.note(.unusable)
            if let day = rejection.day {
                settle(day, .unusable, rejection.reason)
            } else {
                problem(rejection.reason)
            }
        }
    }

    private func fail(_ error: FeedError, isAboutAll: Bool) {
        guard error != .transfer(.cancelled), !Task.isCancelled else { return }
        if case .unusable = error { setting.transferMetrics.note(.unusable) }
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

    private func pointLatest() {
        do {
            try ledger.pointLatest(in: setting.store)
        } catch {
            // What lies in the way of the link is no reason to go without the days.
            tell(.problem("\(error)"))
            let obstacle = SyncSummary.Obstacle(error)
            if case .failed = obstacle { return }
            ledger.note(obstacle)
        }
    }

    private func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            let obstacle = SyncSummary.Obstacle(error)
            if case .noSpace = obstacle {
                setting.transferMetrics.note(.noSpace)
            } else {
                setting.transferMetrics.note(.disk)
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
        let isReadOnly = (error as? SystemError)?.isReadOnly ?? false
        self =
            isNoSpace
            ? .noSpace("\(error)") : isReadOnly ? .readOnly("\(error)") : .failed("\(error)")
    }
}

extension FeedError {
    /// What it means for the one day that was asked for.
    fileprivate var cause: RetryState.Cause {
        switch self {
        case .notPublished, .transfer(.refused(_, 404, _)), .transfer(.refused(_, 410, _)):
            .unpublished
        case .transfer(.file): .failed
        case .transfer(let error):
            error.isOfTheServer ? .unreachable : .unusable
        case .unusable: .unusable
        }
    }
}
