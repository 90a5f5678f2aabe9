internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// What one sync (a round of downloads from NASA) knows: a table with a ``SyncDay`` for each day, and the next `state.json`.
///
/// The actor ``SyncRound``, which is one sync, makes this value from the files of the mirror and from `state.json`, asks it
/// which days to request, and enters the outcome of each download. Nobody else changes it.
///
/// This file has the table, and how it is filled. Extensions adjust the retries of days at the start (+Start), put off days that
/// made the program crash (+Unfinished), choose the days to request (+Due), notice edits (+Edits), enter outcomes (+Outcomes),
/// and end the sync (+Closing).
struct SyncRoundState {
    let synchronizer: Synchronizer
    /// Which missing days are requested before they are due.
    let retryPolicy: SyncPlan.Retry

    // MARK: Read at the start of the sync

    /// The files of each day, as a walk over the directories of all months found them.
    let snapshot: TreeSnapshot
    /// Whether this sync made that walk; otherwise ``snapshot`` is from an earlier sync.
    let hasWalked: Bool
    /// Which files the records name, and which of them ``snapshot`` lacks.
    let recordedAtStart: RecordedDays
    /// The paths of files that a person has edited, by day, as far as the mirror is to have these days.
    private(set) var editedFiles: [Day: String] = [:]
    /// Why files and directories cannot be read; the sync reports these errors, and goes on without their days.
    private(set) var readErrors: [SystemError]
    /// Why `state.json` cannot be read; this sync then does not replace it.
    let stateError: SystemError?
    /// The dates that an entry may have, by the clock and by what earlier syncs recorded.
    let dates: PlausibleDates
    /// The latest time that an earlier sync recorded; the clock may have been set back since.
    let recordedTime: Date?

    // MARK: Changed by the sync

    /// The days that the tree, `state.json`, a caller, or NASA's list of the newest entries names.
    private(set) var days: [Day: SyncDay] = [:]
    /// What `--keep` keeps and removes.
    var retention: Retention
    /// What `state.json` has now; while it cannot be read, ``Store/knownState()``.
    var stateOnDisk: SyncState
    /// What ``save()`` will write to `state.json`; only its retries are out of date, which ``save()`` takes from ``days``.
    var nextState: SyncState
    /// Whether NASA has sent its list of the newest entries in this sync.
    var sawNewest = false
    /// Whether this sync ends early, and leaves due days to the next one.
    var leavesDueDays = false
    /// Whether the sync has met any problem, which ``nextState`` has as its last error.
    var hasProblem = false
    /// The first error of this machine because of which a day failed; it becomes the obstacle if no day is published.
    var machineObstacle: Obstacle?
    var summary = SyncSummary()

    var options: Synchronizer.Options { synchronizer.options }
    var store: Store { synchronizer.store }

    /// Reads the tree and `state.json`, corrects what a wrong clock or other settings left there, and restores redirect pages.
    ///
    /// If `reusesWalk`, the snapshot of an earlier sync may be used. The days `underWay` have downloads of earlier syncs.
    ///
    /// - Throws: An error of this machine because of which no sync is possible.
    init(
        of synchronizer: Synchronizer, retry: SyncPlan.Retry, reusesWalk: Bool, underWay: Set<Day>
    ) throws {
        let store = synchronizer.store
        let now = synchronizer.now()
        self.synchronizer = synchronizer
        retryPolicy = retry
        do throws(SystemError) {
            stateOnDisk = try store.state()
            stateError = nil
        } catch {
            stateOnDisk = try store.knownState()
            stateError = error
        }
        nextState = stateOnDisk.adjusted(to: synchronizer.options, at: now)

        let reusedSnapshot = reusesWalk ? store.snapshots.reuse() : nil
        snapshot = try reusedSnapshot ?? store.snapshots.walk()
        hasWalked = reusedSnapshot == nil
        readErrors = snapshot.readErrors
        recordedAtStart = try store.recordedDays(in: snapshot)
        store.restoreRedirectPages(of: recordedAtStart.withoutRedirectPage)
        retention = Retention(
            synchronizer.options.keep, store: store, snapshot: snapshot,
            recordedDays: recordedAtStart, favorites: synchronizer.favorites)
        dates = try store.plausibleDates(
            nextState, recorded: recordedAtStart.withFiles, at: now, built: synchronizer.built)
        recordedTime = try store.latestRecordedTime(nextState, recorded: recordedAtStart.withFiles)

        try fillTable(underWay: underWay)
        try decideWhatIsDue(at: now)
        summary.hasNews = hasWalked
    }

