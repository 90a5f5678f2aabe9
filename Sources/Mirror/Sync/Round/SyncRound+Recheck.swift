internal import APOD
internal import Platform

/// The search for NASA's edits of older entries, a few lists of entries a day: see ``RecheckWalk``.
extension SyncRound {
    /// Requests the lists of older entries that are due today, and downloads the edits in them.
    func recheck() async {
        while !isStopped, slotsOfLeftDays.isEmpty, let days = state.nextRecheck() {
            var oldest = days.lowerBound
            do throws(FeedError) {
                let list = try await synchronizer.routes.api.newestPage(of: days)
                // No day in the list is due, but its entries may be edits of days in the mirror.
                await downloadBacklog([], alreadyLoaded: list.entries)
                // This event shows that the sync makes progress, so that a slow server does not look like a sync that hangs.
                report(.planned(days: 0))
                // If the list had no room for all days, the next one has the rest.
                oldest = max(list.covered.lowerBound, oldest)
            } catch {
                noteFailedRequest(error)
                // If the network is down, a later sync requests the list again. An invalid list is left out until the next walk.
                if error.endsRequests || error.isWithoutAnswer { return }
            }
            guard !isStopped else { return }
            state.nextState.recheck?.finish(downTo: oldest)
        }
    }
}

extension SyncRoundState {
    /// The first and the last day of the next list that is due in the walk; `nil` if none is due today.
    fileprivate mutating func nextRecheck() -> ClosedRange<Day>? {
        guard options.rechecks, sawNewest, summary.obstacle == nil, nextState.apiFailure == nil,
            let today = dates.today
        else { return nil }
        var walk = nextState.recheck ?? RecheckWalk(starting: today)
        // The days of a new mirror were requested a moment ago, and need no walk.
        let isNew = nextState.recheck == nil && !days.values.contains(where: \.isRecorded)
        if isNew { walk.finish(downTo: .first) }
        let range = walk.nextRange(
            of: days(where: { $0.isRecorded && !$0.isInNewestList }), on: today)
        nextState.recheck = walk
        return range
    }
}
