import FoundationEssentials
import Platform

/// Times as people say them.
enum TimeText {
    /// `58 s`, `10 minutes`, `3 hours`, `2 days`.
    static func length(_ seconds: Double) -> String {
        let seconds = max(seconds, 0)
        func count(_ unit: Double) -> Int { Int((seconds / unit).rounded(.down)) }
        return switch seconds {
        case ..<120: "\(count(1)) s"
        case ..<7200: "\(count(60)) minutes"
        case ..<172_800: "\(count(3600)) hours"
        default: "\(count(86_400)) days"
        }
    }

    /// `in 10 minutes (17:17)`, by the clock of this machine; a day or more ahead `in 2 days (2026-11-22)`.
    static func ahead(_ date: Date, of now: Date) -> String {
        let seconds = date.timeIntervalSince(now)
        guard seconds >= 1 else { return "now" }
        // Half a unit more: in 9:59 minutes is in 10 minutes.
        let half: Double = seconds < 119 ? 0.5 : seconds < 7170 ? 30 : 1800
        return "in \(length(seconds + half)) (\(clock(date, seconds)))"
    }

    /// `3 hours ago (04:10)`; a day or more ago `2 days ago (2026-11-18)`.
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