    /// Decides which days are kept, and which of these are due.
    private mutating func decideWhatIsDue(at now: Date) throws {
        correctNewestDay()
        // `--keep` depends on the newest day, and limits the range.
        try updateRetention()
        editedFiles = recordedAtStart.editedFiles.filter { day, _ in
            range?.contains(day) == true || self[day].isWantedFavorite
        }
        try adjustRetries(at: now)
        markPartialFavorites()
    }

    // MARK: The table

    /// The row of `day`; a day that is not in the table has an empty one.
    subscript(day: Day) -> SyncDay {
        get { days[day] ?? SyncDay() }
        set { days[day] = newValue }
    }

    /// The days in the table whose rows have a property, such as `\.isInNewestList`.
    func days(where hasProperty: (SyncDay) -> Bool) -> Set<Day> {
        Set(days.compactMap { hasProperty($0.value) ? $0.key : nil })
    }

    /// Whether the picture or the video of `day` is in the tree.
    func hasFiles(_ day: Day) -> Bool { self[day].state.hasFiles }
    /// The days of which the picture or the video is in the tree, in no order.
    var daysWithFiles: [Day] { days.compactMap { $0.value.state.hasFiles ? $0.key : nil } }

    // MARK: Filling the table

    /// Adds a row for each day that has a record in the tree, or a retry in `state.json`, and marks the rows of some days.
    private mutating func fillTable(underWay: Set<Day>) throws(SystemError) {
        let recorded = snapshot.recordedInOrder
        let retried = nextState.retries.keys
        days.reserveCapacity(recorded.count + retried.count)
        for day in retried { addRow(of: day, isRecorded: false) }
        for day in recorded { addRow(of: day, isRecorded: true) }
        markRows(underWay: underWay)
        try markAdoptedDays()
    }

    private mutating func addRow(of day: Day, isRecorded: Bool) {
        let state = DayState(
            hasFiles: recordedAtStart.withFiles.contains(day), isRecorded: isRecorded,
            saved: nextState.retries[day])
        days[day] = SyncDay(state: state, isRecorded: isRecorded)
    }

    /// Marks the days that are treated in another way: those with a running download, wanted favorites, and damaged days.
    private mutating func markRows(underWay: Set<Day>) {
        for day in underWay {
            self[day].work = .underWay
            self[day].isPlanned = true
        }
        for day in synchronizer.wantedFavorites() { self[day].isWantedFavorite = true }
        for day in synchronizer.damagedDays() { self[day].isDamaged = true }
    }

    /// Marks the partial days that are favorites, which are completed even if the mirror is not to have other days of their age.
    mutating func markPartialFavorites() {
        for day in synchronizer.scannedFavorites()
        where self[day].state.retry?.hasFiles == true {
            self[day].isWantedFavorite = true
        }
    }

    /// Marks the days without files whose pictures a person has imported into `adopted/`, where they wait for NASA's entries.
    private mutating func markAdoptedDays() throws(SystemError) {
        do throws(SystemError) {
            for day in try store.adoptedDays()
            where !recordedAtStart.withFiles.contains(day) {
                self[day].hasAdoptedPicture = true
            }
        } catch {
            guard !error.concernsEveryFile else { throw error }
            readErrors.append(error)
            // No day is missing because `adopted/` cannot be read. So nothing else would show the failure.
            recordSummaryFailure(error.textForUnreadable)
        }
    }

    /// Replaces a newest day with an impossible date, which a wrong clock has recorded, by the newest day with files.
    private mutating func correctNewestDay() {
        guard let newest = nextState.newest, !dates.contains(newest) else { return }
        nextState.newest = nextState.newest(of: recordedAtStart.withFiles, within: dates)
    }
}
