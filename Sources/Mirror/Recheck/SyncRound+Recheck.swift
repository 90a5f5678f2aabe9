internal import APOD
internal import FoundationEssentials
internal import Platform

/// The search for NASA's edits of older entries, after the newest entries and the backlog.
///
/// The list of the newest entries shows edits of those days only. So a ``RecheckWalk`` requests the lists of all
/// mirrored days again, from the newest to the oldest once in 30 days, at most 16 lists a day.
extension SyncRound {
    /// Requests the lists of older mirrored days that are due today, and downloads the edits in them.
    func recheck() async {
        while !isStopped, slotsOfRest.isEmpty, let days = state.nextRecheck() {
            var oldest = days.lowerBound
            do throws(FeedError) {
                let list = try await synchronizer.routes.api.newest(of: days)
                // No day is missing: entries of days that are here may be edits.
                await downloadBacklog([], alreadyLoaded: list.entries)
                // Reported as progress, although no days are planned: a slow server is no stall.
                report(.planned(days: 0))
                // Days for which the list has no room begin the next one.
                oldest = max(list.covered.lowerBound, oldest)
            } catch {
                recordFailedRequest(error)
                // Without network a later sync continues here. An invalid list is skipped: the next walk requests
                // it again, and the older days have their turn before.
                if error.endsRequests { return }
            }
            guard !isStopped else { return }
            state.nextState.recheck?.finish(downTo: oldest)
        }
    }
}

extension SyncRoundState {
    /// The days of the next list of the walk over all mirrored days; `nil` if none is due today.
    mutating func nextRecheck() -> ClosedRange<Day>? {
        guard options.rechecks, sawNewest, summary.obstacle == nil, nextState.apiFailure == nil,
            let today = dates.today
        else { return nil }
        // The days of a new mirror were requested a moment ago.
        let isNew = !days.values.contains(where: \.isRecorded)
        let firstWalk = isNew ? RecheckWalk(finished: today) : RecheckWalk(starting: today)
        var walk = nextState.recheck ?? firstWalk
        let range = walk.nextRange(of: days(where: { $0.isRecorded && !$0.isPolled }), on: today)
        nextState.recheck = walk
        return range
    }
}
