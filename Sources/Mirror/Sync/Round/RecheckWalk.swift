package import APOD
internal import FoundationEssentials
internal import Platform

/// The slow walk over all recorded days that finds NASA's edits of older entries: a pure value, saved in `state.json`.
///
/// NASA's list of the newest entries shows edits of those days only. So a walk requests the lists of all other days
/// again, newest first, at most 16 lists a day. The next walk begins 30 days after the start of this one.
package struct RecheckWalk: Hashable, Codable, Sendable {
    package private(set) var start: Day
    /// The newest day that is still to be requested; `nil` if the walk is finished.
    package private(set) var next: Day?
    /// The day of the last requests.
    private var today: Day
    /// The number of lists that were requested on that day.
    private var pages = 0

    /// The maximum number of lists a day; the archive of 11,500 days needs 460.
    static let pagesPerDay = 16
    /// The days from the start of a walk to the start of the next one.
    package static let interval = 30

    /// A finished walk, for a mirror whose days were just downloaded.
    init(finished today: Day) {
        start = today
        self.today = today
    }

    init(starting today: Day) {
        self.init(finished: today)
        next = .last
    }

    /// Counts one more list, and returns its part of the recorded `days`; `nil` if none is due today.
    mutating func nextRange(of days: Set<Day>, on today: Day) -> ClosedRange<Day>? {
        // A start in the future was recorded by a wrong clock.
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

    /// Continues the walk below `day`, because it and all newer days are done.
    mutating func finish(downTo day: Day) {
        guard let next, day <= next else { return }
        self.next = day > .first ? day.advanced(by: -1) : nil
    }
}

extension SyncRound {
    /// Requests the lists that are due today, and downloads the edits in them.
    func recheck() async {
        while !isStopped, slotsOfRest.isEmpty, let days = state.nextRecheck() {
            var oldest = days.lowerBound
            do throws(FeedError) {
                let list = try await synchronizer.routes.api.newest(of: days)
                // No day is missing, but entries may be edits of days that are here.
                await downloadBacklog([], alreadyLoaded: list.entries)
                // Progress although no days are planned, so that a slow server does not count as a stall.
                report(.planned(days: 0))
                // If the list has no room for all days, the next one begins with the others.
                oldest = max(list.covered.lowerBound, oldest)
            } catch {
                recordFailedRequest(error)
                // Without a network, a later sync continues here. An invalid list is left to the next walk.
                if error.endsRequests { return }
            }
            guard !isStopped else { return }
            state.nextState.recheck?.finish(downTo: oldest)
        }
    }
}

extension SyncRoundState {
    /// The days of the next list of the walk; `nil` if none is due today.
    fileprivate mutating func nextRecheck() -> ClosedRange<Day>? {
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
