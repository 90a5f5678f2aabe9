internal import APOD
internal import FoundationEssentials

/// What a pass knows of the days, what it found out about them, and what it came to.
///
/// Written down at the end, and now and then before: ``save(in:)``.
struct SyncLedger {
    private(set) var known: SyncState
    private(set) var complete: Set<Day>
    private(set) var summary = SyncSummary()

    private let options: Synchronizer.Options
    private let favorites: Set<Day>
    private let isEager: Bool
    private var saved: SyncState
    private var claimed: Set<Day> = []
    private var latest: (day: Day, path: String)?

    /// Reads what the tree has and what was remembered.
    init(of setting: Synchronizer, isEager: Bool) throws {
        let store = setting.store
        let now = setting.now()
        options = setting.options
        favorites = setting.favorites()
        self.isEager = isEager
        saved = try store.state()
        known = saved
        known.since = options.since
        known.hosts = known.hosts.filter { $0.value > now }
        let census = try Census(of: store.tree)
        complete = census.complete
        if !known.hasShortcuts { try makeShortcuts(for: census.recorded, in: store) }
        if options.keepsVideos, !known.keepsVideos { try lookForVideos(in: store) }
        known.keepsVideos = options.keepsVideos
    }

    /// Videos are to be kept from now on: the days that are had without theirs are looked for.
    private mutating func lookForVideos(in store: Store) throws {
        for day in complete where known.pending[day] == nil {
            let video = try store.record(of: day)?.video
            guard let video, video.path == nil, video.url.hasSuffix(".mp4") else { continue }
            known.pending[day] = Pending(
                .partial, "its video is not kept yet", after: nil, at: .distantPast)
        }
    }

    /// Days that were had before there were shortcuts get theirs: to read each record takes a second.
    private mutating func makeShortcuts(for days: Set<Day>, in store: Store) throws {
        for day in days {
            guard !Task.isCancelled else { return }
            guard var record = try store.record(of: day), record.video?.path == nil,
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
            isEager: isEager)
    }

    /// The days that are to be looked for and that nobody in this pass looks for yet, favorites first.
    mutating func claim(at now: Date) -> [Day] {
        plan(at: now).days.filter { claimed.insert($0).inserted }
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
        return pending.next <= now || (isEager && pending.cause.mayPass)
    }

    // MARK: What comes of it

    mutating func note(newest: Day, at now: Date) {
        known.newest = max(newest, known.newest ?? newest)
        known.lastSuccess = now
    }

    mutating func note(_ message: String, at now: Date) {
        known.lastError = SyncState.Failure(at: now, message: message)
    }

    /// The first obstacle is the one that counts, before all others a full disk, which ends the pass.
    mutating func note(_ obstacle: SyncSummary.Obstacle) {
        if case .noSpace = obstacle { summary.obstacle = obstacle }
        summary.obstacle = summary.obstacle ?? obstacle
    }

    mutating func settle(_ outcome: DayOutcome, at now: Date) {
        let day = outcome.day
        switch outcome.result {
        case .kept(let path, let bytes):
            complete.insert(day)
            known.pending[day] = nil
            if day >= latest?.day ?? .first { latest = (day, path) }
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
            known.pending[day] = Pending(
                isPartial ? .partial : cause, reason, after: earlier, at: now)
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
            !complete.contains(day) || pending.cause == .partial
        }
        try save(in: store)
        try pointLatest(in: store)
        summary.newest = known.newest
        summary.lastSuccess = known.lastSuccess
        summary.newestComplete = complete.max()
        summary.nextLook = plan(at: now).nextLook
        guard let wanted else { return }
        summary.wanted = wanted.count - Day.neverPublished.count { wanted.contains($0) }
        summary.complete = complete.count { wanted.contains($0) }
    }

    private mutating func pointLatest(in store: Store) throws {
        guard let newest = complete.max() else { return }
        if latest?.day != newest {
            let record = try store.record(of: newest)
            latest = (record?.picture?.path ?? record?.video?.path).map { (newest, $0) }
        }
        if let latest { try store.pointLatest(at: latest.path) }
    }
}
