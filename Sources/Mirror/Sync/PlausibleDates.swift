package import APOD
package import FoundationEssentials
package import Platform

/// The dates that an entry of NASA may have: up to tomorrow in UTC, because the clocks of NASA and this machine may differ.
///
/// On 2026-11-20, an entry of 2026-11-21 is accepted, and one of 2027-11-20 is rejected. If the clock of this machine is
/// behind, as on a board without a clock battery, no entry is rejected because of its date.
package struct PlausibleDates: Hashable, Sendable {
    /// Tomorrow, the last accepted day; `nil` if the clock is behind, so that every day is accepted.
    package let last: Day?

    var isClockBehind: Bool { last == nil }
    /// Today in UTC; `nil` if the clock is behind.
    var today: Day? { last?.advanced(by: -1) }

    /// Compares the clock, which shows `now`, with times that have passed for certain.
    ///
    /// The clock is behind if the program was `built` later, or if the mirror has recorded a time more than a day later.
    package init(now: Date, built: Date, latestRecordedTime: Date?) {
        let isBeforeBuild = now < built
        let earliestTime = (latestRecordedTime ?? .distantPast) - Date.secondsPerDay
        let isBeforeRecord = now < earliestTime
        last = isBeforeBuild || isBeforeRecord ? nil : Day(number: now.dayNumber + 1)
    }

    /// Whether an entry may have the date `day`.
    package func contains(_ day: Day) -> Bool {
        guard let last else { return true }
        // mutation test: future-day (see Tests/Mutants)
        return day <= last
    }

    /// The newest of `days` that an entry may have.
    ///
    /// A date by itself may be a mistake of NASA. If the clock is behind, a day is preferred that follows another of `days`.
    package func newest(of days: some Sequence<Day>) -> Day? {
        guard isClockBehind else { return days.lazy.filter(contains).max() }
        let days = Set(days)
        let daysAfterAnother = days.filter { days.contains($0.advanced(by: -1)) }
        return daysAfterAnother.max() ?? days.max()
    }
}

extension PlausibleDates {
    /// When this program was built: the modification time of its file, but at least the date of the first release.
    ///
    /// If a wrong time of the file is in the future, every clock seems to be behind. Then `--keep` removes nothing.
    package static let builtDate = max(
        firstRelease, Date(timeIntervalSince1970: Double(Installation.modified)))

    /// 2026-11-01, for installers that set the modification times of all files to 1970.
    private static let firstRelease = Date(timeIntervalSince1970: 1_793_491_200)
}

// MARK: From the files of the mirror

extension Store {
    /// The dates that an entry may have, by the clock, by `state`, and by the record of the newest of `days`.
    package func plausibleDates(
        _ state: SyncState, recorded days: some Collection<Day>, at now: Date,
        built: Date = PlausibleDates.builtDate
    ) throws(SystemError) -> PlausibleDates {
        var latestTime = try latestRecordedTime(state, recorded: days)
        // A time in 2030 was recorded by a clock that was ahead. With 2026-11-20 as the newest day, 2026-11-20 00:00 counts.
        if let time = latestTime, let newest = state.newest ?? days.max() {
            latestTime = min(time, newest.startInUTC)
        }
        return PlausibleDates(now: now, built: built, latestRecordedTime: latestTime)
    }

    /// The latest time in `state` and in the record of the newest of `days`, as far as the record can be read.
    func latestRecordedTime(
        _ state: SyncState, recorded days: some Collection<Day>
    ) throws(SystemError) -> Date? {
        var recordChanged: Date?
        if let day = days.max() { recordChanged = try knownRecord(of: day)?.lastChanged }
        return [state.clock, state.lastSuccess, recordChanged].compactMap(\.self).max()
    }
}
