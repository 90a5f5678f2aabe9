internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// One sync: polls NASA for its newest days, and downloads these and all older days that are due, at the same time.
///
/// ``Synchronizer`` creates a round for each sync, and calls ``run()`` once. Only this actor changes what the sync knows, the
/// ``SyncRoundState``. Each download is a task of ``Downloads``, which sends its outcome to ``apply(_:)``, and may go on when
/// the sync has ended.
///
/// Extensions download the newest days and the *backlog* (the older days that are due), search for edits of older entries, and
/// apply `--keep`.
actor SyncRound {
    let synchronizer: Synchronizer
    let report: @Sendable (SyncEvent) -> Void
    var state: SyncRoundState
    /// The feed from which each day is requested: NASA's API; after the poll, the feeds that were found to work.
    var feeds: DayFeeds
    /// The hosts that did not answer in this sync.
    let hostFailures: HostFailures
    /// The errors of requests for older entries, for a report at the end of the sync.
    private var failedRequests: [String] = []

    // MARK: Its end

    /// Resumed by a caller that wants the sync to end before its downloads have ended.
    private let endRequest: CancellableContinuation
    /// Resumed at the first answer about the backlog.
    ///
    /// An early end waits for this answer. Otherwise, a row of syncs that are ended early would make no progress.
    let answerAboutBacklog = CancellableContinuation()
    /// Whether the sync begins no more days of the backlog.
    private(set) var isEnding = false
    /// The slots for which the days wait that this sync leaves to the next one; empty if it leaves none.
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
        hostFailures = HostFailures(answeringHost: synchronizer.client.upstream)
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
        // In an outage, all requests fail for the same reason as the poll, whose failure was reported.
        let isOutage = [.network, .clock].contains(state.summary.obstacle?.kind)
        if !isOutage { failedRequests.forEach(reportProblem) }
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
        for record in synchronizer.store.restoreFromDamaged(incomplete) {
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
        state.leavesDays = !slotsOfLeftDays.isEmpty
    }

    /// Claims the due days that this sync has not handled yet.
    ///
    /// - Returns: The days to download. Days in directories that cannot be read or written have failed already, and are not
    ///   among them.
    func claimDueDays() -> [Day] {
        let days = state.claimDueDays()
        if !days.isEmpty { report(.planned(days: days.count)) }
        let problemsOfMonths = Dictionary(grouping: days) { Month(of: $0) }
            .compactMapValues { state.store.publishingProblem(of: $0[0]) }
        return days.filter { day in
            let problem = state.readProblem(of: day) ?? problemsOfMonths[Month(of: day)]
            guard let problem else { return true }
            apply(EntryOutcome(day, .incomplete(problem)))
            return false
        }
    }

    // MARK: Outcomes

    var isStopped: Bool { state.summary.isOutOfSpace || Task.isCancelled }

    /// Applies the outcomes of the downloads that have ended since the last call.
    func applyOutcomes() { synchronizer.downloads.takeOutcomes(for: self).forEach(apply) }

    /// Enters an outcome into the state, and reports it.
    func apply(_ outcome: EntryOutcome) {
        state[outcome.day].work = .ended
        for unused in outcome.unusedImports { report(.notice(unused.text)) }
        switch outcome.result {
        case .cancelled: return
        // Concurrent downloads fail for the same reason, which is reported once.
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
        reportDay(outcome)
    }

    /// Reports the outcome of a day, unless nothing was planned for the day and nothing has changed.
    private func reportDay(_ outcome: EntryOutcome) {
        let wasPlanned = state[outcome.day].isPlanned
        state[outcome.day].isPlanned = false
        if !wasPlanned {
            switch outcome.result {
            case .cancelled, .unchanged: return
            case .removed: break
            // An edit of a day that was here was not planned. It is announced as planned just before its report.
            case .downloaded, .edited, .incomplete, .missing, .noSpace, .partial:
                report(.planned(days: 1))
            }
        }
        report(.day(outcome))
    }

    /// Applies the failure of `day` because of `cause`; `reason` is a sentence for people.
    func applyFailure(of day: Day, _ cause: RetryState.Cause, _ reason: String) {
        apply(EntryOutcome(day, .incomplete(DayProblem(cause, reason))))
    }

    func applyRejections(_ rejections: [EntryRejection]) {
        for rejection in rejections {
            if let day = rejection.day {
                applyFailure(of: day, .unusable.proved(by: feeds[day].route), rejection.reason)
            } else {
                reportProblem(rejection.reason)
            }
        }
    }

    // MARK: Problems

    // There are three severities. Failures and obstacles are reported as problems, too.

    /// Reports a problem: the log has it, and `status` until the next one.
    func reportProblem(_ message: String) {
        state.recordProblem(message)
        report(.problem(message))
    }

    /// Reports a failure: a problem that no missing day shows, so that the summary of the sync has to show it.
    func reportFailure(_ message: String) {
        reportProblem(message)
        state.recordFailureBesideDays(message)
    }

    /// Reports an obstacle: a problem that prevents all downloads.
    private func reportObstacle(_ obstacle: Obstacle) {
        reportProblem(obstacle.text)
        state.recordObstacle(obstacle)
    }

    /// Runs `body`, and reports its error: as an obstacle, or as a failure if not `isObstacle`.
    ///
    /// An error because of a full disk is an obstacle in any case.
    func attempt(isObstacle: Bool = true, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            let obstacle = Obstacle(error)
            if isObstacle || obstacle.kind == .space {
                reportObstacle(obstacle)
            } else {
                reportFailure("\(error)")
            }
        }
    }

    /// Reports that the newest entries could not be requested, which is the obstacle of the sync.
    func reportFailedPoll(_ error: FeedError) {
        guard isFailure(error) else { return }
        let now = synchronizer.now()
        // If the clock shows a time before this program was built, the certificates of NASA seem not to be valid yet.
        let oneDay = 86_400.0
        if case .transfer = error.ofFirstRoute, now + oneDay < synchronizer.built {
            reportObstacle(
                Obstacle(
                    .clock,
                    "the clock shows \(now.timestamp), before this program was built: \(error); set it, and switch on its"
                        + " synchronization"))
        } else {
            reportObstacle(Obstacle(ofRequest: error, to: synchronizer.routes.api.kind))
        }
    }

    /// Notes the failure of a request for older entries, which is reported at the end of the sync.
    func noteFailedRequest(_ error: FeedError) {
        if isFailure(error) { failedRequests.append("\(error)") }
    }

    /// Whether `error` is a failure, and not the consequence of a cancellation.
    private func isFailure(_ error: FeedError) -> Bool {
        error != .transfer(.cancelled) && !Task.isCancelled
    }
}
