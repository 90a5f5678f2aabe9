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

    /// Points `latest.*` at the picture of the newest day, or at its video if it has no picture.
    func updateLatestLink() {
        do {
            let store = synchronizer.store
            guard let newest = state.summary.newestComplete,
                let record = try store.record(of: newest),
                let path = record.mediaPath
            else { return }
            if let obstacle = try store.updateLatestLink(to: path) {
                report(.problem(DerivedFile.obstruction(by: obstacle)))
            }
        } catch {
            // The days are complete even if the link cannot be updated.
            report(.problem("\(error)"))
            let obstacle = SyncSummary.Obstacle(error)
            if obstacle.kind == .localError { return }
            state.record(obstacle)
        }
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
