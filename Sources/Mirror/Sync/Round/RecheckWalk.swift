package import APOD
internal import FoundationEssentials
internal import Platform

/// The slow walk that finds NASA's edits of older entries: how far it has come, as `state.json` stores it.
///
/// NASA's list of the newest entries shows only the edits of those entries. So a walk requests the lists of all other days
/// again, newest first, at most 16 lists a day. The next walk begins 30 days after the start of this one.
package struct RecheckWalk: Hashable, Codable, Sendable {
    /// The date on which the walk began.
    package private(set) var start: Day
    /// The newest day whose entry is still to be requested; `nil` if the walk is finished.
    package private(set) var next: Day?
    /// The date of the last request.
    private var today: Day
    /// The number of lists that were requested on the date `today`.
    private var pages = 0

    /// The most lists that are requested on one date; the archive of 11,500 days needs 460 lists.
    static let pagesPerDay = 16
    /// The number of days between the starts of two walks.
    package static let interval = 30

    /// Makes a walk that is finished, for a mirror whose days were just downloaded.
    init(finished today: Day) {
        start = today
        self.today = today
    }

    init(starting today: Day) {
        self.init(finished: today)
        next = .last
    }

    /// Chooses the next part of the recorded `days` whose list is to be requested, and counts that list.
    ///
    /// - Returns: The first and the last day of that part; `nil` if no list is due on the date `today`.
    mutating func nextRange(of days: Set<Day>, on today: Day) -> ClosedRange<Day>? {
        // If the start is in the future, the clock was wrong when it was recorded.
        let isNewWalkDue = start > today || start.distance(to: today) >= Self.interval
        if next == nil, isNewWalkDue {
            start = today
            next = .last
        }
        let requested = self.today == today ? pages : 0
        guard let next, 0..<Self.pagesPerDay ~= requested else { return nil }
        let remaining = days.filter { $0 <= next }
        guard let newest = remaining.max() else {
            self.next = nil
            return nil
        }
        self.today = today
        pages = requested + 1
        let page = remaining.filter { $0.distance(to: newest) < BasicFeed.pageSize }
        return (page.min() ?? newest)...newest
    }

    /// Records that `day` and all newer days are done, so that the walk goes on with older ones.
    mutating func finish(downTo day: Day) {
        guard let next, day <= next else { return }
        self.next = day > .first ? day.advanced(by: -1) : nil
    }
}

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
                // Without a network, a later sync requests the list again. An invalid list is left out until the next walk.
                if error.endsRequests { return }
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
        // The days of a new mirror were requested a moment ago, and need no walk.
        let isNew = !days.values.contains(where: \.isRecorded)
        let firstWalk = isNew ? RecheckWalk(finished: today) : RecheckWalk(starting: today)
        var walk = nextState.recheck ?? firstWalk
        let range = walk.nextRange(of: days(where: { $0.isRecorded && !$0.isInNewestList }), on: today)
        nextState.recheck = walk
        return range
    }
}
