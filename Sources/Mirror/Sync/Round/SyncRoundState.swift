internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// What one sync knows and decides, without its downloads: a table of days, which of them are due, and what
/// `state.json` and the summary are to say.
///
/// A ``SyncRound`` makes one from the tree and `state.json`, and puts each outcome into it. Extensions have the
/// days that are due before their time, the rules for entries of lists, the rechecks, `--keep`, and the end.
struct SyncRoundState {
    let synchronizer: Synchronizer
    let retryPolicy: SyncPlan.Retry

    // MARK: At the start of the sync

    /// The tree as one walk over its directories found it.
    let snapshot: TreeSnapshot
    /// Why files and directories cannot be read: the sync reports it, and goes on without them.
    private(set) var readErrors: [SystemError]
    /// Whether this sync made the walk; otherwise an earlier one did.
    let hasWalked: Bool
    /// The days of which retention removed a file that is at its path again.
    let returnedDays: Set<Day>
    /// The paths of files of wanted days that a person changed, by day.
    private(set) var edited: [Day: String] = [:]
    /// The accepted dates of entries, decided by what was recorded before the sync.
    let dates: PlausibleDates
    /// The latest time that an earlier sync recorded: the clock may have been set back since.
    private let recordedTime: Date?

    // MARK: Changed by the sync

    /// What `state.json` is to contain, but for its retries: ``days`` has them until it is saved.
    var nextState: SyncState
    /// What `state.json` contains now.
    var stateOnDisk: SyncState
    /// Each day of which the tree, `state.json`, a caller or NASA's list of the newest entries says something.
    private(set) var days: [Day: SyncDay] = [:]
    var retention: Retention
    /// Whether NASA sent its list of the newest entries.
    private(set) var sawNewest = false
    /// Whether anything failed in this sync.
    private(set) var hasProblem = false
    /// Whether days that are due are left to the next sync.
    var leavesDays = false
    /// The first error of this machine that kept a day away, as the obstacle that it is if no other day is published.
    private(set) var machineObstacle: Obstacle?
    var summary = SyncSummary()

    /// Reads the tree and `state.json`, and corrects what a wrong clock or other settings left in them.
    ///
    /// With `reusesWalk`, the walk over the tree of an earlier sync is used, if it is still held. The days `underWay` are
    /// downloaded since earlier syncs.
    init(
        of synchronizer: Synchronizer, retry: SyncPlan.Retry, reusesWalk: Bool, underWay: Set<Day>
    ) throws {
        let store = synchronizer.store
        let now = synchronizer.now()
        self.synchronizer = synchronizer
        retryPolicy = retry
        stateOnDisk = try store.state()
        nextState = Self.adjusted(stateOnDisk, for: synchronizer.options, at: now)

        let reusedSnapshot = reusesWalk ? store.snapshots.reuse() : nil
        snapshot = try reusedSnapshot ?? store.snapshots.walk()
        readErrors = snapshot.readErrors
        hasWalked = reusedSnapshot == nil
        let recordedDays = try store.recordedDays(in: snapshot)
        let daysWithFiles = recordedDays.withFiles
        returnedDays = recordedDays.returned
        for day in recordedDays.withoutPage {
            // What cannot be written is tried again after the next walk.
            _ = try? store.record(of: day).map { try store.tree.restoreRedirectPage(of: $0) }
            store.snapshots.recordChange(of: day)
        }
        retention = Retention(
            synchronizer.options.keep, store: store, snapshot: snapshot,
            daysWithFiles: daysWithFiles, favorites: synchronizer.favorites)
        dates = try store.plausibleDates(
            nextState, recorded: daysWithFiles, at: now, built: synchronizer.built)
        recordedTime = try store.recordedTime(nextState, recorded: daysWithFiles)
        let (recorded, retried) = (snapshot.recordedInOrder, Array(nextState.retries.keys))
        days.reserveCapacity(recorded.count + retried.count)
        // A day that is both is recorded.
        for (group, isRecorded) in [(retried, false), (recorded, true)] {
            for day in group {
                var known = SyncDay()
                known.isRecorded = isRecorded
                known.state = DayState(
                    hasFiles: daysWithFiles.contains(day), isRecorded: isRecorded,
                    saved: nextState.retries[day])
                days[day] = known
            }
        }
        for day in underWay {
            self[day].work = .underWay
            self[day].isPlanned = true
        }
        for day in synchronizer.missingFavorites() { self[day].isMissingFavorite = true }
        for day in synchronizer.suspects() { self[day].isSuspect = true }
        do throws(SystemError) {
            for day in try store.adoptedDays() where !daysWithFiles.contains(day) {
                self[day].isAdopted = true
            }
        } catch {
            guard error.cause != .shortage else { throw error }
            readErrors.append(error)
        }
        // The accepted dates correct the newest day, which decides what is kept, and that which days are due.
        if let newest = nextState.newest, !dates.contains(newest) {
            nextState.newest = nextState.newest(of: daysWithFiles, dates)
        }
        try updateRetention()
        try makeDaysDue(lackingFiles: recordedDays.partial, at: now)
        edited = recordedDays.edited.filter { day, _ in
            range?.contains(day) == true || self[day].isMissingFavorite
        }
        explainEdits(at: now)
        putOffUnfinishedDays(at: now)
        summary.hasNews = hasWalked
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
        state.retries = state.retries.mapValues { $0.clamped(to: now) }
        return state
    }

