internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// What one sync knows and decides, without its downloads: where each day stands, which days are due, and what
/// `state.json` and the summary are to say.
///
/// A ``SyncRound`` makes one from the tree and `state.json`, and puts each outcome into it. Extensions have the
/// days that are due before their time, the rules for entries of lists, the rechecks, `--keep`, and the end.
struct SyncRoundState {
    let synchronizer: Synchronizer
    let retryPolicy: SyncPlan.Retry

    // MARK: At the start of the sync

    /// Days to mirror besides ``range``: favorites without a picture, and ``suspects``.
    let extraDays: Set<Day>
    /// The days whose files may be damaged.
    let suspects: Set<Day>
    /// The days whose pictures are here already, and have no record.
    let unrecorded: Set<Day>
    /// The tree as one walk found it.
    let snapshot: TreeSnapshot
    /// The days with a record.
    let recorded: Set<Day>
    /// The accepted dates of entries, decided by what was recorded before the sync.
    let dates: PlausibleDates
    /// The latest time that an earlier sync recorded: the clock may have been set back since.
    private let recordedTime: Date?
    /// What could not be read, for people.
    let problemsAtStart: [String]

    // MARK: Changed by the sync

    /// What `state.json` is to contain; ``days`` has the retries until it is saved.
    var nextState: SyncState
    /// What `state.json` contains now.
    var stateOnDisk: SyncState
    /// The state of each day about which the tree or `state.json` says something; others are ``DayState/unknown``.
    var days: [Day: DayState] = [:]
    /// The days that a task of this sync downloads or has downloaded: two would write the same temporary file.
    private var claimed: Set<Day> = []
    /// The days that were reported as planned and are not finished.
    private var unfinished: Set<Day> = []
    var retention: Retention
    /// The days whose entries came in the list of the newest entries.
    private(set) var polled: Set<Day> = []
    /// Whether NASA sent its list of the newest entries.
    private(set) var sawNewest = false
    /// Whether anything failed in this sync.
    private(set) var hasProblem = false
    var summary = SyncSummary()

    /// Reads the tree and `state.json`, and corrects what a wrong clock or other settings left in them.
    init(of synchronizer: Synchronizer, retry: SyncPlan.Retry) throws {
        let store = synchronizer.store
        let now = synchronizer.now()
        self.synchronizer = synchronizer
        retryPolicy = retry
        suspects = synchronizer.suspects()
        extraDays = synchronizer.missingFavorites().union(suspects)
        stateOnDisk = try store.state()
        nextState = Self.adjusted(stateOnDisk, for: synchronizer.options, at: now)

        snapshot = try store.snapshots.walk()
        // Without a state, any record may be of a day that retention removed.
        let daysWithFiles = try store.completeDays(
            snapshot, stateOnDisk, readsAll: stateOnDisk.newest == nil)
        recorded = snapshot.recorded
        unrecorded = store.unrecordedDays(snapshot).union(
            try store.adoptedDays().subtracting(daysWithFiles))
        problemsAtStart = snapshot.readErrors.map(Self.text)
        for day in daysWithFiles.union(recorded).union(nextState.days.keys) {
            days[day] = DayState(
                hasFiles: daysWithFiles.contains(day), isRecorded: recorded.contains(day),
                saved: nextState.days[day])
        }
        retention = Retention(
            synchronizer.options.keep, store: store, snapshot: snapshot, complete: daysWithFiles,
            favorites: synchronizer.favorites)
        dates = try store.plausibleDates(
            nextState, recorded: daysWithFiles, at: now, built: synchronizer.built)
        recordedTime = try store.recordedTime(nextState, recorded: daysWithFiles)
        // The accepted dates correct the newest day, which decides what is kept, and that which days are due.
        if let newest = nextState.newest, !dates.contains(newest) {
            nextState.newest = nextState.newest(of: daysWithFiles, dates)
        }
        try updateRetention()
        try makeDaysDue(
            withUserFilesOnly: snapshot.recordedWithMedia.subtracting(daysWithFiles), at: now)
    }

    /// The saved state, with the options of this sync and without times that a wrong clock recorded.
    private static func adjusted(
        _ saved: SyncState, for options: Synchronizer.Options, at now: Date
    ) -> SyncState {
        var state = saved
        // A sync of single days, without `since`, leaves the options of the mirror as they are.
        if let since = options.since {
            state.since = since
            state.downloadsVideos = options.downloadsVideos
            state.keep = options.keep
        }
        // Hosts whose pause is over.
        state.hosts = state.hosts.filter { $0.value > now }
        state.days = state.days.mapValues { day in
            day.retry.map { day.with($0.clamped(to: now)) } ?? day
        }
        return state
    }

