internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// What a sync knows about the days: stored state, claims, outcomes and summary.
///
/// Saved at the end and in between: ``save()``.
struct SyncRoundState {
    var known: SyncState
    /// The days with a record and a picture or video, also partial ones.
    private(set) var complete: Set<Day>
    private(set) var summary = SyncSummary()

    let synchronizer: Synchronizer
    let favorites: Set<Day>
    /// The days whose pictures are here already, and have no record.
    let unrecorded: Set<Day>
    /// The days whose files may be damaged.
    let suspects: Set<Day>
    private let retry: SyncPlan.Retry
    private var saved: SyncState
    private var claimed: Set<Day> = []
    /// Whether this sync had a problem, and whether it saw NASA's newest entry.
    private var hasProblem = false
    private(set) var sawNewest = false
    /// Whether this tree is known, or was recovered after it was copied.
    private var isRecovered = true
    /// The tree at the start of the sync.
    let snapshot: TreeSnapshot
    /// The days with a record at the start of the sync.
    let recorded: Set<Day>
    /// The accepted dates of entries, decided by what was recorded before the sync.
    let dates: PlausibleDates
    private let recordedTime: Date?
    var retention: Retention
    /// The days whose entries came with the newest one.
    var polled: Set<Day> = []
    private(set) var problems: [String] = []
    /// What was changed before the first request.
    private(set) var notices: [String] = []

    /// Reads the tree and the stored state.
    init(of synchronizer: Synchronizer, retry: SyncPlan.Retry) throws {
        let store = synchronizer.store
        let now = synchronizer.now()
        self.synchronizer = synchronizer
        let options = synchronizer.options
        var suspects = synchronizer.suspects()
        self.retry = retry
        // Without state.json it is not known whether the tree was copied.
        if let tree = try store.state().tree, try tree != CopiedTree.identity(of: store.tree) {
            var moves: [String] = []
            do {
                suspects.formUnion(
                    try CopiedTree(store: store).recover(
                        isUnmarked: tree == CopiedTree.unmarked, at: now,
                        report: { moves.append($0) }))
            } catch {
                isRecovered = false
                problems.append("cannot restore the copied mirror: \(error)")
            }
            notices = moves
        }
        self.suspects = suspects
        favorites = synchronizer.favorites().union(suspects)
        saved = try store.state()
        known = saved
        if let since = options.since {
            known.since = since
            known.downloadsVideos = options.downloadsVideos
            known.keep = options.keep
        }
        known.hosts = known.hosts.filter { $0.value > now }
        known.retries = known.retries.mapValues { $0.clamped(to: now) }
        snapshot = try store.snapshots.walk()
        complete = try store.completeDays(snapshot, readsAll: saved.newest == nil)
        recorded = snapshot.recorded
        unrecorded = store.unrecordedDays(snapshot).union(
            try store.adoptedDays().subtracting(complete))
        retention = Retention(
            options.keep, store: store, snapshot: snapshot, complete: complete,
            favorites: synchronizer.protected)
        // A deleted record is restored at once, without waiting for a retry; other causes can have none.
        for (day, state) in known.retries where !recorded.contains(day) {
            guard [.lost, .noImage, .noStill, .partial].contains(state.cause) else { continue }
            known.retries[day]?.next = now
        }
        for day in suspects where complete.contains(day) {
            let state = known.retries[day]
            // The stored cause may concern another file, so it is replaced by `partial`; a repair that was
            // asked for does not wait.
            guard state?.cause != .partial || retry != .due else { continue }
            known.retries[day] = RetryState(
                dueAt: now, .partial, "one of its files is damaged", after: state)
        }
        problems += snapshot.obstacles.map(Self.text)
        dates = store.plausibleDates(known, complete, at: now, built: synchronizer.built)
        recordedTime = store.recordedTime(known, complete)
        // `newest` may have been stored while the clock was ahead, or from a wrong entry.
        if let newest = known.newest, !dates.contains(newest) {
            known.newest = known.newest(of: complete, dates)
        }
        updateRetention()
        // Without a retry, a later sync would take the file of a user for the picture.
        for day in snapshot.complete.subtracting(complete)
        where known.retries[day] == nil && range?.contains(day) == true && !isExcluded(day) {
            known.retries[day] = RetryState(
                dueAt: now, .unreachable, "its picture is not in the mirror", after: nil)
        }
        if options.downloadsVideos, !saved.downloadsVideos { scheduleVideos(at: now) }
    }

