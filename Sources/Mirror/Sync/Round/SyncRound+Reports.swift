internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// How a sync enters what has happened into its ``SyncRoundState``, and reports it as a ``SyncEvent``.
///
/// An event is the outcome of a day, or a problem, which is any failure. Two kinds of problems are also in the summary of the
/// sync: a *failure* concerns no missing day, and an *obstacle* prevents all downloads.
extension SyncRound {
    // MARK: Outcomes

    /// Applies the outcomes of the downloads that have ended since the last call.
    func applyOutcomes() { synchronizer.downloads.takeOutcomes(for: self).forEach(apply) }

    /// Enters an outcome into the state, and reports it.
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
        reportDay(outcome)
    }

    /// Reports the outcome of a day, unless nothing was planned for the day and nothing has changed.
    private func reportDay(_ outcome: EntryOutcome) {
        if !state[outcome.day].isPlanned {
            switch outcome.result {
            case .cancelled, .unchanged: return
            case .removed: break
            // An edit of a day that was here was not planned. It is announced as planned just before its report.
            case .downloaded, .edited, .incomplete, .missing, .noSpace, .partial:
                report(.planned(days: 1))
            }
        }
        state[outcome.day].isPlanned = false
        report(.day(outcome))
    }

    /// Applies the failure of `day` because of `cause`; `reason` is a sentence for people.
    func applyFailure(of day: Day, _ cause: RetryState.Cause, _ reason: String) {
        apply(EntryOutcome(day, .incomplete(DayProblem(cause, reason))))
    }

    /// Applies the failures of days whose entries were rejected; reports the rejections that name no day.
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

    /// Reports a problem: the log has it, and `status` until the next one.
    func reportProblem(_ message: String) {
        state.recordProblem(message)
        report(.problem(message))
    }

    /// Reports a failure: a problem that no missing day shows, so that the summary of the sync has to show it.
    func reportFailure(_ message: String) {
        reportProblem(message)
        state.recordSummaryFailure(message)
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

    // MARK: Failed requests

    /// Reports that the newest entries could not be requested, which is the obstacle of the sync.
    func reportFailedPoll(_ error: FeedError) {
        guard isFailure(error) else { return }
        let now = synchronizer.now()
        let isClockBehind = now + Date.secondsPerDay < synchronizer.built
        if case .transfer = error.ofFirstRoute, isClockBehind {
            // NASA's certificates seem not to be valid yet.
            reportObstacle(
                Obstacle(
                    .clock,
                    "the clock shows \(now.timestamp), before this program was built: \(error); set it, and switch on its"
                        + " synchronization"))
        } else {
            reportObstacle(Obstacle(ofRequest: error, to: synchronizer.routes.api.kind))
        }
    }

    /// Notes the failure of a request for older entries, for ``reportFailedRequests()``.
    func noteFailedRequest(_ error: FeedError) {
        if isFailure(error) { failedRequests.append("\(error)") }
    }

    /// Reports the noted failures at the end of the sync, unless the poll has failed, too.
    func reportFailedRequests() {
        // In an outage, all requests fail for the same reason as the poll, whose failure was reported.
        let isOutage = [.network, .clock].contains(state.summary.obstacle?.kind)
        if !isOutage { failedRequests.forEach(reportProblem) }
    }

    /// Whether `error` is a failure, and not the consequence of a cancellation.
    private func isFailure(_ error: FeedError) -> Bool {
        error != .transfer(.cancelled) && !Task.isCancelled
    }
}

extension SystemError {
    /// What to report about a file or directory of the mirror that cannot be read, and what a person can do.
    var textForUnreadable: String {
        guard isNotDirectory else { return advice }
        return
            "\(path) is a link or a file instead of a directory, and nothing is written there; move it away, or put the"
            + " directory itself in its place"
    }
}
