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
    private var dateOfLastRequest: Day
    /// The number of lists that were requested on that date.
    private var requestsOnThatDate = 0
    /// How many syncs have requested the list from ``next`` on, none of which got it; `nil` if none has.
    private var failures: Int?

    private enum CodingKeys: String, CodingKey {
        case start, next, failures
        case dateOfLastRequest = "today"
        case requestsOnThatDate = "pages"
    }

    /// The most lists that are requested on one date; the archive of 11,500 days needs 460 lists.
    static let requestsPerDate = 16
    /// The most syncs that request a list which does not come.
    private static let attemptsAtList = 3
    /// The number of days between the starts of two walks.
    package static let interval = 30

    /// Makes a walk that is finished, for a mirror whose days were just downloaded.
    init(finished today: Day) {
        start = today
        dateOfLastRequest = today
    }

    init(starting today: Day) {
        self.init(finished: today)
        next = .last
    }

    /// Chooses the next part of the recorded `days` whose list is to be requested, and counts that list.
    ///
    /// - Returns: The first and the last day of that part; `nil` if no list is due on the date `today`.
    mutating func nextRange(of days: Set<Day>, on today: Day) -> ClosedRange<Day>? {
        beginIfDue(on: today)
        guard next != nil, permitsRequest(on: today) else { return nil }
        // A list that does not come is left out until the next walk.
        if failures ?? 0 >= Self.attemptsAtList, let list = nextList(of: days) {
            finish(downTo: list.lowerBound)
        }
        guard let list = nextList(of: days) else {
            next = nil
            return nil
        }
        countRequest(on: today)
        return list
    }

    /// The part of `days` that the next list has; `nil` if none is left.
    private func nextList(of days: Set<Day>) -> ClosedRange<Day>? {
        guard let next else { return nil }
        let remaining = days.filter { $0 <= next }
        guard let newest = remaining.max() else { return nil }
        let inOneList = remaining.filter { $0.distance(to: newest) < BasicFeed.pageSize }
        return (inOneList.min() ?? newest)...newest
    }

    private mutating func beginIfDue(on today: Day) {
        // If the start is in the future, the clock was wrong when it was recorded.
        let isDue = start > today || start.distance(to: today) >= Self.interval
        guard next == nil, isDue else { return }
        start = today
        next = .last
    }

    private func permitsRequest(on today: Day) -> Bool {
        // A person may have edited `state.json`, and written a negative number.
        dateOfLastRequest != today || 0..<Self.requestsPerDate ~= requestsOnThatDate
    }

    private mutating func countRequest(on today: Day) {
        requestsOnThatDate = dateOfLastRequest == today ? requestsOnThatDate + 1 : 1
        dateOfLastRequest = today
        // Until the list comes, see `finish`. A sync may end while it waits.
        failures = (failures ?? 0).addingSaturating(1)
    }

    /// Records that `day` and all newer days are done, so that the walk goes on with older ones.
    mutating func finish(downTo day: Day) {
        failures = nil
        guard let next, day <= next else { return }
        self.next = day > .first ? day.advanced(by: -1) : nil
    }
}
