import FoundationEssentials
import Platform

/// Times as people say them.
enum TimeText {
    /// `58 s`, `119 s`, `2 minutes`, `3 hours` or `2 days`: in the largest unit that gives at least 2.
    static func length(_ seconds: Double, _ rounding: FloatingPointRoundingRule = .down) -> String {
        let seconds = max(seconds, 0).rounded(rounding)
        let units: [(length: Double, name: String)] = [
            (86_400, "days"), (3600, "hours"), (60, "minutes"),
        ]
        let unit = units.first { seconds >= 2 * $0.length } ?? (1, "s")
        return "\(Int((seconds / unit.length).rounded(rounding))) \(unit.name)"
    }

    /// `in 10 minutes (17:17)`, in local time; from a day on `in 2 days (2026-11-22)`; below a second `now`.
    static func ahead(_ date: Date, of now: Date) -> String {
        let seconds = date.timeIntervalSince(now)
        guard seconds >= 1 else { return "now" }
        // A time that is 9 minutes and 59 seconds ahead is “in 10 minutes”.
        return "in \(length(seconds, .toNearestOrAwayFromZero)) (\(clock(date, seconds)))"
    }

    /// `3 hours ago (04:10)`; from a day on `2 days ago (2026-11-18)`; if a clock was wrong, `in the future (2027-01-01)`.
    static func ago(_ date: Date, at now: Date) -> String {
        let seconds = now.timeIntervalSince(date)
        return seconds < 0
            ? "in the future (\(LocalTime(date.timeIntervalSince1970).date))"
            : "\(length(seconds)) ago (\(clock(date, seconds)))"
    }

    /// The time of day, or the date if `distance`, in seconds, is a day or more.
    private static func clock(_ date: Date, _ distance: Double) -> String {
        let time = LocalTime(date.timeIntervalSince1970)
        return distance < 86_400 ? time.clock : time.date
    }
}