    /// Makes all days without their video due, in the first sync with `--videos`.
    private mutating func scheduleVideos(at now: Date) {
        for day in recorded {
            let state = known.retries[day]
            guard state.map(\.cause.isWithoutStill) ?? complete.contains(day),
                let video = (try? store.record(of: day))?.video, video.path == nil,
                video.url.hasSuffix(".mp4")
            else { continue }
            known.retries[day] = RetryState(
                dueAt: now, state?.cause ?? .partial,
                state?.reason ?? "its video is not downloaded yet", after: state)
        }
    }

    var options: Synchronizer.Options { synchronizer.options }
    private var store: Store { synchronizer.store }

    // MARK: Plan

    /// The days to mirror; `nil` if NASA was never reached.
    var range: ClosedRange<Day>? { options.since == nil ? nil : known.range }

    private func plan(retry: SyncPlan.Retry) -> SyncPlan {
        SyncPlan(
            complete: complete, range: range, favorites: favorites, unrecorded: unrecorded,
            retries: known.retries, now: synchronizer.now(), retry: retry)
    }

    /// Seconds until the lists that failed are requested again.
    private static let listRetry = 600.0

    /// Claims the due days that no task of this sync handles yet, favorites first.
    mutating func claim() -> [Day] {
        plan(retry: retry).days.filter { claimed.insert($0).inserted }
    }

    // MARK: Claims

    /// Claims the day of an entry in the newest list or in one of ``RecheckWalk``, unless a task of this
    /// sync handles it: if it may be an edit of a complete day, or is news of a missing one.
    ///
    /// One task per day; two would write the same temporary file.
    mutating func claimUpdate(_ entry: Entry) -> Bool {
        let day = entry.day
        // What waits for its retry belongs to the earlier entry.
        if known.retries[day]?.cause == .partial, isChanged(entry) || hasNewURL(entry) {
            let now = synchronizer.now()
            known.retries[day]?.next = now
        }
        let isEdit = complete.contains(day) || isRemoved(day)
        let isNew = !complete.contains(day) && !isExcluded(day) && isNews(entry)
        return (isEdit || isNew) && claimed.insert(day).inserted
    }

    /// Whether files of `day` are to be downloaded now: a partial day keeps its retry time.
    func isDue(_ day: Day) -> Bool {
        guard complete.contains(day), let state = known.retries[day] else { return true }
        return state.next <= synchronizer.now() || retry.includes(state.cause)
    }

    // MARK: Outcomes

    mutating func record(newest: Day, polled entries: [Entry]) {
        // The list may be an old one: a complete day was published, whatever NASA lists now.
        known.newest = max(newest, dates.newest(of: complete) ?? newest)
        polled = Set(entries.map(\.day))
        updateRetention()
        let now = synchronizer.now()
        known.lastSuccess = now
        known.clock = max(now, recordedTime ?? now)
        sawNewest = true
    }

    mutating func leaveRest() { summary.isUnfinished = true }

    mutating func record(_ message: String) {
        hasProblem = true
        known.lastError = SyncState.Failure(at: synchronizer.now(), message: message)
    }

    /// Records the first obstacle, also after errors of single days; a full disk overrides it and ends the sync.
    mutating func record(_ obstacle: SyncSummary.Obstacle) {
        if obstacle.kind == .noSpace || !summary.isObstructed && obstacle.kind != .oneDay {
            summary.obstacle = obstacle
        }
        summary.obstacle = summary.obstacle ?? obstacle
    }