    var options: Synchronizer.Options { synchronizer.options }
    var store: Store { synchronizer.store }

    subscript(day: Day) -> DayState { days[day] ?? .unknown }
    func hasFiles(_ day: Day) -> Bool { self[day].hasFiles }
    /// The days whose picture or video is here.
    var daysWithFiles: Set<Day> { Set(days.lazy.filter(\.value.hasFiles).map(\.key)) }

    // MARK: The days to download

    /// The days to mirror; `nil` if NASA was never reached, or only single days are to be mirrored.
    var range: ClosedRange<Day>? { options.since == nil ? nil : nextState.range }

    func plan(retry: SyncPlan.Retry) -> SyncPlan {
        SyncPlan(
            days, range: range, favorites: extraDays, unrecorded: unrecorded,
            now: synchronizer.now(), retry: retry)
    }

    /// Claims the due days that no task of this sync handles yet, favorites first.
    mutating func claimDueDays() -> [Day] {
        let new = plan(retry: retryPolicy).days.filter { !claimed.contains($0) }
        claimed.formUnion(new)
        unfinished.formUnion(new)
        return new
    }

    /// Claims the day of an entry that came in a list, if the entry has something new for the tree; returns whether
    /// the day was claimed: no task of this sync handles it yet.
    mutating func claimUpdate(_ entry: Entry) -> Bool {
        let day = entry.day
        // The retry was for the files of the earlier entry: those of this one are due.
        if case .partial(var retry) = self[day], isModifiedSinceAttempt(entry) || hasNewURL(entry) {
            retry.next = synchronizer.now()
            days[day] = .partial(retry)
        }
        let mayBeEdit = isOfCurrentFeed(entry) && (hasFiles(day) || isRemoved(day))
        let isForMissingDay = !hasFiles(day) && !isExcluded(day) && isWorthRetrying(entry)
        guard mayBeEdit || isForMissingDay else { return false }
        return claimed.insert(day).inserted
    }

    /// Marks a day as finished; returns whether it was planned.
    mutating func finishPlanned(_ day: Day) -> Bool { unfinished.remove(day) != nil }

    // MARK: Outcomes

    /// Records that NASA sent its list of the newest entries.
    mutating func recordPoll(newest: Day, entries: [Entry]) {
        // The list may be outdated: a day that is here was published, whatever NASA lists now.
        nextState.newest = max(newest, dates.newest(of: daysWithFiles) ?? newest)
        polled = Set(entries.map(\.day))
        // After an error, the decision at the start of the sync stands.
        try? updateRetention()
        let now = synchronizer.now()
        nextState.lastSuccess = now
        nextState.clock = max(now, recordedTime ?? now)
        sawNewest = true
    }

    /// Records the text of a failure, also of a single day, as the last one for `status`.
    mutating func recordProblem(_ message: String) {
        hasProblem = true
        nextState.lastError = SyncState.Failure(at: synchronizer.now(), message: message)
    }

    /// Records why the sync cannot do all of its work: a full disk, else the first obstacle for more than one day,
    /// else the first for one day.
    mutating func recordObstacle(_ obstacle: SyncSummary.Obstacle) {
        let overrides =
            obstacle.kind == .noSpace || (!summary.isObstructed && obstacle.kind != .oneDay)
        if overrides || summary.obstacle == nil { summary.obstacle = obstacle }
    }

    mutating func apply(_ outcome: EntryOutcome) {
        let day = outcome.day
        let earlier = self[day]
        days[day] = earlier.after(outcome, at: synchronizer.now())
        summary.count(outcome)
        switch outcome.result {
        case .downloaded, .partial(_, reason: _, record: .some),
            .incomplete(_, reason: _, record: .some):
            retention.updateSize(of: day)
            if case .bytes = options.keep { try? updateRetention() }
        case .noSpace(let message): recordObstacle(SyncSummary.Obstacle(.noSpace, message))
        case .cancelled, .edited, .partial, .incomplete, .removed, .unchanged: break
        }
        // The summary counts only days of the range without files as missing; other errors need an obstacle.
        if let failure = outcome.result.localFailure,
            earlier.hasFiles || range?.contains(day) != true
        {
            recordObstacle(SyncSummary.Obstacle(.oneDay, "\(day): \(failure)"))
        }
    }
}
