internal import APOD
internal import FoundationEssentials
internal import Platform

/// What a pass knows of the days, what it found out about them, and what it came to.
///
/// Written down at the end, and now and then before: ``save(in:)``.
struct SyncRoundState {
    private(set) var known: SyncState
    private(set) var complete: Set<Day>
    private(set) var summary = SyncSummary()

    private let options: Synchronizer.Options
    private let favorites: Set<Day>
    private let retry: SyncPlan.Retry
    private let store: Store
    private let built: Date
    private var saved: SyncState
    private var claimed: Set<Day> = []
    /// Whether something went wrong in this pass, and whether NASA told its newest entry.
    private var hasProblem = false
    private var sawNewest = false
    /// What could not be read of the tree, by the month or year that it costs.
    private let unreadable: [String: SystemError]
    private(set) var problems: [String] = []

    /// Reads what the tree has and what was remembered.
    init(of setting: Synchronizer, retry: SyncPlan.Retry) throws {
        let store = setting.store
        let now = setting.now()
        options = setting.options
        favorites = setting.favorites()
        self.retry = retry
        self.store = store
        built = setting.built
        saved = try store.state()
        known = saved
        known.since = options.since
        known.hosts = known.hosts.filter { $0.value > now }
        known.pending = known.pending.mapValues { $0.within(now) }
        let census = try TreeIndex(of: store.tree)
        complete = census.complete
        // A record that is gone comes back with the entry, for which no retry time is waited.
        for (day, pending) in known.pending
        where pending.cause.hasRecord && !census.recorded.contains(day) {
            known.pending[day]?.next = now
        }
        unreadable = census.unreadable
        problems = unreadable.values.map { "\($0)" }.sorted()
        let dates = dates(at: now)
        // As a clock that was ahead left it, or an entry that was believed.
        if let newest = known.newest, !dates.contains(newest) {
            known.newest = complete.filter(dates.contains).max()
        }
        if !known.hasShortcuts { try makeShortcuts(for: census.recorded, in: store) }
        if options.keepsVideos, !known.keepsVideos { try lookForVideos(in: store) }
        known.keepsVideos = options.keepsVideos
    }

    /// Videos are to be kept from now on: the days that are had without theirs are looked for.
    private mutating func lookForVideos(in store: Store) throws {
        for day in complete where known.pending[day] == nil {
            let video = (try? store.record(of: day))?.video
            guard let video, video.path == nil, video.url.hasSuffix(".mp4") else { continue }
            known.pending[day] = RetryState(
                .partial, "its video is not kept yet", after: nil, at: .distantPast)
        }
    }

    /// Days that were had before there were shortcuts get theirs: to read each record takes a second.
    private mutating func makeShortcuts(for days: Set<Day>, in store: Store) throws {
        for day in days {
            guard !Task.isCancelled else { return }
            guard var record = try? store.record(of: day), record.video?.path == nil,
                let shortcut = try store.keepShortcut(of: record, after: record),
                shortcut != record.video?.shortcut
            else { continue }
            record.video?.shortcut = shortcut
            try DayPublisher(store, of: day).publish(record, after: nil)
        }
        known.hasShortcuts = true
    }

    // MARK: What to do

    /// The days that are wanted, `nil` before NASA was ever reached.
    var wanted: ClosedRange<Day>? { known.newest.flatMap { options.since.range(newest: $0) } }

    func plan(at now: Date) -> SyncPlan {
        SyncPlan(
            have: complete, want: wanted, favorites: favorites, pending: known.pending, now: now,
            retry: retry)
    }

    /// The dates of entries that are believed.
    func dates(at now: Date) -> PlausibleDates {
        store.plausibleDates(known, complete, at: now, built: built)
    }

    /// The days that are to be looked for and that nobody in this pass looks for yet, favorites first.
    mutating func claim(at now: Date) -> [Day] {
        plan(at: now).days.filter { claimed.insert($0).inserted }
    }

    /// Why `day` can be neither read nor written, `nil` where it can.
    func obstruction(of day: Day) -> SystemError? {
        unreadable["\(day)".prefix(4).description] ?? unreadable["\(day)".prefix(7).description]
    }

