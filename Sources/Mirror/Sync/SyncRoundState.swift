internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// What a sync knows: where each day stands, and what state.json and the summary are to say.
struct SyncRoundState {
    let synchronizer: Synchronizer
    /// The next contents of state.json: see ``save()``.
    var known: SyncState
    /// The present contents of state.json.
    var saved: SyncState
    /// The days that are not ``DayState/unknown``.
    var days: [Day: DayState] = [:]
    /// The days that a task of this sync handles or has handled.
    private var claims: [Day: Claim] = [:]
    var summary = SyncSummary()

    /// Days to mirror besides ``range``: those of favorites and ``suspects``.
    let favorites: Set<Day>
    /// The days whose files may be damaged.
    let suspects: Set<Day>
    /// The days whose pictures are here already, and have no record.
    let unrecorded: Set<Day>
    /// The tree, and the days with a record, at the start of the sync.
    let snapshot: TreeSnapshot
    let recorded: Set<Day>
    /// The accepted dates of entries, decided by what was recorded before the sync.
    let dates: PlausibleDates
    private let recordedTime: Date?
    private let retry: SyncPlan.Retry
    var retention: Retention
    /// The days whose entries came in the list of the newest entries.
    var polled: Set<Day> = []

    private(set) var hasProblem = false
    private(set) var sawNewest = false
    /// What went wrong before the first request: for people.
    let problems: [String]

    private enum Claim {
        /// Counted as planned, and not finished.
        case planned
        /// Finished, or not counted as planned.
        case other
    }

    /// Reads the tree and the stored state.
    init(of synchronizer: Synchronizer, retry: SyncPlan.Retry) throws {
        let store = synchronizer.store
        let now = synchronizer.now()
        self.synchronizer = synchronizer
        self.retry = retry
        suspects = synchronizer.suspects()
        favorites = synchronizer.favorites().union(suspects)
        saved = try store.state()
        known = Self.adjusted(saved, for: synchronizer.options, at: now)

        snapshot = try store.snapshots.walk()
        let present = try store.completeDays(snapshot, readsAll: saved.newest == nil)
        recorded = snapshot.recorded
        unrecorded = store.unrecordedDays(snapshot).union(
            try store.adoptedDays().subtracting(present))
        problems = snapshot.obstacles.map(Self.text)
        for day in present.union(recorded).union(known.retries.keys) {
            days[day] = DayState(
                hasFiles: present.contains(day), isRecorded: recorded.contains(day),
                retry: known.retries[day])
        }
        retention = Retention(
            synchronizer.options.keep, store: store, snapshot: snapshot, complete: present,
            favorites: synchronizer.protected)
        dates = store.plausibleDates(known, present, at: now, built: synchronizer.built)
        recordedTime = store.recordedTime(known, present)
        // `newest` may have been stored while the clock was ahead, or from a wrong entry.
        if let newest = known.newest, !dates.contains(newest) {
            known.newest = known.newest(of: present, dates)
        }
        updateRetention()
        makeDue(foreign: snapshot.complete.subtracting(present), at: now)
    }

    /// The stored state, with the options of this sync and without times that a wrong clock recorded.
    private static func adjusted(
        _ saved: SyncState, for options: Synchronizer.Options, at now: Date
    ) -> SyncState {
        var known = saved
        if let since = options.since {
            known.since = since
            known.downloadsVideos = options.downloadsVideos
            known.keep = options.keep
        }
        known.hosts = known.hosts.filter { $0.value > now }
        known.retries = known.retries.mapValues { $0.clamped(to: now) }
        return known
    }

    /// Makes days due whose retry need not be waited for; days in `foreign` have only files of a user.
    private mutating func makeDue(foreign: Set<Day>, at now: Date) {
        // Days with these causes had a record: it was deleted, and is restored at once.
        for (day, state) in days where !recorded.contains(day) {
            guard var retry = state.retry,
                [.lost, .noImage, .noStill, .partial].contains(retry.cause)
            else { continue }
            retry.next = now
            days[day] = state.retried(retry)
        }
        for day in suspects where hasFiles(day) {
            // The stored retry may be that of another file; only a requested sync does not wait for it.
            guard days[day]?.retry == nil || self.retry != .due else { continue }
            days[day] = .partial(
                RetryState(
                    dueAt: now, .partial, "one of its files is damaged", after: days[day]?.retry))
        }
        // Without a retry, a later sync would take the file of a user for the picture.
        for day in foreign
        where days[day]?.retry == nil && range?.contains(day) == true && !isExcluded(day) {
            days[day] = .missing(
                RetryState(
                    dueAt: now, .unreachable, "its picture is not in the mirror", after: nil))
        }
        if options.downloadsVideos, !saved.downloadsVideos { makeVideosDue(at: now) }
    }

