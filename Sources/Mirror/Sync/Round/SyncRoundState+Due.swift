internal import APOD
internal import FoundationEssentials
internal import Platform

/// Chooses the days that a sync requests from NASA, and claims them, so that no day is requested twice in a sync.
///
/// A day is *due*, which means that NASA is to be asked for it now, when the time of its next retry has come. The start of the
/// sync and an edit by NASA make some days due earlier.
extension SyncRoundState {
    /// The days to mirror; `nil` if NASA was never reached, or if this sync is for single days.
    var range: ClosedRange<Day>? { options.since == nil ? nil : nextState.range }

    /// Plans which days are to be requested now, and when the next ones will be due.
    ///
    /// `retry` says which missing days are requested before they are due.
    func plan(retry: SyncPlan.Retry) -> SyncPlan {
        SyncPlan(
            range: range, urgent: days(where: \.isUrgent),
            adopted: days(where: \.hasAdoptedPicture), now: synchronizer.now(), retry: retry
        ) { day in
            // A day whose download runs must not be requested again, so it counts as complete.
            self[day].work == .underWay ? .complete : self[day].state
        }
    }

    /// Claims the due days that this sync has not handled yet, favorites first, and returns them.
    mutating func claimDueDays() -> [Day] {
        let unclaimed = plan(retry: retryPolicy).days.filter { self[$0].work == .none }
        for day in unclaimed {
            self[day].work = .claimed
            self[day].isPlanned = true
        }
        return unclaimed
    }

    /// Claims the days that came by another route than NASA's API, if the API works now, and returns them, newest first.
    ///
    /// Days in NASA's list of the newest entries need no request of their own.
    mutating func claimDaysOfOtherRoutes() -> [Day] {
        // An API of the old format is used without other routes.
        guard sawNewest, nextState.apiFailure == nil, synchronizer.routes.api.kind == .basic
        else { return [] }
        let days = (nextState.otherRoutes ?? [:]).keys.filter {
            hasFiles($0) && !self[$0].isInNewestList && self[$0].work == .none
        }
        for day in days { self[day].work = .claimed }
        return days.sorted(by: >)
    }

    /// Why the record or the files of `day` cannot be read, so that its download would fail; `nil` if they can.
    func readProblem(of day: Day) -> DayProblem? {
        snapshot.readError(of: day).map { error in
            DayProblem(
                .localError, error.textForUnreadable,
                error.cause == .denied ? .obstacle(Obstacle(error)) : .none)
        }
    }

    /// Which files of `day` may be requested now; `nil` if the day is not kept.
    func downloadScope(of day: Day, at now: Date) -> EntryDownloader.Scope? {
        if isExcluded(day), !hasFiles(day) { return isRemoved(day) ? .textOnly : nil }
        return self[day].state.permitsDownload(at: now, retry: retryPolicy) ? .all : .lost
    }
}
