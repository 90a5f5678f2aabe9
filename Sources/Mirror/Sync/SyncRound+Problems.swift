internal import APOD
internal import Platform
internal import Transfer

/// What a sync reports of failures, and which of them are its obstacle.
extension SyncRound {
    /// Reports a failed request, and records it as the obstacle of the sync if it is one.
    func recordFailure(_ error: FeedError, isObstacle: Bool) {
        guard error != .transfer(.cancelled), !Task.isCancelled else { return }
        if case .unusable = error { synchronizer.transferMetrics.add(.unusable) }
        reportProblem("\(error)")
        guard isObstacle else { return }
        state.record(SyncSummary.Obstacle(ofRequest: error))
    }

    func reportProblem(_ message: String) {
        state.record(message)
        report(.problem(message))
    }

    /// Reports an error of `body`; a disk that is full or read-only is an obstacle of the sync in any case.
    func attempt(isObstacle: Bool = true, _ body: () throws -> Void) {
        do {
            try body()
        } catch {
            let isNoSpace = (error as? SystemError)?.isNoSpace ?? false
            synchronizer.transferMetrics.add(isNoSpace ? .noSpace : .disk)
            reportProblem("\(error)")
            let obstacle = SyncSummary.Obstacle(error)
            if isObstacle || obstacle.kind != .localError { state.record(obstacle) }
        }
    }
}
