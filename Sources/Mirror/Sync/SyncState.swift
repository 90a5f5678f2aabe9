package import APOD
package import FoundationEssentials

/// The state between two syncs: the contents of `state.json`.
///
/// If the file is deleted, a sync finds the complete days in the tree, and requests the missing ones again.
package struct SyncState: Hashable, Codable, Sendable {
    /// NASA's newest day, when it was last seen.
    package var newest: Day?
    /// The options of the last sync.
    package var since = Since.days(30)
    package var downloadsVideos = false
    package var keep = Keep.all
    /// The oldest kept day; `nil` if all are kept.
    package var keptFrom: Day?
    /// Why days are missing or partial, and when they are retried.
    package var retries: [Day: RetryState] = [:]
    /// The time before which a host gets no request, because of errors or `Retry-After`.
    package var hosts: [String: Date] = [:]
    /// When NASA's newest entry was last seen.
    package var lastSuccess: Date?
    /// The latest time of the clock in a sync that saw NASA's newest entry; it is never set back.
    var clock: Date?
    /// The last failure; `nil` after a sync without one.
    package var lastError: Failure?
    /// Since when, and why, the API is not the route of all days; `nil` if it is.
    package var apiFailure: Failure?
    /// The days that came by another route than the API, which is asked for them once it works.
    package var otherRoutes: [Day: Route]?
    /// What kept all days away in the last sync; `nil` if nothing did.
    package var obstacle: Obstacle?
    /// The walk over all days in search of edits; `nil` before the first sync.
    package var recheck: RecheckWalk?

    package struct Failure: Hashable, Codable, Sendable {
        package var at: Date
        package var message: String
    }

    package init() {}

    /// The days to mirror, by ``since`` and ``keptFrom``; `nil` if NASA was never reached.
    package var range: ClosedRange<Day>? {
        guard let newest, let range = since.range(newest: newest) else { return nil }
        return max(range.lowerBound, min(keptFrom ?? .first, newest))...newest
    }

    /// The newest of `days` that is not in the future, and not after ``newest``: NASA withdrew such a day.
    ///
    /// All parts of the program use this one rule.
    package func newest(of days: some Sequence<Day>, _ dates: PlausibleDates) -> Day? {
        guard let newest else { return dates.newest(of: days) }
        return days.lazy.filter { $0 <= newest && dates.contains($0) }.max()
    }

    /// The seconds after which a state is saved that differs only in its times: about once a day.
    ///
    /// The times only have to show that the clock was set back by more than a day.
    private static let savingPause = 20.0 * 3600

    /// Whether the state differs from `saved` in more than times that are nearly as recent.
    func isWorthSaving(over saved: SyncState) -> Bool {
        var other = saved
        other.lastSuccess = lastSuccess
        other.clock = clock
        guard self == other else { return true }
        guard let lastSuccess, let savedSuccess = saved.lastSuccess else { return self != saved }
        return abs(lastSuccess.timeIntervalSince(savedSuccess)) >= Self.savingPause
    }
}
