internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// One sync: ``run()`` shows the order of its steps.
///
/// ``Synchronizer`` makes one at start, on schedule and on request. NASA is polled first. Then the newest entry and the
/// backlog, which are the older days that are due, are downloaded concurrently.
///
/// What the sync knows is in ``SyncRoundState``, which this actor alone changes; ``Downloads`` send it their outcomes.
/// Extensions have the newest entries, the backlog, the recheck of older entries, and `--keep`.
actor SyncRound {
    let synchronizer: Synchronizer
    let report: @Sendable (SyncEvent) -> Void
    var state: SyncRoundState
    /// The feed of each day: the API, or after the poll the routes that can be used.
    var feeds: DayFeeds
    /// The hosts that did not answer in this sync.
    let hostFailures: HostFailures
    /// Why requests for older entries failed.
    private var failedRequests: [String] = []

    // MARK: Its end

    /// Resumed when the sync is to end before its downloads.
    private let endRequest: CancellableContinuation
    /// Resumed at the first answer about the backlog.
    ///
    /// The end waits for it, so that syncs which are ended again and again make progress.
    let answerAboutBacklog = CancellableContinuation()
    /// Whether no further days of the backlog are to begin.
    private(set) var isEnding = false
    /// The slots that the days need which are left to the next sync.
    var slotsOfRest: [AsyncSemaphore] = []

    init(
        _ synchronizer: Synchronizer, retry: SyncPlan.Retry, reusesWalk: Bool,
        endingOn endRequest: CancellableContinuation,
        report: @escaping @Sendable (SyncEvent) -> Void
    ) throws {
        self.synchronizer = synchronizer
        feeds = DayFeeds(byNewestDay: [(.last, synchronizer.routes.api)])
        self.report = report
        self.endRequest = endRequest
        hostFailures = HostFailures(answering: synchronizer.client.upstream)
        state = try SyncRoundState(
            of: synchronizer, retry: retry, reusesWalk: reusesWalk,
            underWay: synchronizer.downloads.days)
        // The pauses of this process may be longer than the saved ones, because saving may have failed.
        synchronizer.client.hosts.restore(
            state.nextState.hosts.mapValues(\.timeIntervalSince1970))
    }

    func run() async -> SyncSummary {
        let downloads = synchronizer.downloads
        for outcome in downloads.setRound(self) {
            // The disk was full before this sync, but had room again at its start.
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
        // If no slot is free, the next download that ends causes the next sync.
        state.summary.isUnfinished = slotsOfRest.contains(where: \.isFree)
        state.leavesDays = !slotsOfRest.isEmpty
        // Requests fail for the same reason as the poll, which was reported.
        let isOutage = [.network, .clock].contains(state.summary.obstacle?.kind)
        if !isOutage { for problem in failedRequests { reportProblem(problem) } }
        applyRetention()
        attempt { try state.close() }
        return state.summary
    }

    /// Takes whole files of incomplete days back from `damaged/`, before NASA is asked for them.
    private func restoreWholeFiles() {
        guard state.hasWalked else { return }
        let incomplete = state.days(where: {
            $0.work == .none && $0.isRecorded && (!$0.state.hasFiles || $0.isSuspect)
        })
        for record in synchronizer.store.restoreFromDamaged(incomplete) {
            let day = record.entry.day
            state.recordReturn(of: day)
            apply(EntryOutcome(day, didRequestFiles: false, didPublish: true, .unchanged))
        }
    }

    /// Requests the entries of all days that are due, and waits for their downloads.
    private func requestDays() async {
        // The poll comes first, as it shows which route older days have, too.
        await syncNewest()
        // After a failed poll, these are all due days; else only the days of other routes are left.
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
    /// - Returns: The days to download, without those in unreadable directories, which are finished already.
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
        let wasPlanned = state[outcome.day].isPlanned
        state[outcome.day].isPlanned = false
        if !wasPlanned {
            switch outcome.result {
            case .cancelled, .unchanged: return
            case .removed: break
            // An entry that has news was not planned, and is counted only now.
            case .downloaded, .edited, .incomplete, .missing, .noSpace, .partial:
                report(.planned(days: 1))
            }
        }
        report(.day(outcome))
    }

    func apply(_ day: Day, _ cause: RetryState.Cause, _ reason: String) {
        apply(EntryOutcome(day, .incomplete(DayProblem(cause, reason))))
    }

    func apply(_ rejections: [EntryRejection]) {
        for rejection in rejections {
            if let day = rejection.day {
                apply(day, .unusable.proved(by: feeds[day].route), rejection.reason)
            } else {
                reportProblem(rejection.reason)
            }
        }
    }

    // MARK: Problems

    /// Reports that the newest entries could not be requested, which is the obstacle of the sync.
    func reportFailedPoll(_ error: FeedError) {
        guard isFailure(error) else { return }
        let now = synchronizer.now()
        // Before this program was built, no certificate of NASA is valid yet.
        if case .transfer = error.ofFirstRoute, now + 86_400 < synchronizer.built {
            reportObstacle(
                Obstacle(
                    .clock,
                    "the clock shows \(now.timestamp), before this program was built: \(error); set it, and switch on its"
                        + " synchronization"))
        } else {
            reportObstacle(Obstacle(ofRequest: error, to: synchronizer.routes.api.kind))
        }
    }

    private func reportObstacle(_ obstacle: Obstacle) {
        reportProblem(obstacle.text)
        state.recordObstacle(obstacle)
    }

    /// Records the failure of a request for older entries, to be reported at the end of the sync.
    func recordFailedRequest(_ error: FeedError) {
        if isFailure(error) { failedRequests.append("\(error)") }
    }

    /// Whether `error` is more than a consequence of a cancellation.
    private func isFailure(_ error: FeedError) -> Bool {
        error != .transfer(.cancelled) && !Task.isCancelled
    }

    /// Reports the days that are put off from now on, because their downloads may end the program.
    private func reportUnfinishedDownloads() {
        let days = state.store.tree.unfinishedDownloads.withLock(\.again).sorted()
        guard !days.isEmpty else { return }
        for day in days {
            if let retry = state[day].state.retry { reportProblem("\(day): \(retry.reason)") }
        }
        attempt { try state.savePutOffDays() }
    }

    /// Sends a problem to the log, and records it as the last one for `status`.
    func reportProblem(_ message: String) {
        state.recordProblem(message)
        report(.problem(message))
    }

    /// Reports a problem that keeps no day away, so that nothing else shows that the sync failed.
    func reportFailure(_ message: String) {
        reportProblem(message)
        state.recordFailure(message)
    }

    /// Runs `body`, and reports its error: as an obstacle if `isObstacle` or the disk is full, else as a failure.
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
}
