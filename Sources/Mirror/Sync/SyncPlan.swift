package import APOD
package import FoundationEssentials

/// Which days to request from NASA now: a pure value, computed from the state of each day.
package struct SyncPlan: Hashable, Sendable {
    /// Which missing days are requested before they are due.
    package enum Retry: Hashable, Sendable {
        /// None: in a scheduled sync.
        case due
        /// Days that the network or this machine kept away, because these may work again: at the start of the daemon,
        /// and in a sync that a person requested.
        case transient
        /// All but reduced copies, days without a still image and unfinished downloads: in `run --once`.
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

    /// The days to request now: favorites, newest first, then the others, newest first.
    package let days: [Day]
    /// When the first of the later days is due; `nil` if there is none, or all wait for a poll.
    package let nextRetry: Date?
    /// Whether a new day lacks its picture, which is tried at every poll.
    package let awaitsPicture: Bool

    /// Plans for the days of `range`, missing favorites, and days whose pictures are in `adopted/`.
    package init(
        range: ClosedRange<Day>?, favorites: Set<Day> = [], adopted: Set<Day> = [], now: Date,
        retry: Retry = .due, state: (Day) -> DayState
    ) {
        var due: [Day] = []
        var later: Date?
        var awaitsPicture = false
        // Nearly all days are complete; only the others are sorted.
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
}
