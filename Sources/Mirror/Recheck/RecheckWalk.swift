package import APOD

/// The slow walk over all mirrored days, which finds edits by NASA of older entries: a pure value.
///
/// A walk requests the lists of all recorded days, newest first, a few a day; the next walk begins 30 days
/// after its start. The newest days, which come with every poll, are not part of it.
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
    /// The days from the start of a walk to that of the next one.
    package static let interval = 30

    /// A finished walk, for a mirror whose days were just downloaded.
    init(finished today: Day) {
        (start, self.today) = (today, today)
    }

    init(starting today: Day) {
        self.init(finished: today)
        next = .last
    }

    /// The days of the next list to request, which is counted, of the recorded `days`; `nil` if none is due today.
    mutating func nextRange(
        of days: @autoclosure () -> Set<Day>, on today: Day
    ) -> ClosedRange<Day>? {
        // A start in the future was recorded by a wrong clock.
        let isNewWalkDue = start > today || start.distance(to: today) >= Self.interval
        if next == nil, isNewWalkDue { (start, next) = (today, .last) }
        let requested = self.today == today ? pages : 0
        guard let next, 0..<Self.pagesPerDay ~= requested else { return nil }
        let remaining = days().filter { $0 <= next }
        guard let newest = remaining.max() else {
            self.next = nil
            return nil
        }
        (self.today, pages) = (today, requested + 1)
        let oldest =
            remaining.filter { $0.distance(to: newest) < BasicFeed.pageSize }.min() ?? newest
        return oldest...newest
    }

    /// Continues the walk below `day`, which is done, as are all newer days.
    mutating func finish(downTo day: Day) {
        guard let next, day <= next else { return }
        self.next = day > .first ? day.advanced(by: -1) : nil
    }
}
