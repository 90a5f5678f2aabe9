package import APOD
package import FoundationEssentials

/// The state between two syncs: the contents of `state.json`.
///
/// If the file is deleted, complete days are found in the tree, and missing ones are requested again.
package struct SyncState: Hashable, Codable, Sendable {
    /// NASA's newest day, as last seen.
    package var newest: Day?
    /// The options of the last sync.
    package var since = Since.days(30)
    package var downloadsVideos = false
    package var keep = Keep.all
    /// The oldest kept day; `nil` if all are kept.
    package var keptFrom: Day?
    /// Why days are missing or partial, and when they are retried; the tree shows which have files.
    package var retries: [Day: RetryState] = [:]
    /// Hosts that are not contacted before the given time, because of errors or `Retry-After`.
    package var hosts: [String: Date] = [:]
    /// When NASA's newest entry was last seen.
    package var lastSuccess: Date?
    /// The latest time of the clock in a sync that saw NASA's newest entry; it is never set back.
    var clock: Date?
    /// The last failure; `nil` after a sync without one.
    package var lastError: Failure?
    /// Why, and since when, the API is not the route of all days; `nil` if it is.
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

    /// The days to mirror: those of ``since`` that are kept; `nil` if NASA was never reached.
    package var range: ClosedRange<Day>? {
        guard let newest, let range = since.range(newest: newest) else { return nil }
        return max(range.lowerBound, min(keptFrom ?? .first, newest))...newest
    }

    /// The newest of `days`, for all parts of the program: no day in the future, and none after ``newest``, which NASA
    /// withdrew.
    package func newest(of days: some Sequence<Day>, _ dates: PlausibleDates) -> Day? {
        guard let newest else { return dates.newest(of: days) }
        return days.lazy.filter { $0 <= newest && dates.contains($0) }.max()
    }

    /// The seconds after which a new time of success alone is saved.
    ///
    /// That is once a day if syncs vary by some hours: it only has to show a clock that is set back by more than a day.
    private static let savingPause = 20.0 * 3600

    /// Whether the state differs from `saved`, by more than a recent time of success.
    func isWorthSaving(over saved: SyncState) -> Bool {
        var other = saved
        (other.lastSuccess, other.clock) = (lastSuccess, clock)
        guard self == other, let lastSuccess else { return self != saved }
        return saved.lastSuccess.map {
            abs(lastSuccess.timeIntervalSince($0)) >= Self.savingPause
        } ?? true
    }
}