    /// Whether `day` is had and nobody in this pass looks at it yet: an entry of it may be an edit.
    ///
    /// A day has one keeper at a time: two would write the same draft.
    mutating func claimEdit(of day: Day) -> Bool {
        complete.contains(day) && claimed.insert(day).inserted
    }

    /// Whether what `day` lacks is to be downloaded now: a day that is had in part keeps its retry time.
    func isDue(_ day: Day, at now: Date) -> Bool {
        guard complete.contains(day), let pending = known.pending[day] else { return true }
        return pending.next <= now || retry.includes(pending.cause)
    }

    /// Whether `entry`, which is here already, has the picture that its day lacked at the last attempt.
    mutating func claimNews(_ entry: Entry) -> Bool {
        guard let cause = known.pending[entry.day]?.cause, cause == .noImage || cause == .lost,
            !complete.contains(entry.day), !entry.media.pictures.isEmpty
        else { return false }
        return claimed.insert(entry.day).inserted
    }

    // MARK: What comes of it

    mutating func note(newest: Day, at now: Date) {
        known.newest = newest
        known.lastSuccess = now
        sawNewest = true
    }

    mutating func note(_ message: String, at now: Date) {
        hasProblem = true
        known.lastError = SyncState.Failure(at: now, message: message)
    }

    /// The first obstacle is the one that counts, before all others a full disk, which ends the pass.
    mutating func note(_ obstacle: SyncSummary.Obstacle) {
        if case .noSpace = obstacle { summary.obstacle = obstacle }
        summary.obstacle = summary.obstacle ?? obstacle
    }

    mutating func settle(_ outcome: EntryOutcome, at now: Date) {
        let day = outcome.day
        switch outcome.result {
        case .kept(_, let bytes):
            complete.insert(day)
            known.pending[day] = nil
            summary.kept += 1
            summary.bytes += bytes
        case .edited:
            if isDue(day, at: now) { known.pending[day] = nil }
            summary.edited += 1
        case .unchanged:
            if isDue(day, at: now) { known.pending[day] = nil }
        case .pending(let cause, let reason, _):
            let earlier = known.pending[day]
            if cause == .partial { complete.insert(day) }
            // What a day lacks it lacks still, whatever keeps one from looking.
            let isPartial = earlier?.cause == .partial && complete.contains(day)
            let isStillNone = earlier?.cause == .noImage && cause.mayPass
            known.pending[day] = RetryState(
                isPartial ? .partial : isStillNone ? .noImage : cause, reason, after: earlier,
                at: now)
        case .noSpace(let message):
            note(.noSpace(message))
        }
    }

    // MARK: What is written down

    /// Writes state.json where it says something new.
    mutating func save(in store: Store) throws {
        guard known.isWorthSaving(over: saved) else { return }
        try store.save(known)
        saved = known
    }

    /// Writes down all that is left, and sums up.
    mutating func close(in store: Store, hosts: [String: Date], at now: Date) throws {
        known.hosts = hosts
        known.pending = known.pending.filter { day, pending in
            guard !complete.contains(day) else { return pending.cause == .partial }
            return day <= known.newest ?? .last || favorites.contains(day)
        }
        if sawNewest, !hasProblem { known.lastError = nil }
        sumUp(at: now)
        try save(in: store)
    }

    private mutating func sumUp(at now: Date) {
        summary.newest = known.newest
        summary.lastSuccess = known.lastSuccess
        summary.newestComplete = known.newest(of: complete, dates(at: now))
        summary.nextLook = plan(at: now).nextLook
        guard let wanted else { return }
        summary.wanted = wanted.count - Day.neverPublished.count { wanted.contains($0) }
        summary.complete = complete.count { wanted.contains($0) }
        summary.withoutPicture = known.pending.count { day, pending in
            pending.hasNoPicture && wanted.contains(day) && !complete.contains(day)
        }
    }

    /// Points `latest.*` at the picture of the newest day, or at its video where it has no picture.
    func pointLatest(in store: Store) throws {
        guard let newest = summary.newestComplete, let record = try store.record(of: newest),
            let path = record.picture?.path ?? record.video?.path
        else { return }
        try store.pointLatest(at: path)
    }
}
