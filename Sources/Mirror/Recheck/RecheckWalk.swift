package import APOD

/// The slow walk over all mirrored days, which finds edits by NASA of older entries: a pure value.
///
/// A walk requests the lists of all recorded days, newest first, a few pages a day; the next one begins
/// 30 days after its start. The newest days come with every poll, and are not part of it.
package struct RecheckWalk: Hashable, Codable, Sendable {
    /// The day on which the walk began.
    package private(set) var start: Day
    /// The newest day that is still to be requested; `nil` if the walk is finished.
    package private(set) var next: Day?
    /// The day of the last requests, and their number.
    private var today: Day
    private var pages = 0

    /// The maximum number of pages a day: the archive of 11,500 days has 460.
    static let pagesPerDay = 16
    /// The days from the start of a walk to that of the next one.
    package static let interval = 30

    /// A finished walk: the days of a new mirror need none yet.
    init(finished today: Day) {
        (start, self.today) = (today, today)
    }

    /// A walk that begins today.
    init(starting today: Day) {
        self.init(finished: today)
        next = .last
    }

    /// Finds those of `days` to request now: the days of one page, or `nil` if no more are due today.
    mutating func dueRange(of days: Set<Day>, on today: Day) -> ClosedRange<Day>? {
        // A start in the future was recorded by a wrong clock.
        if next == nil, start > today || start.distance(to: today) >= Self.interval {
            (start, next) = (today, .last)
        }
        guard let next, self.today != today || 0..<Self.pagesPerDay ~= pages else { return nil }
        let remaining = days.filter { $0 <= next }
        guard let newest = remaining.max() else {
            self.next = nil
            return nil
        }
        let oldest =
            remaining.filter { $0.distance(to: newest) < SyncPlan.pageSize }.min() ?? newest
        return oldest...newest
    }

    /// Counts a request of today, whatever its outcome.
    ///
    /// - Returns: Whether it may be sent.
    mutating func countPage(on today: Day) -> Bool {
        if self.today != today { (self.today, pages) = (today, 0) }
        guard 0..<Self.pagesPerDay ~= pages else { return false }
        pages += 1
        return true
    }

    /// Continues below `days`.
    mutating func finish(_ days: ClosedRange<Day>) {
        next = days.lowerBound > .first ? days.lowerBound.advanced(by: -1) : nil
    }
}
