package import APOD
package import FoundationEssentials

/// The decision which days to request from NASA now, computed from the state of each day.
///
/// A sync makes a plan before its requests, and another one at its end, which says when the next sync is to begin.
package struct SyncPlan: Hashable, Sendable {
    /// Which missing days are requested before they are due.
    package enum Retry: Hashable, Sendable {
        /// A scheduled sync: no day.
        case due
        /// The start of the daemon, or a sync that a person requested: the days that failed because of the network, a host or
        /// this machine, which may work again.
        case transient
        /// `run --once`: all except for reduced copies, days for which NASA names no image, and unfinished downloads.
        case anyFailure

        /// Whether a day with this `retry` is requested before it is due.
        func includes(_ retry: RetryState) -> Bool {
            switch self {
            case .due: false
            case .transient: retry.maySucceedAtAnyTime
            case .anyFailure: ![.noImage, .reduced, .unfinished].contains(retry.cause)
            }
        }
    }

    /// The days to request now: first the urgent ones, then all others, each with the newest day first.
    package private(set) var days: [Day] = []
    /// When the next day will be due; `nil` if none will, or if all wait for a poll.
    package private(set) var nextRetry: Date?
    /// Whether a new day lacks its picture, which NASA is expected to add soon, so that each poll tries it.
    package private(set) var awaitsPicture = false

    /// Plans from the state of each day, for the days of `range`, and for other days that are to be mirrored.
    ///
    /// `urgent` are favorites and damaged days, and `adopted` are days whose imported pictures wait for NASA's entries. Both may
    /// be in the range or outside of it. Without a `range`, only these days are planned.
    package init(
        range: ClosedRange<Day>?, urgent: Set<Day> = [], adopted: Set<Day> = [], now: Date,
        retry policy: Retry = .due, state stateOfDay: (Day) -> DayState
    ) {
        let wanted = Self.wantedDays(range, urgent, adopted) { stateOfDay($0) != .complete }
        for day in wanted where !Day.neverPublished.contains(day) {
            let state = stateOfDay(day)
            if state.retry?.isExpectedSoon(at: now) == true { awaitsPicture = true }
            if state.isDue(at: now, retry: policy) {
                days.append(day)
            } else if let retry = state.retry, retry.hasOwnSync {
                nextRetry = min(nextRetry ?? retry.next, retry.next)
            }
        }
    }

    /// The days to mirror for which `isIncomplete`, the urgent ones first, each part with the newest day first.
    private static func wantedDays(
        _ range: ClosedRange<Day>?, _ urgent: Set<Day>, _ adopted: Set<Day>,
        where isIncomplete: (Day) -> Bool
    ) -> [Day] {
        // Nearly all days are complete, and only the others need to be sorted.
        let urgent = urgent.filter(isIncomplete)
        var others = adopted.filter(isIncomplete)
        if let range { others.formUnion(range.lazy.filter(isIncomplete)) }
        return urgent.sorted(by: >) + others.subtracting(urgent).sorted(by: >)
    }
}

/// How often each day has failed; a day that never failed need not be here.
struct FailedAttempts: Sendable {
    var counts: [Day: Int] = [:]

    /// Sorts elements: those whose `day` failed least come first, and of these the newest.
    ///
    /// After failures, a sync ends. If it began with the same days each time, these would keep all others away for ever.
    func sorted<Element>(_ elements: [Element], by day: (Element) -> Day) -> [Element] {
        elements.sorted {
            let (first, second) = (day($0), day($1))
            return (counts[first] ?? 0, second) < (counts[second] ?? 0, first)
        }
    }
}