    /// Makes all days without their video due, in the first sync with `--videos`.
    private mutating func makeVideosDue(at now: Date) {
        for day in recorded {
            let state = self[day]
            guard state.retry.map(\.cause.isWithoutStill) ?? state.hasFiles,
                let video = (try? store.record(of: day))?.video, video.path == nil,
                video.url.hasSuffix(".mp4")
            else { continue }
            days[day] = state.retried(
                RetryState(
                    dueAt: now, state.retry?.cause ?? .partial,
                    state.retry?.reason ?? "its video is not downloaded yet", after: state.retry))
        }
    }

    var options: Synchronizer.Options { synchronizer.options }
    var store: Store { synchronizer.store }

    subscript(day: Day) -> DayState { days[day] ?? .unknown }
    func hasFiles(_ day: Day) -> Bool { self[day].hasFiles }
    /// The days whose picture or video is here.
    var present: Set<Day> { Set(days.lazy.filter(\.value.hasFiles).map(\.key)) }

    // MARK: Claims

    /// The days to mirror; `nil` if NASA was never reached.
    var range: ClosedRange<Day>? { options.since == nil ? nil : known.range }

    func plan(retry: SyncPlan.Retry) -> SyncPlan {
        SyncPlan(
            days, range: range, favorites: favorites, unrecorded: unrecorded,
            now: synchronizer.now(), retry: retry)
    }

    /// Claims the due days that no task of this sync handles yet, favorites first.
    mutating func claim() -> [Day] {
        let new = plan(retry: retry).days.filter { claims[$0] == nil }
        for day in new { claims[day] = .planned }
        return new
    }

    /// Claims the day of an entry that was not requested by its day.
    ///
    /// - Returns: Whether the entry may be an edit of a day that is here or is news of a missing day, and no
    ///   task of this sync handles the day yet: two would write the same temporary file.
    mutating func claimUpdate(_ entry: Entry) -> Bool {
        let day = entry.day
        // The retry was for the files of the earlier entry.
        if case .partial(var retry) = self[day], isChanged(entry) || hasNewURL(entry) {
            retry.next = synchronizer.now()
            days[day] = .partial(retry)
        }
        let isEdit = isOfFeed(entry) && (hasFiles(day) || isRemoved(day))
        let isNew = !hasFiles(day) && !isExcluded(day) && isNews(entry)
        guard isEdit || isNew, claims[day] == nil else { return false }
        claims[day] = .other
        return true
    }

    /// Ends the claim of a planned day; returns whether it was one.
    mutating func finish(_ day: Day) -> Bool {
        guard claims[day] == .planned else { return false }
        claims[day] = .other
        return true
    }

    // MARK: Outcomes

    /// Records that NASA's list of the newest entries was seen.
    mutating func record(newest: Day, polled entries: [Entry]) {
        // The list may be outdated: a day that is here was published, whatever NASA lists now.
        known.newest = max(newest, dates.newest(of: present) ?? newest)
        polled = Set(entries.map(\.day))
        updateRetention()
        let now = synchronizer.now()
        known.lastSuccess = now
        known.clock = max(now, recordedTime ?? now)
        sawNewest = true
    }

    mutating func record(_ message: String) {
        hasProblem = true
        known.lastError = SyncState.Failure(at: synchronizer.now(), message: message)
    }

    /// Records the first obstacle; it overrides errors of single days, and a full disk overrides everything.
    mutating func record(_ obstacle: SyncSummary.Obstacle) {
        let overrides =
            obstacle.kind == .noSpace || !summary.isObstructed && obstacle.kind != .oneDay
        if overrides || summary.obstacle == nil { summary.obstacle = obstacle }
    }

    mutating func apply(_ outcome: EntryOutcome) {
        let day = outcome.day
        let earlier = self[day]
        days[day] = earlier.after(outcome, at: synchronizer.now())
        summary.count(outcome)
        switch outcome.result {
        case .downloaded(_, let bytes, _), .returned(_, let bytes):
            retention.add(day, bytes: bytes)
            if case .bytes = options.keep { updateRetention() }
        case .incomplete(.localError, let reason, _):
            // The summary counts only days of the range that have no files as missing.
            let countsAsMissing = !earlier.hasFiles && range?.contains(day) == true
            if !countsAsMissing { record(SyncSummary.Obstacle(.oneDay, "\(day): \(reason)")) }
        case .noSpace(let message): record(SyncSummary.Obstacle(.noSpace, message))
        case .cancelled, .edited, .incomplete, .removed, .unchanged: break
        }
    }
}
