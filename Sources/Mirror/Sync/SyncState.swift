package import APOD
package import FoundationEssentials
package import Platform

/// What a sync (a round of downloads from NASA) saves for the next one, and for `status`: the contents of `state.json`.
///
/// If the file is deleted, the next sync finds the complete days in the tree, and requests the missing ones again.
package struct SyncState: Hashable, Codable, Sendable {
    // The settings `--since`, `--videos` and `--keep` of the last sync.
    package var since = Since.days(30)
    package var downloadsVideos = false
    package var keep = Keep.all
    /// NASA's newest day when NASA was last reached; `nil` if it never was.
    package var newest: Day?
    /// The oldest day that is still missing and was in ``range`` before; `nil` if all of ``since`` is younger or has come.
    package var missingFrom: Day?
    /// The oldest day that `--keep` keeps, apart from favorites; `nil` if it keeps all days.
    package var keptFrom: Day?
    /// Why days are missing or partial, and when they are retried.
    package var retries: [Day: RetryState] = [:]
    /// The days that came by another route than the API, for which the API is asked when it works again; `nil` if there are none.
    package var otherRoutes: [Day: Route]?
    /// How far the search for NASA's edits of older entries has come; `nil` before the first sync.
    package var recheck: RecheckWalk?
    /// When NASA's newest entry was last seen.
    package var lastSuccess: Date?
    /// The latest time that the clock showed when NASA's newest entry was seen, which later reveals a clock that was set back.
    var clock: Date?
    /// The hosts that get no request before a certain time, because of errors or because they asked for a pause.
    package var hosts: [String: Date] = [:]
    /// The last failure; `nil` if a sync without any failure has followed it.
    package var lastError: Failure?
    /// Why not all days come by NASA's API, and since when; `nil` if all days do.
    package var apiFailure: Failure?
    /// What prevented every download in the last sync; `nil` if nothing did.
    package var obstacle: Obstacle?

    package struct Failure: Hashable, Codable, Sendable {
        package var at: Date
        package var message: String

        package init(at: Date, message: String) {
            self.at = at
            self.message = message
        }
    }

    package init() {}

    /// The days to mirror, by ``since``, ``missingFrom`` and ``keptFrom``; `nil` if NASA was never reached.
    package var range: ClosedRange<Day>? {
        guard let newest, let range = since.range(newest: newest) else { return nil }
        let first = min(range.lowerBound, missingFrom ?? newest)
        return max(first, min(keptFrom ?? .first, newest))...newest
    }

    /// The newest of `days`, without days in the future, and without days after ``newest``, which NASA has withdrawn.
    ///
    /// All parts of the program decide by this rule which day is the newest.
    package func newest(of days: some Sequence<Day>, within dates: PlausibleDates) -> Day? {
        guard let newest else { return dates.newest(of: days) }
        return days.lazy.filter { $0 <= newest && dates.contains($0) }.max()
    }

    /// The state that a sync with these `options` begins with: its settings are the new ones, and no time is in the future.
    func adjusted(to options: Synchronizer.Options, at now: Date) -> SyncState {
        var state = self
        // A sync of single days has no `since`, and does not change the options of the mirror.
        if let since = options.since {
            state.since = since
            state.downloadsVideos = options.downloadsVideos
            state.keep = options.keep
        }
        state.missingFrom = reachesAsFar(state.since) ? range?.lowerBound : nil
        state.hosts = hosts.filter { $0.value > now }
        state.retries = retries.mapValues { $0.clamped(to: now) }
        return state
    }

    /// Whether the new setting `--since` is a number of days, and asks for as many days as the setting before, or for more.
    ///
    /// Then all days that were wanted stay wanted until they have come: see ``SyncRoundState/close()``.
    private func reachesAsFar(_ newSince: Since) -> Bool {
        guard case .days = newSince, let newest,
            let newFirst = newSince.range(newest: newest)?.lowerBound,
            let first = since.range(newest: newest)?.lowerBound
        else { return false }
        return newFirst <= first
    }

    /// The seconds after which the state is saved even if only its times have changed.
    ///
    /// About once a day is enough: the times only have to show later that the clock was set back by more than a day.
    private static let savingPause = 20.0 * 3600

    /// Whether the state must be written over `saved`: more has changed than times, or the saved times are old.
    func isWorthSaving(over saved: SyncState) -> Bool {
        var other = saved
        other.lastSuccess = lastSuccess
        other.clock = clock
        guard self == other else { return true }
        guard let lastSuccess, let savedSuccess = saved.lastSuccess else { return self != saved }
        return abs(lastSuccess.timeIntervalSince(savedSuccess)) >= Self.savingPause
    }
}

extension Store {
    /// The state that the last sync saved; an empty one if `state.json` is missing or damaged.
    package func state() throws(SystemError) -> SyncState {
        try tree.state(at: Layout.state) ?? SyncState()
    }

    /// The state, or while it cannot be read, that of an earlier sync of this process; an empty one if there is none.
    ///
    /// - Throws: ``SystemError`` if memory or descriptors are used up, which says nothing about the file.
    package func knownState() throws(SystemError) -> SyncState {
        do throws(SystemError) {
            return try state()
        } catch  where !error.concernsEveryFile {
            return lastState.withLock(\.self) ?? SyncState()
        }
    }

    package func save(_ state: SyncState) throws(SystemError) {
        try write(state, to: Layout.state)
        lastState.withLock { $0 = state }
    }
}
