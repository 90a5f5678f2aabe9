internal import Glibc

/// A moment in the time zone of this machine; see localtime(3).
package struct LocalTime: Hashable, Sendable {
    package let year: Int
    package let month: Int
    package let day: Int
    package let hour: Int
    package let minute: Int

    /// `seconds` are counted from 1970.
    package init(_ seconds: Double) {
        var time = time_t(Int(exactly: seconds.rounded(.down)) ?? 0)
        var parts = unsafe tm()
        _ = unsafe localtime_r(&time, &parts)
        year = unsafe Int(parts.tm_year) + 1900
        month = unsafe Int(parts.tm_mon) + 1
        day = unsafe Int(parts.tm_mday)
        hour = unsafe Int(parts.tm_hour)
        minute = unsafe Int(parts.tm_min)
    }

    /// `17:17`.
    package var clock: String { "\(twoDigits(hour)):\(twoDigits(minute))" }

    /// `2026-11-20`.
    package var date: String { "\(year)-\(twoDigits(month))-\(twoDigits(day))" }

    private func twoDigits(_ number: Int) -> String { "\(number < 10 ? "0" : "")\(number)" }
}