    mutating func settle(_ outcome: EntryOutcome) {
        let day = outcome.day
        switch outcome.result {
        case .downloaded(_, let bytes, let isEdit):
            complete(day, bytes: bytes)
            summary.downloaded += 1
            if isEdit { summary.edited += 1 }
            summary.bytes = summary.bytes.addingSaturating(bytes)
        case .returned(_, let bytes):
            complete(day, bytes: bytes)
            summary.returned += 1
        case .removed(let bytes):
            complete.remove(day)
            known.retries[day] = nil
            summary.removed += 1
            summary.removedBytes = summary.removedBytes.addingSaturating(bytes)
        case .edited, .unchanged:
            if isDue(day) { known.retries[day] = nil }
            if case .edited = outcome.result { summary.edited += 1 }
        case .incomplete(let cause, let reason, _):
            let earlier = known.retries[day]
            if cause == .partial { complete.insert(day) }
            // What this machine could not write of a day that does not count as missing: an edit, an
            // adopted picture, a favorite.
            if cause == .localError, complete.contains(day) || range?.contains(day) != true {
                record(SyncSummary.Obstacle(.oneDay, "\(day): \(reason)"))
            }
            // A partial day stays partial, whatever failed; a transient failure does not change that a day
            // has no still image.
            let isPartial = earlier?.cause == .partial && complete.contains(day)
            let none = earlier.flatMap { $0.cause.isWithoutStill ? $0.cause : nil }
            known.retries[day] = RetryState(
                isPartial ? .partial : cause.isTransient ? none ?? cause : cause, reason,
                modified: outcome.modified, after: earlier, at: synchronizer.now())
        case .noSpace(let message):
            record(SyncSummary.Obstacle(.noSpace, message))
        }
    }

    private mutating func complete(_ day: Day, bytes: Int) {
        complete.insert(day)
        known.retries[day] = nil
        retention.add(day, bytes: bytes, newest: known.newest)
        known.keptFrom = retention.oldestKept
    }

    // MARK: Saving

    /// Writes state.json if it has changed.
    mutating func save() throws {
        guard known.isWorthSaving(over: saved) else { return }
        try store.save(known)
        saved = known
    }

    /// Saves NASA's newest day as soon as it is known.
    mutating func saveNewest() throws {
        if known.newest != saved.newest { try save() }
    }

    /// Saves the final state and completes the summary.
    mutating func close() throws {
        known.hosts = synchronizer.client.hosts.notBefore.mapValues {
            Date(timeIntervalSince1970: $0)
        }
        known.retries = known.retries.filter { day, state in
            guard !complete.contains(day) else { return state.cause == .partial }
            // What a shorter --since no longer wants is not missing.
            let isWanted = known.range?.contains(day) ?? (day <= known.newest ?? .last)
            return isWanted && !isExcluded(day) || favorites.contains(day)
                || unrecorded.contains(day)
        }
        if sawNewest, !hasProblem { known.lastError = nil }
        if isRecovered { known.tree = try CopiedTree.identity(of: store.tree) }
        completeSummary()
        try save()
    }

    private mutating func completeSummary() {
        summary.newest = known.newest
        summary.lastSuccess = known.lastSuccess
        summary.newestComplete = known.newest(of: complete, dates)
        let rest = plan(retry: .due)
        // Days are still due if a list with their entries failed.
        summary.nextRetry =
            rest.days.isEmpty
            ? rest.nextRetry : synchronizer.now().addingTimeInterval(Self.listRetry)
        guard let range else { return }
        summary.expected = range.count - Day.neverPublished.count { range.contains($0) }
        summary.complete = complete.count { range.contains($0) }
        summary.withoutPicture = known.retries.count { day, state in
            state.hasNoPicture && range.contains(day) && !complete.contains(day)
        }
    }
}
