internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// One pass of the synchronizer: what it knows, what it has claimed, what it came to.
///
/// The newest entry and the catch-up are fetched side by side. Neither waits for the other, also where
/// one hangs: the newest picture has a place of its own. Neither fails with the other.
actor SyncPass {
    private let setting: Synchronizer
    private let isEager: Bool
    private let tell: @Sendable (SyncEvent) -> Void
    private let slots: Slots
    private nonisolated let keeper: DayKeeper

    private var known = SyncState()
    private var saved = SyncState()
    private var complete: Set<Day> = []
    private var claimed: Set<Day> = []
    /// Records of days without a picture, to be published once state.json says so.
    private var unpublished: [DayRecord] = []
    private var latest: (day: Day, path: String)?
    private var summary = SyncSummary()

    init(
        _ setting: Synchronizer, isEager: Bool, tell: @escaping @Sendable (SyncEvent) -> Void
    ) {
        self.setting = setting
        self.isEager = isEager
        self.tell = tell
        slots = Slots(setting.options.jobs > 1 ? setting.options.jobs - 1 : 1)
        keeper = DayKeeper(
            store: setting.store, client: setting.client,
            keepsVideos: setting.options.keepsVideos, traffic: setting.traffic, now: setting.now)
    }

    func run() async -> SyncSummary {
        attempt { try begin() }
        guard summary.obstacle == nil else { return summary }
        let backlog = claim(newest: known.newest)
        async let today: Void = lookAtNewest()
        async let earlier: Void = catchUp(backlog)
        _ = await (today, earlier)
        attempt { try finish() }
        return summary
    }

    // MARK: The beginning and the end

    private func begin() throws {
        saved = try setting.store.state()
        known = saved
        let now = setting.now()
        known.hosts = known.hosts.filter { $0.value > now }
        setting.hosts.notBefore = known.hosts.mapValues(\.timeIntervalSince1970)
        complete = try Census(of: setting.store.tree).complete
        known.since = setting.options.since
        if setting.options.keepsVideos, !known.keepsVideos { try lookForVideos() }
        known.keepsVideos = setting.options.keepsVideos
    }

    /// Videos are to be kept from now on: the days that are had without theirs are looked for.
    private func lookForVideos() throws {
        for day in complete where known.pending[day] == nil {
            let video = try setting.store.record(of: day)?.video
            guard let video, video.path == nil, video.url.hasSuffix(".mp4") else { continue }
            known.pending[day] = Pending(
                .partial, "its video is not kept yet", after: nil, at: .distantPast)
        }
    }

    private func finish() throws {
        known.hosts = setting.hosts.notBefore.mapValues { Date(timeIntervalSince1970: $0) }
        known.hosts = known.hosts.filter { $0.value > setting.now() }
        known.pending = known.pending.filter { day, pending in
            !complete.contains(day) || pending.cause == .partial
        }
        try publishPending()
        try pointLatest()
        let wanted = self.wanted
        summary.newest = known.newest
        summary.wanted = wanted.map { Self.published(in: $0) } ?? 0
        summary.complete = wanted.map { range in complete.count { range.contains($0) } } ?? 0
        summary.nextLook = plan(newest: known.newest).nextLook
    }

    private static func published(in range: ClosedRange<Day>) -> Int {
        range.count - Day.neverPublished.count { range.contains($0) }
    }

    private var wanted: ClosedRange<Day>? {
        known.newest.flatMap { setting.options.since.range(newest: $0) }
    }

    /// Writes state.json where it says something new, and then the records that lean on it.
    ///
    /// In that order: a record without a picture is not taken for a whole day because the state names
    /// the day, whenever the process ends.
    private func publishPending() throws {
        if known.isWorthSaving(over: saved) {
            try setting.store.save(known)
            saved = known
        }
        for record in unpublished {
            try setting.store.publish(record, after: try setting.store.record(of: record.entry.day))
        }
        unpublished = []
    }

    private func pointLatest() throws {
        guard let newest = complete.max() else { return }
        if latest?.day != newest {
            let record = try setting.store.record(of: newest)
            latest = (record?.picture?.path ?? record?.video?.path).map { (newest, $0) }
        }
        if let latest { try setting.store.pointLatest(at: latest.path) }
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
        known.newest = max(newest.day, known.newest ?? newest.day)
        known.lastSuccess = setting.now()
        let due = claim(newest: known.newest)
        let isOurs = due.contains(newest.day) || complete.contains(newest.day)
        note(listing.rejections.filter { $0.day.map(due.contains) ?? true })
        async let first: Void = isOurs ? keepNewest(newest) : ()
        async let rest: Void = catchUp(
            due.filter { $0 != newest.day }, having: Array(listing.entries.dropFirst()))
        _ = await (first, rest)
    }

    /// Keeps the newest entry in the place that is set aside for it, and then opens that to all.
    private func keepNewest(_ entry: Entry) async {
        guard hasReserve else { return await keep(entry) }
        settle(await keeper.keep(entry), as: entry)
    }

    /// Whether the newest picture has a place of its own among those under way.
    private var hasReserve: Bool { setting.options.jobs > 1 }

    /// A newest day far in the future comes from a server gone wrong, not from NASA.
    private func isBelievable(_ day: Day) -> Bool {
        Double(day.noon) < setting.now().timeIntervalSince1970 + 3 * 86_400
            || known.newest.map { $0.distance(to: day) < 400 } ?? false
    }

    // MARK: The catch-up

    private func plan(newest: Day?) -> SyncPlan {
        SyncPlan(
            have: complete, want: newest.flatMap { setting.options.since.range(newest: $0) },
            pending: known.pending, now: setting.now(), isEager: isEager)
    }

    /// The days that are to be looked for and that nobody in this pass looks for yet, newest first.
    private func claim(newest: Day?) -> [Day] {
        let days = plan(newest: newest).days.filter { claimed.insert($0).inserted }
        if !days.isEmpty { tell(.planned(days: days.count)) }
        return days
    }

    /// Keeps `days` in a sliding window: so many at once, each told of as soon as it is done.
    ///
    /// - Parameters:
    ///   - days: Claimed, newest first.
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
            where remaining.remove(entry.day) != nil || complete.contains(entry.day) {
                await add(entry)
            }
            var search = EntrySearch(setting.feed, for: remaining.sorted(by: >))
            while !isStopped, let finding = await search.next() {
                switch finding {
                case .answer(let entries, let rejections, let unpublished):
                    note(rejections)
                    for day in unpublished {
                        settle(.unpublished, "NASA has no entry for that day, or not yet", of: day)
                    }
                    for entry in entries { await add(entry) }
                case .failure(let error, let day):
                    fail(error, isAboutAll: false)
                    if let day { settle(.unreachable, "\(error)", of: day) }
                }
            }
        }
    }

    private func keep(_ entry: Entry) async {
        guard !isStopped else { return }
        let outcome = try? await slots.within { await keeper.keep(entry) }
        if let outcome { settle(outcome, as: entry) }
    }

    // MARK: What comes of it

    private var isStopped: Bool {
        if case .noSpace = summary.obstacle { return true }
        return Task.isCancelled
    }

    private func settle(_ outcome: DayOutcome, as entry: Entry) {
        switch outcome.result {
        case .kept(let path, let bytes):
            complete.insert(entry.day)
            known.pending[entry.day] = nil
            if entry.day >= latest?.day ?? .first { latest = (entry.day, path) }
            summary.kept += 1
            summary.bytes += bytes
        case .edited:
            known.pending[entry.day] = nil
            summary.edited += 1
        case .unchanged:
            known.pending[entry.day] = nil
            return
        case .pending(let cause, let reason, let record):
            guard !Task.isCancelled else { return }
            if cause == .partial { complete.insert(entry.day) }
            if let record { unpublished.append(record) }
            wait(cause, reason, for: entry.day)
            if unpublished.count >= 64 { attempt { try publishPending() } }
        case .noSpace(let message):
            // Once is enough for all who met it at the same time.
            guard !isStopped else { return }
            summary.obstacle = .noSpace(message)
            problem(message)
        }
        tell(.day(outcome))
    }

    private func settle(_ cause: Pending.Cause, _ reason: String, of day: Day) {
        wait(cause, reason, for: day)
        tell(.day(DayOutcome(day, .pending(cause, reason: reason, record: nil))))
    }

    private func wait(_ cause: Pending.Cause, _ reason: String, for day: Day) {
        known.pending[day] = Pending(cause, reason, after: known.pending[day], at: setting.now())
    }

    private func note(_ rejections: [Rejection]) {
        for rejection in rejections {
            if let day = rejection.day {
                settle(.unusable, rejection.reason, of: day)
            } else {
                problem(rejection.reason)
            }
        }
    }

    private func fail(_ error: FeedError, isAboutAll: Bool) {
        guard error != .transfer(.cancelled), !Task.isCancelled else { return }
        problem("\(error)")
        guard isAboutAll, summary.obstacle == nil else { return }
        if case .transfer = error {
            summary.obstacle = .unreachable("\(error)")
        } else {
            summary.obstacle = .unusable("\(error)")
        }
    }

    private func problem(_ message: String) {
        known.lastError = SyncState.Failure(at: setting.now(), message: message)
        tell(.problem(message))
    }

    private func attempt(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            let message = "\(error)"
            let isNoSpace = (error as? SystemError)?.isNoSpace ?? false
            summary.obstacle = isNoSpace ? .noSpace(message) : .failed(message)
            problem(message)
        }
    }
}
