package import APOD
package import FoundationEssentials
internal import Platform

/// Which dates of entries are believed: those up to tomorrow in UTC, for NASA dates by New York and
/// servers have clocks of their own.
///
/// A clock that is behind is not trusted: then no entry is rejected for its date alone.
package struct PlausibleDates: Hashable, Sendable {
    /// The last day that is believed; `nil` where the clock is behind.
    package let last: Day?

    /// - Parameters:
    ///   - now: The time by the clock.
    ///   - built: When the program was built.
    ///   - recorded: When the mirror last recorded something.
    package init(now: Date, built: Date, recorded: Date?) {
        // A board without a battery boots in 1970, or at some time before it was switched off.
        let isAhead = recorded.map { $0.timeIntervalSince(now) > 86_400 } ?? false
        let isBehind = now < built || isAhead
        let today = (now.timeIntervalSince1970 / 86_400).rounded(.down)
        last = isBehind ? nil : Int(exactly: today).flatMap { Day(number: $0 + 1) }
    }

    private init() { last = nil }

    /// Where no clock is to be trusted.
    package static let withoutClock = PlausibleDates()

    package func contains(_ day: Day) -> Bool { last.map { day <= $0 } ?? true }

    /// The newest of `days` that is believed.
    ///
    /// Without a clock to judge by it is the newest that follows another day: a date that stands alone
    /// may be a mistake.
    package func newest(of days: some Sequence<Day>) -> Day? {
        let days = Set(days.filter(contains))
        guard last == nil else { return days.max() }
        return days.filter { days.contains($0.advanced(by: -1)) }.max() ?? days.max()
    }
}

extension PlausibleDates {
    /// When this program was built, by the time of its file.
    package static let builtDate = max(
        firstRelease, Date(timeIntervalSince1970: Double(Installation.modified)))

    /// 2026-11-01: some installers set the times of files to 1970.
    private static let firstRelease = Date(timeIntervalSince1970: 1_793_491_200)
}

extension Store {
    /// Which dates are believed, judged by the clock and by what `state` and the newest record say.
    package func plausibleDates(
        _ state: SyncState, _ complete: Set<Day>, at now: Date,
        built: Date = PlausibleDates.builtDate
    ) -> PlausibleDates {
        var recorded = [state.lastSuccess].compactMap(\.self)
        if let day = complete.max(), let record = try? record(of: day) {
            recorded.append(record.fetched)
        }
        return PlausibleDates(now: now, built: built, recorded: recorded.max())
    }
}

extension SyncState {
    /// The newest of the days that the mirror has: no day that NASA took back, or that is still to come.
    package func newest(of complete: Set<Day>, _ dates: PlausibleDates) -> Day? {
        complete.filter { $0 <= newest ?? .last && dates.contains($0) }.max()
    }
}
