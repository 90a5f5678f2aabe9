internal import APOD
internal import FoundationEssentials
internal import Platform
internal import Transfer

/// How a sync reports failures, and which of them are its obstacle.
extension SyncRound {
    /// Reports that the newest entries could not be requested, which is the obstacle of the sync.
    func reportObstacle(_ error: FeedError) {
        guard isFailure(error) else { return }
        let now = synchronizer.now()
        let first = if case .noRoute(let first, _) = error { first } else { error }
        switch first {
        // No certificate of NASA is valid yet.
        case .transfer where now + 86_400 < synchronizer.built:
            report(
                Obstacle(
                    .clock,
                    "the clock shows \(now.timestamp), before this program was built: \(error); set it, and switch on its"
                        + " synchronization"))
        case .future, .notPublished, .transfer, .unusable, .noRoute:
            report(Obstacle(ofRequest: error, to: synchronizer.routes.api.kind))
        }
    }

    /// Reports what keeps all days away, and records it.
    func report(_ obstacle: Obstacle) {
        reportProblem(obstacle.text)
        state.recordObstacle(obstacle)
    }

    /// Records the failure of a request for older entries; it is reported at the end of the sync, unless the
    /// newest entries could not be requested or were unusable.
    func recordFailedRequest(_ error: FeedError) {
        if isFailure(error) { failedRequests.append("\(error)") }
    }

    /// Whether `error` is more than a consequence of a cancellation.
    private func isFailure(_ error: FeedError) -> Bool {
        error != .transfer(.cancelled) && !Task.isCancelled
    }

    /// Reports the days that are put off from now on, as their downloads may end the program.
    func reportUnfinishedDownloads() {
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

    /// Reports a problem that keeps no day away, so that only it shows that the sync failed.
    func reportFailure(_ message: String) {
        reportProblem(message)
        state.recordFailure(message)
    }

    /// Runs `body`, and reports its error.
    ///
    /// With `isObstacle`, any error is an obstacle of the sync; without, only a full disk.
    func attempt(isObstacle: Bool = true, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            let obstacle = Obstacle(error)
            if isObstacle || obstacle.kind == .space {
                report(obstacle)
            } else {
                reportFailure("\(error)")
            }
        }
    }
}
