package import APOD
package import FoundationEssentials

/// What to ask NASA for now: a pure value, made from what is had and what is wanted.
package struct SyncPlan: Hashable, Sendable {
    /// One question to the feed.
    package enum Request: Hashable, Sendable {
        case day(Day)
        case range(ClosedRange<Day>)
    }

    /// Which days that failed are asked for before their time.
    package enum Retry: Hashable, Sendable {
        /// None: all wait until they are due.
        case due
        /// Those whose trouble may be over: the network or this machine is back.
        case transient
        /// All that failed, because a person asked. What NASA never had is no failure.
        case failed

        func includes(_ cause: RetryState.Cause) -> Bool {
            switch self {
            case .due: false
            case .transient: cause.mayPass
            case .failed: cause != .noImage && cause != .partial
            }
        }
    }

    /// The days to look for now: favorites first, each kind newest first.
    package let days: [Day]
    /// When the first of the other days is to be looked for; `nil` where there is none.
    package let nextLook: Date?

    /// - Parameters:
    ///   - complete: The days that are had.
    ///   - wanted: The days that are wanted.
    ///   - favorites: Days that are wanted as well, and before all others.
    ///   - pending: What is known of days that were looked for in vain, or had in part.
    ///   - now: The time.
    ///   - retry: Which days need not wait until they are due.
    package init(
        have complete: Set<Day>, want wanted: ClosedRange<Day>?, favorites: Set<Day> = [],
        pending: [Day: RetryState], now: Date, retry: Retry = .due
    ) {
        var due: [Day] = []
        var later: Date?
        let others = (wanted.map(Array.init) ?? []).filter { !favorites.contains($0) }
        for day in favorites.sorted(by: >) + others.reversed()
        where !Day.neverPublished.contains(day) {
            let pending = pending[day]
            if complete.contains(day), pending?.cause != .partial { continue }
            if let pending, pending.next > now, !retry.includes(pending.cause) {
                later = min(later ?? pending.next, pending.next)
            } else {
                due.append(day)
            }
        }
        days = due
        nextLook = later
    }

    /// The fewest questions that cover ``days``, in their order; a range may cover other days as well.
    package var requests: [Request] { Self.requests(for: days) }

    /// A page of a feed holds 25 days: two that are closer are asked for together.
    private static let reach = 25

    /// Covers `days`, of which those that come newest first are asked for together.
    package static func requests(for days: [Day]) -> [Request] {
        var ranges: [ClosedRange<Day>] = []
        for day in days {
            if let last = ranges.last, 0..<reach ~= day.distance(to: last.lowerBound) {
                ranges[ranges.count - 1] = day...last.upperBound
            } else {
                ranges.append(day...day)
            }
        }
        return ranges.map { $0.count == 1 ? .day($0.lowerBound) : .range($0) }
    }
}
