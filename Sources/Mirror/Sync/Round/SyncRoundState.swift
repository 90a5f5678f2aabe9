internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// What one sync knows and decides: a table with a ``SyncDay`` for each day, and the contents of the next `state.json`.
///
/// A ``SyncRound`` makes it from the tree and `state.json`, and enters the outcome of each download. Extensions decide which
/// days are due, request older entries again, apply `--keep`, and save the state at the end.
struct SyncRoundState {
    let synchronizer: Synchronizer
    let retryPolicy: SyncPlan.Retry

    // MARK: At the start of the sync

    let snapshot: TreeSnapshot
    /// Why records cannot be read, by their days.
    let unreadableRecords: [Day: SystemError]
    /// Why files and directories cannot be read; the sync reports these errors, and goes on without their days.
    private(set) var readErrors: [SystemError]
    /// Whether this sync walked over the tree; otherwise ``snapshot`` is from an earlier sync.
    let hasWalked: Bool
    /// The days with a file that `--keep` removed, and that is at its path again.
    let daysWithReturnedFiles: Set<Day>
    /// The paths of files that a person has edited, by day, as far as the mirror is to have these days.
    private(set) var editedFiles: [Day: String] = [:]
    /// The dates that an entry may have, by the clock and by what earlier syncs recorded.
    let dates: PlausibleDates
    /// The latest time that an earlier sync recorded; the clock may have been set back since.
    private let recordedTime: Date?

    // MARK: Changed by the sync

    /// The next contents of `state.json`, without the retries of days: ``days`` has them until ``save()``.
    var nextState: SyncState
    /// The present contents of `state.json`.
    var stateOnDisk: SyncState
    /// The days that the tree, `state.json`, a caller, or NASA's list of the newest entries names.
    private(set) var days: [Day: SyncDay] = [:]
    var retention: Retention
    /// Whether NASA has sent its list of the newest entries in this sync.
    private(set) var sawNewest = false
    /// Whether anything failed in this sync.
    private(set) var hasProblem = false
    /// Whether this sync ends early, and leaves due days to the next one.
    var leavesDays = false
    /// The first error of this machine because of which a day failed; it becomes an obstacle if no day is published.
    private(set) var machineObstacle: Obstacle?
    var summary = SyncSummary()