    var options: Synchronizer.Options { synchronizer.options }
    var store: Store { synchronizer.store }

    // MARK: The table

    subscript(day: Day) -> SyncDay {
        get { days[day] ?? SyncDay() }
        set { days[day] = newValue }
    }

    /// The days with a property, such as `\.isRecorded`.
    func days(where hasProperty: (SyncDay) -> Bool) -> Set<Day> {
        Set(days.compactMap { hasProperty($0.value) ? $0.key : nil })
    }

    func hasFiles(_ day: Day) -> Bool { self[day].state.hasFiles }
    /// The days whose picture or video is here.
    var daysWithFiles: [Day] { days.compactMap { $0.value.state.hasFiles ? $0.key : nil } }

    // MARK: The days to download

    /// The days to mirror; `nil` if NASA was never reached, or only single days are to be mirrored.
    var range: ClosedRange<Day>? { options.since == nil ? nil : nextState.range }

    func plan(retry: SyncPlan.Retry) -> SyncPlan {
        SyncPlan(
            range: range, favorites: days(where: \.isRequestedFirst),
            adopted: days(where: \.isAdopted), now: synchronizer.now(), retry: retry
        ) {
            // What is under way is not to be requested, however long it takes.
            self[$0].work == .underWay ? .complete : self[$0].state
        }
    }

    /// Claims the due days that are not handled yet, favorites first.
    mutating func claimDueDays() -> [Day] {
        let new = plan(retry: retryPolicy).days.filter { self[$0].work == .none }
        for day in new {
            self[day].work = .claimed
            self[day].isPlanned = true
        }
        return new
    }

    /// Claims the days that came by another route and are not in NASA's list of the newest entries, once the API works.
    mutating func claimDaysOfOtherRoutes() -> [Day] {
        // That of the old format has no other routes, and answers for no day of theirs.
        guard sawNewest, nextState.apiFailure == nil, synchronizer.routes.api.kind == .basic
        else { return [] }
        let days = (nextState.otherRoutes ?? [:]).keys.filter {
            hasFiles($0) && !self[$0].isPolled && self[$0].work == .none
        }
        for day in days { self[day].work = .claimed }
        return days.sorted(by: >)
    }

    /// Marks a day as finished; returns whether it was planned.
    mutating func finishPlanned(_ day: Day) -> Bool {
        let wasPlanned = self[day].isPlanned
        self[day].isPlanned = false
        return wasPlanned
    }

    // MARK: Outcomes

