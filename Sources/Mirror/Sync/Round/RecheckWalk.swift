package import APOD

/// The slow walk that finds NASA's edits of older entries: how far it has come, as `state.json` stores it.
///
/// NASA's list of the newest entries shows only the edits of those entries. So a walk requests the lists of all other days
/// again, newest first, at most 16 lists a day. The next walk begins 30 days after the start of this one.
///
/// A sync calls ``startIfDue(on:)``, requests the list of ``takeNextList(of:on:)``, and calls ``finish(downTo:)`` when the list
/// has come.
package struct RecheckWalk: Hashable, Codable, Sendable {
    /// The date on which the walk began.
    package private(set) var start: Day
    /// The newest day whose entry is still to be requested; `nil` if the walk is finished.
    package private(set) var next: Day?
    private var dateOfLastRequest: Day
    /// The number of lists that were requested on that date.
    private var requestsOnThatDate = 0
    /// How often the list from ``next`` on was requested without coming; `nil` if it was not requested yet.
    private var unansweredRequests: Int?

    /// The names in `state.json`.
    private enum CodingKeys: String, CodingKey {
        case start, next
        case unansweredRequests = "failures"
        case dateOfLastRequest = "today"
        case requestsOnThatDate = "pages"
    }

    /// The most lists that are requested on one date; the archive of 11,500 days needs 460 lists.
    static let requestsPerDate = 16
    /// After so many requests for a list that does not come, the list is left out until the next walk.
    private static let attemptsAtList = 3
    /// The number of days between the starts of two walks.
    package static let interval = 30

    init(starting today: Day) {
        start = today
        next = .last
        dateOfLastRequest = today
    }

    /// Starts the next walk, if this one is finished and its start is long ago.
    mutating func startIfDue(on today: Day) {
        // If the start is in the future, the clock was wrong when it was recorded.
        let isDue = start > today || start.distance(to: today) >= Self.interval
        guard next == nil, isDue else { return }
        start = today
        next = .last
    }

    /// Takes the next part of the recorded `days` whose list is to be requested now, and counts the request.
    ///
    /// - Returns: The first and the last day of that part; `nil` if no list is due on the date `today`.
    mutating func takeNextList(of days: Set<Day>, on today: Day) -> ClosedRange<Day>? {
        let requestsToday = dateOfLastRequest == today ? requestsOnThatDate : 0
        guard next != nil, requestsToday < Self.requestsPerDate else { return nil }
        leaveOutUnansweredList(of: days)
        guard let list = nextList(of: days) else {
            next = nil
            return nil
        }
        dateOfLastRequest = today
        requestsOnThatDate = requestsToday + 1
        // Counted before the request, because a sync may end while it waits for the list.
        unansweredRequests = (unansweredRequests ?? 0) + 1
        return list
    }

    /// Leaves out the next list until the next walk, if it was requested several times and did not come.
    private mutating func leaveOutUnansweredList(of days: Set<Day>) {
        guard (unansweredRequests ?? 0) >= Self.attemptsAtList, let list = nextList(of: days)
        else { return }
        finish(downTo: list.lowerBound)
    }

    /// The part of `days` that the next list has; `nil` if none is left.
    private func nextList(of days: Set<Day>) -> ClosedRange<Day>? {
        guard let next else { return nil }
        let remaining = days.filter { $0 <= next }
        guard let newest = remaining.max() else { return nil }
        let inOneList = remaining.filter { $0.distance(to: newest) < BasicFeed.pageSize }
        return (inOneList.min() ?? newest)...newest
    }

    /// Records that `day` and all newer days are done, so that the walk goes on with older ones.
    mutating func finish(downTo day: Day) {
        unansweredRequests = nil
        guard let next, day <= next else { return }
        self.next = day > .first ? day.advanced(by: -1) : nil
    }
}
