package import APOD
package import FoundationEssentials
package import Platform

/// The dates that an entry of NASA may have: up to tomorrow in UTC, because the clocks of NASA and this machine may differ.
///
/// On 2026-11-20, an entry of 2026-11-21 is accepted, and one of 2027-11-20 is rejected. If the clock of this machine is
/// behind, as on a board without a clock battery, no entry is rejected because of its date.
package struct PlausibleDates: Hashable, Sendable {
    /// The last accepted day; `nil` if the clock is behind.
    package let last: Day?

    var isClockBehind: Bool { last == nil }

    /// Today in UTC; `nil` if the clock is behind.
    var today: Day? { last?.advanced(by: -1) }

    /// Decides whether the clock, which shows `now`, is behind.
    ///
    /// It is behind if the program was `built` later, or if the mirror has recorded a time that is more than a day later.
    package init(now: Date, built: Date, latestRecordedTime: Date?) {
        var isBehind = now < built
        if let latestRecordedTime, latestRecordedTime.timeIntervalSince(now) > Day.seconds {
            isBehind = true
        }
        last = isBehind ? nil : Day(number: now.dayNumber + 1)
    }

    /// Whether an entry may have the date `day`.
    // mutation test: future-day (see Tests/Mutants)
    package func contains(_ day: Day) -> Bool { last.map { day <= $0 } ?? true }

    /// The newest of `days` that an entry may have.
    ///
    /// A date by itself may be a mistake of NASA. So if the clock is behind, a day is preferred whose previous day is among
    /// `days`, too.
    package func newest(of days: some Sequence<Day>) -> Day? {
        guard isClockBehind else { return days.lazy.filter(contains).max() }
        let days = Set(days)
        return days.filter { days.contains($0.advanced(by: -1)) }.max() ?? days.max()
    }
}

extension PlausibleDates {
    /// When this program was built: the modification time of its file.
    ///
    /// If that is in the future, dates are not checked, and `--keep` removes nothing.
    package static let builtDate = max(
        firstRelease, Date(timeIntervalSince1970: Double(Installation.modified)))

    /// 2026-11-01, for installers that set the modification times of all files to 1970.
    private static let firstRelease = Date(timeIntervalSince1970: 1_793_491_200)
}

extension Store {
    /// The dates that an entry may have, by the clock, by `state`, and by the record of the newest of `days`.
    package func plausibleDates(
        _ state: SyncState, recorded days: some Collection<Day>, at now: Date,
        built: Date = PlausibleDates.builtDate
    ) throws(SystemError) -> PlausibleDates {
        var latestTime = try latestRecordedTime(state, recorded: days)
        // A clock that was ahead may have recorded any time, which counts only up to the start of the newest day.
        if let time = latestTime, let newest = state.newest ?? days.max() {
            latestTime = min(time, newest.startInUTC)
        }
        return PlausibleDates(now: now, built: built, latestRecordedTime: latestTime)
    }

    /// The latest time in `state` and in the record of the newest of `days`, as far as the record can be read.
    func latestRecordedTime(
        _ state: SyncState, recorded days: some Collection<Day>
    ) throws(SystemError) -> Date? {
        var fetched: Date?
        if let day = days.max() { fetched = try knownRecord(of: day)?.fetched }
        return [state.clock, state.lastSuccess, fetched].compactMap(\.self).max()
    }
}

extension Day {
    fileprivate static let seconds = 86_400.0
    /// Midnight UTC at the beginning of the day.
    package var startInUTC: Date { Date(timeIntervalSince1970: Double(number) * Self.seconds) }
}