    /// Records that NASA sent its list of the newest entries.
    mutating func recordPoll(newest: Day, entries: [Entry]) {
        // The list may be outdated: a day that is here was published, whatever NASA lists now.
        nextState.newest = max(newest, dates.newest(of: daysWithFiles) ?? newest)
        for entry in entries { self[entry.day].isPolled = true }
        // After an error, the decision at the start of the sync stands.
        try? updateRetention()
        let now = synchronizer.now()
        nextState.lastSuccess = now
        nextState.clock = max(now, recordedTime ?? now)
        sawNewest = true
    }

    /// Records why the API is not the route of all days, since when; `nil` if it is.
    mutating func recordFailureOfAPI(_ reason: String?) {
        nextState.apiFailure = reason.map {
            SyncState.Failure(
                at: nextState.apiFailure?.at ?? synchronizer.now(), message: $0)
        }
    }

    /// Records the text of a failure, also of a single day, as the last one for `status`.
    mutating func recordProblem(_ message: String) {
        hasProblem = true
        summary.hasNews = true
        nextState.lastError = SyncState.Failure(at: synchronizer.now(), message: message)
    }

    /// Records what keeps all days away: a full disk, else the first obstacle.
    mutating func recordObstacle(_ obstacle: Obstacle) {
        if summary.obstacle == nil || obstacle.kind == .space { summary.obstacle = obstacle }
    }

    /// Records the first failure that keeps no day away: ``SyncSummary/failure``.
    mutating func recordFailure(_ text: String) { summary.failure = summary.failure ?? text }

    /// Records that all files of a day are here again, without a request: it stands as if they had been here at the start,
    /// so that a reduced copy waits for its retry.
    mutating func recordReturn(of day: Day) {
        let saved = stateOnDisk.retries[day].flatMap { $0.cause == .localError ? nil : $0 }
        self[day].state = DayState(hasFiles: true, isRecorded: true, saved: saved)
        store.snapshots.recordChange(of: day)
        retention.updateSize(of: day)
    }

    /// Records by which route a day came, until the API has answered for it: also that it has no entry that can be used.
    private mutating func recordRoute(of outcome: EntryOutcome) {
        let isRefused =
            outcome.result.problem.map { [.unpublished, .unusable].contains($0.cause) } ?? false
        guard outcome.route != nil || isRefused else { return }
        var routes = nextState.otherRoutes ?? [:]
        routes[outcome.day] = outcome.route == .api ? nil : outcome.route
        nextState.otherRoutes = routes.isEmpty ? nil : routes
    }

    mutating func apply(_ outcome: EntryOutcome) {
        let day = outcome.day
        let earlier = self[day].state
        var later = earlier.after(outcome, at: synchronizer.now())
        if edited[day] != nil, let retry = later.retry { later.retry = Self.explainingEdit(retry) }
        self[day].state = later
        recordRoute(of: outcome)
        summary.count(outcome)
        let isUnchanged = if case .unchanged = outcome.result { later == earlier } else { false }
        if outcome.didPublish || !isUnchanged { summary.hasNews = true }
        // A person may have put a file back since the walk, which would be due again in each sync without a walk, or have
        // taken it away.
        if later.hasFiles != earlier.hasFiles { store.snapshots.recordChange(of: day) }
        let mayHaveNewFiles =
            switch outcome.result {
            case .downloaded, .partial, .missing, .incomplete: outcome.didPublish
            case .cancelled, .edited, .noSpace, .removed, .unchanged: false
            }
        if mayHaveNewFiles {
            retention.updateSize(of: day)
            if case .bytes = options.keep { try? updateRetention() }
        }
        if case .noSpace(let obstacle) = outcome.result { recordObstacle(obstacle) }
        guard let problem = outcome.result.problem else { return }
        machineObstacle = machineObstacle ?? problem.obstacle
        // The summary counts only days of the range without files as missing.
        if [.localError, .doesNotFit].contains(problem.cause),
            earlier.hasFiles || range?.contains(day) != true
        {
            recordFailure(
                "\(day): \(problem.reason); check the disk and the limits (ulimit -a)")
        }
    }
}
