package import APOD
package import FoundationEssentials

/// The decision which days to request from NASA now, computed from the state of each day.
package struct SyncPlan: Hashable, Sendable {
    /// Which missing days are requested before they are due.
    package enum Retry: Hashable, Sendable {
        /// None. This is for a scheduled sync.
        case due
        /// The days that failed because of the network, a host or this machine, which may work again. This is for the start
        /// of the daemon, and for a sync that a person requested.
        case transient
        /// All except for reduced copies, days for which NASA names no image, and unfinished downloads. This is for `run
        /// --once`.
        case anyFailure

        /// Whether a day with this `retry` is requested before it is due.
        func includes(_ retry: RetryState) -> Bool {
            switch self {
            case .due: false
            case .transient: retry.mayEndAtAnyTime
            case .anyFailure: ![.noImage, .reduced, .unfinished].contains(retry.cause)
            }
        }
    }

    /// The days to request now: first favorites, then all others, each with the newest day first.
    package let days: [Day]
    /// When the next day will be due; `nil` if none will, or if all wait for a poll.
    package let nextRetry: Date?
    /// Whether a new day lacks its picture, which NASA is expected to add soon, so that each poll tries it.
    package let awaitsPicture: Bool

    /// Plans for the days of `range`, which is `nil` if only other days are to be mirrored.
    ///
    /// `favorites` and `adopted` are days outside or inside of the range: favorites and damaged days, and days whose pictures
    /// wait in `adopted/`. `state` returns the state of a day.
    package init(
        range: ClosedRange<Day>?, favorites: Set<Day> = [], adopted: Set<Day> = [], now: Date,
        retry: Retry = .due, state: (Day) -> DayState
    ) {
        var due: [Day] = []
        var later: Date?
        var awaitsPicture = false
        // Nearly all days are complete, and only the others need to be sorted.
        func incomplete(_ wanted: some Sequence<Day>) -> Set<Day> {
            Set(wanted.filter { state($0) != .complete })
        }
        let wantedFavorites = incomplete(favorites)
        let others = incomplete(adopted).union(range.map(incomplete) ?? [])
            .subtracting(wantedFavorites)
        for day in wantedFavorites.sorted(by: >) + others.sorted(by: >)
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
}
