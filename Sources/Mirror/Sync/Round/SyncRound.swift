internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// One sync: polls NASA for its newest days, and downloads these and all older days that are due, at the same time.
///
/// A day is *due* if NASA is to be asked for it now. ``Synchronizer`` creates a round for each sync, and calls ``run()`` once.
/// Only this actor changes the ``SyncRoundState``, which is what the sync knows. Each download is a task of ``Downloads``. The
/// task sends its outcome to ``apply(_:)``, and may go on when the sync has ended.
///
/// This file has the order of the steps. Extensions download NASA's newest days (+Newest) and the *backlog*, which is all older
/// days that are due (+Backlog), search for edits of older entries (+Recheck), apply the setting `--keep` (+Retention), and
/// enter and report what has happened (+Reports).
actor SyncRound {
    let synchronizer: Synchronizer
    let report: @Sendable (SyncEvent) -> Void
    var state: SyncRoundState
    /// The feed from which each day is requested: NASA's API; after the poll, the feeds that were found to work.
    var feeds: DayFeeds
    /// The hosts that failed for days of this sync.
    let hostFailures = HostFailures<Day>()
    /// The errors of requests for older entries, for a report at the end of the sync.
    var failedRequests: [String] = []

    // MARK: An early end

    // A caller requests the end. The sync waits for the first answer about the backlog, because otherwise, a row of syncs that
    // end early would make no progress. Then it begins no more downloads, and leaves the other due days to the next sync.

    /// Resumed by the caller that requests the end.
    private let endRequest: CancellableContinuation
    /// Resumed at the first answer about the backlog.
    let answerAboutBacklog = CancellableContinuation()
    /// Whether the end was requested.
    private(set) var isEnding = false
    /// The groups of slots for which the left days wait; empty if none are left.
    var slotsOfLeftDays: [AsyncSemaphore] = []

    init(
        _ synchronizer: Synchronizer, retry: SyncPlan.Retry, reusesWalk: Bool,
        endingOn endRequest: CancellableContinuation,
        report: @escaping @Sendable (SyncEvent) -> Void
    ) throws {
        self.synchronizer = synchronizer
        feeds = DayFeeds(synchronizer.routes.api, newest: .last)
        self.report = report
        self.endRequest = endRequest
        state = try SyncRoundState(
            of: synchronizer, retry: retry, reusesWalk: reusesWalk,
            underWay: synchronizer.downloads.days)
        // Restoring keeps the longer pauses of this process, because saving them may have failed.
        synchronizer.client.hosts.restore(state.nextState.hosts.mapValues(\.timeIntervalSince1970))
    }

    /// Runs the sync; returns what it did, and the state of the mirror after it.
    func run() async -> SyncSummary {
        takeOverDownloads()
        reportProblemsAtStart()
        recordReturnedFiles()
        restoreIntactCopies()
        await downloadUntilEnd()
        await leaveDownloads()
        reportFailedRequests()
        applyRetention()
        attempt { try state.close() }
        return state.summary
    }

    // MARK: Before the requests

    /// Receives the outcomes of downloads that earlier syncs began.
    private func takeOverDownloads() {
        for outcome in synchronizer.downloads.setRound(self) {
            // A disk that was full before this sync had room again at the start of the sync.
            if case .noSpace = outcome.result {
                state[outcome.day].work = .none
            } else {
                apply(outcome)
            }
        }
    }

    /// Reports what cannot be read, the edited files, and the days that are put off: two processes ended in their downloads.
    private func reportProblemsAtStart() {
        // No day is missing because of this, so that nothing else would show it.
        if let error = state.stateError { reportFailure(error.textForUnreadable) }
        for error in state.readErrors { reportProblem(error.textForUnreadable) }
        for path in state.editedFiles.values.sorted() {
            report(.notice("\(path) was changed: \(SyncRoundState.fateOfEdits)"))
        }
        let daysPutOff = state.store.tree.unfinishedDownloads.withLock(\.daysToPutOff)
        guard !daysPutOff.isEmpty else { return }
        for day in daysPutOff.sorted() {
            if let retry = state[day].state.retry { reportProblem("\(day): \(retry.reason)") }
        }
        attempt { try state.savePutOffDays() }
    }

    /// Publishes missing files again that have intact copies in `damaged/`, before NASA is asked for them.
    private func restoreIntactCopies() {
        guard state.hasWalked else { return }
        let incomplete = state.days(where: {
            $0.work == .none && $0.isRecorded && (!$0.state.hasFiles || $0.isDamaged)
        })
        for record in synchronizer.store.restoreMissingFiles(of: incomplete) {
            let day = record.entry.day
            state.recordReturn(of: day)
            apply(EntryOutcome(day, didRequestFiles: false, didPublish: true, .unchanged))
        }
    }

    // MARK: Requests and downloads

    /// Requests and downloads days until all are done, or until the sync is to end.
    private func downloadUntilEnd() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.requestDays() }
            group.addTask { await self.waitForEnd() }
            // This cancels requests and waits of the sync. Downloads are tasks of their own, and go on.
            await group.next()
            group.cancelAll()
        }
    }

    /// Requests the entries of all days that are due, and waits for their downloads.
    private func requestDays() async {
        // The poll comes first, because it shows by which route older days can be requested.
        await syncNewest()
        // Only a failed poll leaves due days unclaimed.
        let dueDays = claimDueDays()
        await downloadBacklog(dueDays + state.claimDaysOfOtherRoutes())
        await recheck()
    }

    /// Returns when the sync is to end early, while its downloads go on.
    private func waitForEnd() async {
        do {
            try await endRequest.wait()
            isEnding = true
            try await answerAboutBacklog.wait()
        } catch {
            // The wait was cancelled, because the sync is done or is cancelled.
        }
    }

    /// Leaves the downloads that still run to the next sync, or cancels them if this sync is cancelled.
    private func leaveDownloads() async {
        let downloads = synchronizer.downloads
        if Task.isCancelled { await downloads.cancel() }
        downloads.setRound(nil).forEach(apply)
        // If no slot is free, the next download that ends causes the next sync.
        state.summary.isUnfinished = slotsOfLeftDays.contains(where: \.isFree)
        state.leavesDueDays = !slotsOfLeftDays.isEmpty
    }

    var isStopped: Bool { state.summary.isOutOfSpace || Task.isCancelled }

    /// Claims the due days that this sync has not handled yet.
    ///
    /// - Returns: The days to download. Days in directories that cannot be read or written have failed already, and are not
    ///   among them.
    func claimDueDays() -> [Day] {
        let days = state.claimDueDays()
        if !days.isEmpty { report(.planned(days: days.count)) }
        let problems = problemsOfMonths(of: days)
        return days.filter { day in
            let problem = state.readProblem(of: day) ?? problems[Month(of: day)]
            guard let problem else { return true }
            apply(EntryOutcome(day, .incomplete(problem)))
            return false
        }
    }

    /// Why the months of `days` cannot be written; a month that can be written is left out.
    func problemsOfMonths(of days: [Day]) -> [Month: DayProblem] {
        Dictionary(grouping: days) { Month(of: $0) }
            .compactMapValues { state.store.publishingProblem(of: $0[0]) }
    }

    /// Begins the download of the claimed day of `entry`.
    ///
    /// - Returns: A continuation that the end of the download resumes; `nil` if nothing was begun, because the day is not kept,
    ///   or because a verification reads its files now.
    func beginDownload(
        of entry: Entry, in slot: AsyncSemaphore.Permit
    ) -> CancellableContinuation? {
        let now = synchronizer.now()
        guard let scope = state.downloadScope(of: entry.day, at: now) else { return nil }
        let row = state[entry.day]
        let skipsMirrors = row.state.retry?.skipsMirrors(at: now) ?? false
        let downloader = EntryDownloader(
            synchronizer: synchronizer, hostFailures: hostFailures,
            classicMirrors: skipsMirrors ? [] : synchronizer.options.mirrors, slot: slot,
            entry: entry, scope: scope, isDamaged: row.isDamaged,
            hasAdoptedPicture: row.hasAdoptedPicture,
            outcome: SharedValue(EntryOutcome(of: entry, didRequestFiles: scope == .all)))
        let download = synchronizer.downloads.begin(entry.day, in: slot) {
            await downloader.update()
        }
        if download != nil { state[entry.day].work = .underWay }
        return download
    }
}
