package import APOD
package import FoundationEssentials

/// Which days to request from NASA now: a pure value, computed from where each day stands.
package struct SyncPlan: Hashable, Sendable {
    /// Which missing days are requested before they are due.
    package enum Retry: Hashable, Sendable {
        /// None.
        case due
        /// Those with a transient cause, as the network or this machine may work again: at the start of the
        /// daemon, and in a sync that was requested.
        case transient
        /// All but reduced copies, days without a still image and unfinished downloads: `run --once`.
        case anyFailure

        func includes(_ cause: RetryState.Cause) -> Bool {
            switch self {
            case .due: false
            case .transient: cause.isTransient
            case .anyFailure:
                !cause.isWithoutStill && cause != .reduced && cause != .unfinished
            }
        }
    }

    /// The days to request now: favorites first, then the others, each newest first.
    package let days: [Day]
    /// When the first missing day that is not requested now, and does not wait for a poll, is due; `nil` if there is none.
    package let nextRetry: Date?
    /// Whether a new day lacks its picture, which is tried at every poll.
    package let awaitsPicture: Bool

    /// Plans the days of `range`, favorites, and `adopted` days, whose pictures are in `adopted/`, by the `state` of each.
    package init(
        range: ClosedRange<Day>?, favorites: Set<Day> = [], adopted: Set<Day> = [], now: Date,
        retry: Retry = .due, state: (Day) -> DayState
    ) {
        var due: [Day] = []
        var later: Date?
        var awaitsPicture = false
        // Nearly all days are complete, and need not be sorted.
        func incomplete(_ wanted: some Sequence<Day>) -> Set<Day> {
            Set(wanted.filter { state($0) != .complete })
        }
        let missingFavorites = incomplete(favorites)
        let others = incomplete(adopted).union(range.map(incomplete) ?? [])
            .subtracting(missingFavorites)
        for day in missingFavorites.sorted(by: >) + others.sorted(by: >)
        where !Day.neverPublished.contains(day) {
            let state = state(day)
            if state.retry?.isExpectedSoon(at: now) == true { awaitsPicture = true }
            if state.isDue(at: now, retry: retry) {
                due.append(day)
            } else if let retry = state.retry, retry.hasOwnSync {
                later = min(later ?? retry.next, retry.next)
            }
        }
        self.days = due
        nextRetry = later
        self.awaitsPicture = awaitsPicture
    }

    /// The requests for `days` in their order, few of them: a range ends where a gap fills a whole list; a range may
    /// cover days that are not wanted, or that an earlier range covers.
    package static func requests(for days: [Day]) -> [ClosedRange<Day>] {
        var ranges: [ClosedRange<Day>] = []
        for day in days {
            if let last = ranges.last, 0..<BasicFeed.pageSize ~= day.distance(to: last.lowerBound) {
                ranges[ranges.count - 1] = day...last.upperBound
            } else {
                ranges.append(day...day)
            }
        }
        return ranges
    }
}
