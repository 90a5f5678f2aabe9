internal import Glibc

/// The date and the clock time of a moment in the time zone of this machine; see localtime(3).
package struct LocalTime: Hashable, Sendable {
    /// `2026-11-20`.
    package let date: String
    /// `17:17`.
    package let clock: String

    /// The local time so many `seconds` after the beginning of 1970 in UTC; a number beyond the range of `Int` counts as 0.
    package init(_ seconds: Double) {
        var time = time_t(Int(exactly: seconds.rounded(.down)) ?? 0)
        var parts = unsafe tm()
        _ = unsafe localtime_r(&time, &parts)
        // The C library counts years from 1900, and months from 0.
        let year = unsafe Int(parts.tm_year) + 1900
        let (month, day) = unsafe (parts.tm_mon + 1, parts.tm_mday)
        let (hour, minute) = unsafe (parts.tm_hour, parts.tm_min)
        func twoDigits(_ number: CInt) -> String { "\(number < 10 ? "0" : "")\(number)" }
        date = "\(year)-\(twoDigits(month))-\(twoDigits(day))"
        clock = "\(twoDigits(hour)):\(twoDigits(minute))"
    }
}
