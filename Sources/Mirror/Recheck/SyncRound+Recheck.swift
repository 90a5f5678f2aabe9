internal import APOD
internal import Platform

/// The walk over older days in a sync: see ``RecheckWalk``.
extension SyncRound {
    /// Requests the lists of older mirrored days that are due today, in search of edits.
    func recheck() async {
        while !isStopped, let days = state.claimRecheck(at: synchronizer.now()) {
            var oldest: Day?
            var isFinished = true
            do {
                oldest = try await recheck(days)
                isFinished = oldest == days.lowerBound
            } catch {
                recordFailure(error, stopsSync: false)
                isFinished = !error.isOfNetwork
            }
            guard !Task.isCancelled else { return }
            if let oldest { state.finishRecheck(oldest...days.upperBound) }
            // Other lists would fail, too, or are not permitted today: a later sync continues here.
            guard isFinished else { return }
            state.finishRecheck(days)
        }
    }

    /// Requests the lists of `days` as long as requests are permitted.
    ///
    /// - Returns: The oldest day that was covered; `nil` if there is none.
    private func recheck(_ days: ClosedRange<Day>) async throws(FeedError) -> Day? {
        var oldest: Day?
        let permit: RequestPermit = { await self.countRecheckPage() }
        let pages = try await synchronizer.feed.pager(over: days, permit: permit)
        while oldest.map({ $0 > days.lowerBound }) ?? true, let page = try await pages.next() {
            await downloadBacklog([], alreadyLoaded: page.entries)
            // Progress: a slow server is no stall.
            report(.planned(days: 0))
            oldest = max(min(oldest ?? .last, page.covered.lowerBound), days.lowerBound)
        }
        // Pages out of order do not cover all days.
        return isRecheckPermitted ? days.lowerBound : oldest
    }

    /// Counts a request of the walk; returns whether it may be sent.
    private func countRecheckPage() -> Bool {
        isRecheckPermitted = false
        attempt { isRecheckPermitted = try state.countRecheckPage(at: synchronizer.now()) }
        return isRecheckPermitted
    }
}
