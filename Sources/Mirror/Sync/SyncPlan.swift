package import APOD
package import FoundationEssentials

/// Which days to request from NASA now: a pure value, computed from where each day stands.
package struct SyncPlan: Hashable, Sendable {
    /// Which missing days are requested in a sync.
    package enum Retry: Hashable, Sendable {
        /// Those that are due.
        case due
        /// Also those with a transient cause, as the network or this machine may work again: at the
        /// start of the daemon, and in a sync that was requested.
        case transient
        /// All but those with a part of their files, `partial`, or without a still image: `run --once`.
        case anyFailure

        func includes(_ cause: RetryState.Cause) -> Bool {
            switch self {
            case .due: false
            case .transient: cause.isTransient
            case .anyFailure: !cause.isWithoutStill && cause != .partial
            }
        }
    }

    /// The days to request now: favorites first, then the others, each newest first.
    package let days: [Day]
    /// When the first of the other missing days is due; `nil` if there is none.
    package let nextRetry: Date?

    /// Plans the days of `range`, and besides them favorites, which are first.
    ///
    /// The pictures of days that are `unrecorded` are here already. Days without a state are ``DayState/unknown``.
    package init(
        _ days: [Day: DayState], range: ClosedRange<Day>?, favorites: Set<Day> = [],
        unrecorded: Set<Day> = [], now: Date, retry: Retry = .due
    ) {
        var due: [Day] = []
        var later: Date?
        // Nearly all days are complete: they are left out before the others are sorted.
        func incomplete(_ wanted: some Sequence<Day>) -> Set<Day> {
            Set(wanted.lazy.filter { days[$0] != .complete })
        }
        let first = incomplete(favorites)
        let others = incomplete(unrecorded).union(range.map(incomplete) ?? []).subtracting(first)
        for day in first.sorted(by: >) + others.sorted(by: >)
        where !Day.neverPublished.contains(day) {
            if let state = days[day]?.retry, state.next > now, !retry.includes(state.cause) {
                later = min(later ?? state.next, state.next)
            } else {
                due.append(day)
            }
        }
        self.days = due
        nextRetry = later
    }

    /// The number of days in a page of the basic feed; days in a range of so many are requested together.
    static let pageSize = 25

    /// The fewest requests that cover `days`, in order; a range may cover other days as well.
    package static func requests(for days: [Day]) -> [ClosedRange<Day>] {
        var ranges: [ClosedRange<Day>] = []
        for day in days {
            if let last = ranges.last, 0..<pageSize ~= day.distance(to: last.lowerBound) {
                ranges[ranges.count - 1] = day...last.upperBound
            } else {
                ranges.append(day...day)
            }
        }
        return ranges
    }
}

/// How far back the mirror reaches.
package enum Since: Hashable, Sendable {
    /// The newest days, counted back from NASA's newest entry, inclusive.
    case days(Int)
    case day(Day)
    case all

    /// The days to mirror; `nil` if there are none yet.
    package func range(newest: Day) -> ClosedRange<Day>? {
        let first =
            switch self {
            case .days(let count): newest.advanced(by: 1 - count)
            case .day(let day): day
            case .all: Day.first
            }
        return first <= newest ? first...newest : nil
    }
}

extension Since: StateText {
    /// Reads `30d`, `2026-01-01` or `all`.
    package init?(_ text: String) {
        if text == "all" {
            self = .all
        } else if let day = Day(iso: text) {
            self = .day(day)
        } else if text.hasSuffix("d"), let count = Int(text.dropLast()), count > 0 {
            self = .days(count)
        } else {
            return nil
        }
    }

    package var description: String {
        switch self {
        case .days(let count): "\(count)d"
        case .day(let day): "\(day)"
        case .all: "all"
        }
    }
}
