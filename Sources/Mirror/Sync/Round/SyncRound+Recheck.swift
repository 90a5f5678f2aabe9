internal import APOD
internal import Platform

/// The search for NASA's edits of older entries, a few lists of entries a day: see ``RecheckWalk``.
extension SyncRound {
    /// Requests the lists of older entries that are due today, and downloads the edits in them.
    func recheck() async {
        guard let today = state.dates.today else { return }
        while state.permitsRecheck, !isStopped, slotsOfLeftDays.isEmpty {
            state.startOrContinueWalk(on: today)
            guard let days = state.takeNextListOfWalk(on: today),
                let oldest = await downloadEdits(of: days), !isStopped
            else { return }
            state.nextState.recheck?.finish(downTo: oldest)
        }
    }

    /// Requests the list of `days`, and downloads the edits in it.
    ///
    /// - Returns: The oldest day that is done; `nil` if a later sync is to request the list again.
    private func downloadEdits(of days: ClosedRange<Day>) async -> Day? {
        do throws(FeedError) {
            let list = try await synchronizer.routes.api.newestPage(of: days)
            // No day in the list is due, but its entries may be edits of days in the mirror.
            await downloadBacklog([], alreadyLoaded: list.entries)
            // This event shows that the sync makes progress, so that a slow server does not look like a sync that hangs.
            report(.planned(days: 0))
            // If the list had no room for all days, the next one has the rest.
            return max(list.covered.lowerBound, days.lowerBound)
        } catch {
            noteFailedRequest(error)
            // If the network is down, a later sync requests the list again. An invalid list is left out until the next walk.
            return error.endsRequests || error.isWithoutAnswer ? nil : days.lowerBound
        }
    }
}

extension SyncRoundState {
    /// Whether older entries may be requested: the setting asks for it, and NASA's API has sent its newest entries.
    fileprivate var permitsRecheck: Bool {
        options.rechecks && sawNewest && summary.obstacle == nil && nextState.apiFailure == nil
    }

    /// Starts the first walk, or the next one if it is due; a walk that has begun goes on.
    fileprivate mutating func startOrContinueWalk(on today: Day) {
        var walk = nextState.recheck ?? RecheckWalk(starting: today)
        // The days of a new mirror were requested a moment ago, and need no walk.
        let isNew = nextState.recheck == nil && !days.values.contains(where: \.isRecorded)
        if isNew { walk.finish(downTo: .first) }
        walk.startIfDue(on: today)
        nextState.recheck = walk
    }

    /// Takes the first and the last day of the next list that is due in the walk; `nil` if none is due today.
    fileprivate mutating func takeNextListOfWalk(on today: Day) -> ClosedRange<Day>? {
        let olderDays = days(where: { $0.isRecorded && !$0.isInNewestList })
        return nextState.recheck?.takeNextList(of: olderDays, on: today)
    }
}