    /// Reads the tree and `state.json`, and corrects what a wrong clock or other settings left in `state.json`.
    ///
    /// If `reusesWalk`, the snapshot of an earlier sync may be used. The days `underWay` have downloads of earlier syncs.
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
        daysWithReturnedFiles = recordedDays.withReturnedFiles
        unreadableRecords = recordedDays.unreadable
        for day in recordedDays.withoutRedirectPage {
            // A page that cannot be written is tried again after the next walk.
            _ = try? store.record(of: day).map { try store.tree.restoreRedirectPage(of: $0) }
            store.snapshots.recordChange(of: day)
        }
        retention = Retention(
            synchronizer.options.keep, store: store, snapshot: snapshot,
            recordedDays: recordedDays, favorites: synchronizer.favorites)
        dates = try store.plausibleDates(
            nextState, recorded: daysWithFiles, at: now, built: synchronizer.built)
        recordedTime = try store.recordedTime(nextState, recorded: daysWithFiles)
        try fillTable(daysWithFiles: daysWithFiles, underWay: underWay)
        // This order matters: the dates correct the newest day, the newest day decides which days are kept, and the kept days
        // decide which days are due.
        if let newest = nextState.newest, !dates.contains(newest) {
            nextState.newest = nextState.newest(of: daysWithFiles, dates)
        }
        try updateRetention()
        try makeDaysDue(missingFiles: recordedDays.missingFiles, at: now)
        editedFiles = recordedDays.editedFiles.filter { day, _ in
            range?.contains(day) == true || self[day].isWantedFavorite
        }
        explainEdits(at: now)
        putOffUnfinishedDays(at: now)
        summary.hasNews = hasWalked
    }

    private mutating func fillTable(daysWithFiles: Set<Day>, underWay: Set<Day>) throws {
        let recorded = snapshot.recordedInOrder
        let retried = nextState.retries.keys
        days.reserveCapacity(recorded.count + retried.count)
        func row(of day: Day, isRecorded: Bool) -> SyncDay {
            var row = SyncDay()
            row.isRecorded = isRecorded
            row.state = DayState(
                hasFiles: daysWithFiles.contains(day), isRecorded: isRecorded,
                saved: nextState.retries[day])
            return row
        }
        for day in retried { days[day] = row(of: day, isRecorded: false) }
        for day in recorded { days[day] = row(of: day, isRecorded: true) }
        for day in underWay {
            self[day].work = .underWay
            self[day].isPlanned = true
        }
        for day in synchronizer.wantedFavorites() { self[day].isWantedFavorite = true }
        for day in synchronizer.damagedDays() { self[day].isDamaged = true }
        do throws(SystemError) {
            for day in try store.adoptedDays() where !daysWithFiles.contains(day) {
                self[day].isAdopted = true
            }
        } catch {
            guard !error.concernsEveryFile else { throw error }
            // No day is missing because `adopted/` cannot be read. So nothing else would show the failure.
            recordFailure(Self.text(error))
            readErrors.append(error)
        }
    }

    /// The state that `saved` becomes with the options of this sync, and without times in the future.
    private static func adjusted(
        _ saved: SyncState, for options: Synchronizer.Options, at now: Date
    ) -> SyncState {
        var state = saved
        // A sync of single days has no `since`, and does not change the options of the mirror.
        if let since = options.since {
            state.since = since
            state.downloadsVideos = options.downloadsVideos
            state.keep = options.keep
        }
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

    /// The days in the table whose rows have a property, such as `\.isPolled`.
    func days(where hasProperty: (SyncDay) -> Bool) -> Set<Day> {
        Set(days.compactMap { hasProperty($0.value) ? $0.key : nil })
    }

    func hasFiles(_ day: Day) -> Bool { self[day].state.hasFiles }
    var daysWithFiles: [Day] { days.compactMap { $0.value.state.hasFiles ? $0.key : nil } }

    // MARK: Outcomes

    /// Records that NASA sent its list of the newest entries.
    mutating func recordPoll(newest: Day, entries: [Entry]) {
        // NASA's newest day is at least the newest one in the mirror, even if NASA sends an outdated list.
        nextState.newest = max(newest, dates.newest(of: daysWithFiles) ?? newest)
        for entry in entries { self[entry.day].isPolled = true }
        // After an error, the decision which days are kept stays as it was at the start of the sync.
        try? updateRetention()
        let now = synchronizer.now()
        nextState.lastSuccess = now
        nextState.clock = max(now, recordedTime ?? now)
        sawNewest = true
    }

    /// Records why not all days come by NASA's API, and since when; the `reason` is `nil` if all days do.
    mutating func recordFailureOfAPI(_ reason: String?) {
        let since = nextState.apiFailure?.at ?? synchronizer.now()
        nextState.apiFailure = reason.map { SyncState.Failure(at: since, message: $0) }
    }

    /// Records a failure, perhaps of a single day, as the last error that `status` prints.
    mutating func recordProblem(_ message: String) {
        hasProblem = true
        summary.hasNews = true
        nextState.lastError = SyncState.Failure(at: synchronizer.now(), message: message)
    }

    /// Records what prevents all downloads: the first obstacle of the sync, or a full disk even if it comes later.
    mutating func recordObstacle(_ obstacle: Obstacle) {
        if summary.obstacle == nil || obstacle.kind == .space { summary.obstacle = obstacle }
    }

    /// Records the first failure that no missing day shows, as ``SyncSummary/failure``.
    mutating func recordFailure(_ text: String) { summary.failure = summary.failure ?? text }

    /// Records that all files of `day` are in the tree again without a request, as if they had been there at the start.
    ///
    /// If the picture is a reduced copy, it still waits for its retry.
    mutating func recordReturn(of day: Day) {
        let saved = stateOnDisk.retries[day].flatMap { $0.cause == .localError ? nil : $0 }
        self[day].state = DayState(hasFiles: true, isRecorded: true, saved: saved)
        store.snapshots.recordChange(of: day)
        retention.updateSize(of: day)
    }

    /// Records by which route a day came; forgets it when the API has answered, even that it has no usable entry.
    private mutating func recordRoute(of outcome: EntryOutcome) {
        let isRefused =
            outcome.result.problem.map { [.unpublished, .unusable].contains($0.cause) } ?? false
        guard outcome.route != nil || isRefused else { return }
        var routes = nextState.otherRoutes ?? [:]
        routes[outcome.day] = outcome.route == .api ? nil : outcome.route
        nextState.otherRoutes = routes.isEmpty ? nil : routes
    }

    /// Enters the outcome of a day: its next state, the summary, and an obstacle.
    mutating func apply(_ outcome: EntryOutcome) {
        let day = outcome.day
        let earlier = self[day].state
        var later = earlier.after(outcome, at: synchronizer.now())
        if editedFiles[day] != nil, let retry = later.retry {
            later.retry = Self.explainingEdit(retry)
        }
        self[day].state = later
        recordRoute(of: outcome)
        summary.count(outcome)
        let isUnchanged = if case .unchanged = outcome.result { later == earlier } else { false }
        if outcome.didPublish || !isUnchanged { summary.hasNews = true }
        // A person has put a file back since the walk, or taken it away. The snapshot has to read the day again.
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
        // The summary counts missing days of the range. It does not show the failure of any other day.
        if [.localError, .doesNotFit].contains(problem.cause),
            earlier.hasFiles || range?.contains(day) != true
        {
            recordFailure("\(day): \(problem.obstacle?.text ?? problem.reason)")
        }
    }
}
