internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// One sync: ``run()`` shows the order of its steps.
///
/// ``Synchronizer`` makes one at start, on schedule and on request. After the poll, the newest entry and the backlog, which
/// are the older days that are due, are downloaded concurrently, and a failure of one does not affect the other. What the
/// sync knows is in ``SyncRoundState``, which this actor alone changes: ``Downloads`` send it their outcomes. Extensions
/// have the newest entries, the backlog, the problems, the recheck of older entries, and `--keep`.
actor SyncRound {
    let synchronizer: Synchronizer
    let report: @Sendable (SyncEvent) -> Void
    var state: SyncRoundState
    /// The feeds of days: the API, or from the poll on the routes that can be used.
    var feeds: DayFeeds
    /// The failures of requests besides that for the newest entries.
    var failedRequests: [String] = []
    /// The hosts that did not answer in this sync.
    let hostFailures: HostFailures

    // MARK: Its end

    /// Resumed when the sync is to end before its downloads.
    private let endRequest: CancellableContinuation
    /// What the end waits for, so that syncs which are ended again and again make progress: the first answer about the
    /// backlog, which follows NASA's list of the newest entries.
    let answerAboutBacklog = CancellableContinuation()
    /// Whether to begin no further days of the backlog.
    private(set) var isEnding = false
    /// The slots that days need which are left to the next sync.
    var slotsOfRest: [AsyncSemaphore] = []

    init(
        _ synchronizer: Synchronizer, retry: SyncPlan.Retry, reusesWalk: Bool,
        endingOn endRequest: CancellableContinuation,
        report: @escaping @Sendable (SyncEvent) -> Void
    ) throws {
        self.synchronizer = synchronizer
        feeds = DayFeeds(synchronizer.routes.api)
        self.report = report
        self.endRequest = endRequest
        hostFailures = HostFailures(answering: synchronizer.client.upstream)
        state = try SyncRoundState(
            of: synchronizer, retry: retry, reusesWalk: reusesWalk,
            underWay: synchronizer.downloads.days)
        // The pauses of this process may be longer than the saved ones: saving may have failed.
        synchronizer.client.hosts.restore(
            state.nextState.hosts.mapValues(\.timeIntervalSince1970))
    }

    func run() async -> SyncSummary {
        let downloads = synchronizer.downloads
        for outcome in downloads.setRound(self) {
            // At the start of this sync the disk had room again.
            if case .noSpace = outcome.result {
                state[outcome.day].work = .none
            } else {
                apply(outcome)
            }
        }
        for error in state.readErrors { reportProblem(SyncRoundState.text(error)) }
        for path in state.edited.values.sorted() {
            report(.notice("\(path) was changed: \(SyncRoundState.fateOfEdits)"))
        }
        reportUnfinishedDownloads()
        recordReturnedFiles()
        restoreWholeFiles()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.requestDays() }
            group.addTask { await self.waitForEnd() }
            // The end cancels requests and waits, but no download.
            await group.next()
            group.cancelAll()
        }
        if Task.isCancelled { await downloads.cancel() }
        downloads.setRound(nil).forEach(apply)
        // Else the end of a download, which is late from here on, causes the next sync: no other could begin one.
        state.summary.isUnfinished = slotsOfRest.contains(where: \.isFree)
        state.leavesDays = !slotsOfRest.isEmpty
        // The obstacle was reported; most other requests failed for the same reason.
        let isOutage = [.network, .clock].contains(state.summary.obstacle?.kind)
        if !isOutage { for problem in failedRequests { reportProblem(problem) } }
        applyRetention()
        attempt { try state.close() }
        return state.summary
    }

    /// Takes back what is whole in `damaged/`, before NASA is asked for it.
    private func restoreWholeFiles() {
        guard state.hasWalked else { return }
        let incomplete = state.days(where: {
            $0.work == .none && $0.isRecorded && (!$0.state.hasFiles || $0.isSuspect)
        })
        for record in synchronizer.store.restoreFromDamaged(incomplete) {
            state.recordReturn(of: record.entry.day)
            apply(
                EntryOutcome(record.entry.day, didRequestFiles: false, didPublish: true, .unchanged)
            )
        }
    }

    /// Requests the entries of all days that are due, and waits for their downloads.
    private func requestDays() async {
        // First, as it shows which route older days have, too.
        await syncNewest()
        // Those that are due if the poll failed; else only those of other routes are left.
        await downloadBacklog(claimDueDays() + state.claimDaysOfOtherRoutes())
        await recheck()
    }

    /// Returns when the sync is to end before its downloads, which then go on.
    private func waitForEnd() async {
        do {
            try await endRequest.wait()
            isEnding = true
            try await answerAboutBacklog.wait()
        } catch {
            // Cancelled, or all is done.
        }
    }

    /// Claims the due days that are not handled yet.
    ///
    /// - Returns: Those to download; unreadable days are finished already.
    func claimDueDays() -> [Day] {
        let days = state.claimDueDays()
        if !days.isEmpty { report(.planned(days: days.count)) }
        return days.filter { day in
            guard let error = state.obstruction(of: day) else { return true }
            apply(day, .localError, error)
            return false
        }
    }

    // MARK: Outcomes

    var isStopped: Bool { state.summary.isOutOfSpace || Task.isCancelled }

    /// Applies what ended since the last call.
    func applyOutcomes() { synchronizer.downloads.takeOutcomes(for: self).forEach(apply) }

    /// Puts an outcome into the state, and reports it.
    func apply(_ outcome: EntryOutcome) {
        state[outcome.day].work = .ended
        switch outcome.result {
        case .cancelled: return
        // Concurrent downloads fail for the same reason: report it once.
        case .noSpace where isStopped: return
        case .noSpace(let obstacle): reportProblem(obstacle.text)
        case .downloaded, .edited, .incomplete, .missing, .partial, .removed, .unchanged: break
        }
        if outcome.didPublish {
            for problem in outcome.entryProblems {
                reportProblem("\(outcome.day): left out of its record: \(problem)")
            }
        }
        state.apply(outcome)
        if !state.finishPlanned(outcome.day) {
            switch outcome.result {
            case .cancelled, .unchanged: return
            case .removed: break
            // Counted only now: its entry might have had no news.
            case .downloaded, .edited, .incomplete, .missing, .noSpace, .partial:
                report(.planned(days: 1))
            }
        }
        report(.day(outcome))
    }

    func apply(_ day: Day, _ cause: RetryState.Cause, _ reason: String) {
        apply(EntryOutcome(day, .incomplete(DayProblem(cause, reason))))
    }

    func record(_ rejections: [EntryRejection]) {
        for rejection in rejections {
            if let day = rejection.day {
                apply(day, .unusable.proved(by: feeds[day].route), rejection.reason)
            } else {
                reportProblem(rejection.reason)
            }
        }
    }
}
