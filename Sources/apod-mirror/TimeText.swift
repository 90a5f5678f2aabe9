import FoundationEssentials
import Platform

/// Times as people say them.
enum TimeText {
    /// `58 s`, `10 minutes`, `3 hours`, `2 days`: at least two of a unit, but for seconds.
    static func length(
        _ seconds: Double, _ rule: FloatingPointRoundingRule = .down
    ) -> String {
        let seconds = max(seconds, 0).rounded(rule)
        let units = [(86_400.0, "days"), (3600, "hours"), (60, "minutes"), (1, "s")]
        let (unit, name) = units.first { seconds >= 2 * $0.0 } ?? (1, "s")
        return "\(Int((seconds / unit).rounded(rule))) \(name)"
    }

    /// `in 10 minutes (17:17)`, by the clock of this machine; a day or more ahead `in 2 days (2026-11-22)`; `now` if it is
    /// less than a second ahead.
    static func ahead(_ date: Date, of now: Date) -> String {
        let seconds = date.timeIntervalSince(now)
        guard seconds >= 1 else { return "now" }
        // Rounded to the nearest: what is 9:59 minutes ahead is 10 minutes ahead.
        return "in \(length(seconds, .toNearestOrAwayFromZero)) (\(clock(date, seconds)))"
    }

    /// `3 hours ago (04:10)`; a day or more ago `2 days ago (2026-11-18)`; `in the future` if a clock was wrong.
    static func ago(_ date: Date, at now: Date) -> String {
        let seconds = now.timeIntervalSince(date)
        return seconds < 0
            ? "in the future (\(LocalTime(date.timeIntervalSince1970).date))"
            : "\(length(seconds)) ago (\(clock(date, seconds)))"
    }

    private static func clock(_ date: Date, _ seconds: Double) -> String {
        let time = LocalTime(date.timeIntervalSince1970)
        return seconds < 86_400 ? time.clock : time.date
    }
}
