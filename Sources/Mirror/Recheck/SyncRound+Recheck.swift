internal import APOD
internal import FoundationEssentials

/// The walk over older days in a sync: see ``RecheckWalk``.
extension SyncRound {
    /// Requests the lists of older mirrored days that are due today, in search of edits.
    func recheck() async {
        while !isStopped, let days = state.claimRecheck() {
            var oldest: Day?
            var isFinished = true
            do {
                oldest = try await recheck(days)
                isFinished = oldest == days.lowerBound
            } catch {
                recordFailure(error, isObstacle: false)
                isFinished = !error.isOfNetwork
            }
            guard !Task.isCancelled else { return }
            if let oldest { state.known.recheck?.finish(oldest...days.upperBound) }
            // Without network, or with all requests of today sent, a later sync continues here.
            guard isFinished else { return }
            state.known.recheck?.finish(days)
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
            // Reported as progress, although no days are planned: a slow server is no stall.
            report(.planned(days: 0))
            oldest = max(min(oldest ?? .last, page.covered.lowerBound), days.lowerBound)
        }
        // If all requests were permitted, the range is done, though lists out of order may not cover all
        // days.
        return isRecheckPermitted ? days.lowerBound : oldest
    }

    /// Counts and saves a request of the walk before it is sent, so that a restart sends no more; returns
    /// whether it may be sent.
    private func countRecheckPage() -> Bool {
        isRecheckPermitted = false
        attempt {
            guard let tomorrow = state.dates.last,
                state.known.recheck?.countPage(on: tomorrow.advanced(by: -1)) == true
            else { return }
            try state.save()
            isRecheckPermitted = true
        }
        return isRecheckPermitted
    }
}

extension SyncRoundState {
    /// The days of the next list of the walk over all mirrored days; `nil` if none is due today.
    mutating func claimRecheck() -> ClosedRange<Day>? {
        guard options.rechecks, sawNewest, !summary.isObstructed, !summary.isUnfinished,
            let tomorrow = dates.last
        else { return nil }
        let today = tomorrow.advanced(by: -1)
        let isNewMirror = recorded.isEmpty
        var walk =
            known.recheck
            ?? (isNewMirror ? RecheckWalk(finished: today) : RecheckWalk(starting: today))
        defer { known.recheck = walk }
        return walk.dueRange(of: recorded.subtracting(polled), on: today)
    }
}
