package import APOD
package import FoundationEssentials
package import Platform

/// The accepted dates of entries: up to tomorrow in UTC, because the clocks of NASA and this machine differ.
///
/// On 2026-11-20, an entry of 2026-11-21 is accepted, and one of 2027-11-20 is not. If the clock of this machine is
/// behind, no entry is rejected for its date.
package struct PlausibleDates: Hashable, Sendable {
    /// The last accepted day; `nil` if the clock is behind.
    package let last: Day?

    /// Today in UTC; `nil` if the clock is behind.
    var today: Day? { last?.advanced(by: -1) }

    /// Decides whether the clock is behind, as on a board without a clock battery: the program was `built` after `now`,
    /// or the mirror `recorded` a time more than a day after it.
    package init(now: Date, built: Date, recorded: Date?) {
        let isRecordLater = recorded.map { $0.timeIntervalSince(now) > Day.seconds } ?? false
        let isBehind = now < built || isRecordLater
        last = isBehind ? nil : Day(number: now.dayNumber + 1)
    }

    // mutation test: future-day
    package func contains(_ day: Day) -> Bool { last.map { day <= $0 } ?? true }

    /// The newest accepted day of `days`.
    ///
    /// If the clock is behind, days that follow another one are preferred, as an isolated date may be a mistake.
    package func newest(of days: some Sequence<Day>) -> Day? {
        guard last == nil else { return days.lazy.filter(contains).max() }
        let days = Set(days)
        return days.filter { days.contains($0.advanced(by: -1)) }.max() ?? days.max()
    }
}

extension PlausibleDates {
    /// When this program was built: the modification time of its file.
    ///
    /// A time in the future only disables the check of dates and the removal by date.
    package static let builtDate = max(
        firstRelease, Date(timeIntervalSince1970: Double(Installation.modified)))

    /// 2026-11-01: some installers set modification times to 1970.
    private static let firstRelease = Date(timeIntervalSince1970: 1_793_491_200)
}

extension Store {
    /// The accepted dates, by the clock, `state` and the newest of the `recorded` days.
    package func plausibleDates(
        _ state: SyncState, recorded days: some Collection<Day>, at now: Date,
        built: Date = PlausibleDates.builtDate
    ) throws(SystemError) -> PlausibleDates {
        // A clock that was ahead may have recorded any time: none after the start of NASA's newest day counts.
        let newestDayStart = (state.newest ?? days.max())?.startInUTC
        let recorded = try recordedTime(state, recorded: days).map { min($0, newestDayStart ?? $0) }
        return PlausibleDates(now: now, built: built, recorded: recorded)
    }

    /// The newest recorded day in `snapshot`, as ``SyncState/newest(of:_:)`` decides.
    package func newestDay(in snapshot: TreeSnapshot, at now: Date = Date()) throws -> Day? {
        let state = try state()
        let recorded = snapshot.recordedInOrder
        return state.newest(of: recorded, try plausibleDates(state, recorded: recorded, at: now))
    }

    /// NASA's newest day in the last sync; in a mirror without a state, the newest recorded day.
    package func newestPublishedDay(at now: Date = Date()) throws -> Day? {
        try state().newest ?? newestRecordedDay(at: now)
    }

    /// The latest time in `state` and in the record of the newest day, if that can be read.
    func recordedTime(
        _ state: SyncState, recorded days: some Collection<Day>
    ) throws(SystemError) -> Date? {
        var fetched: Date?
        if let day = days.max() { fetched = try knownRecord(of: day)?.fetched }
        return [state.clock, state.lastSuccess, fetched].compactMap(\.self).max()
    }
}

extension Day {
    fileprivate static let seconds = 86_400.0
    package var startInUTC: Date { Date(timeIntervalSince1970: Double(number) * Self.seconds) }
}
