internal import APOD
package import FoundationEssentials
package import Mirror
internal import Platform

/// Computes the time of the next sync: a pure value without a clock.
///
/// A new entry appears at 00:05 in New York, which is 04:05 UTC in summer and 05:05 UTC in winter, and is sometimes hours
/// late. The mirror polls a few minutes after both times, then with growing delays until the entry and its picture are
/// there. No time zone data is needed.
package struct Schedule: Hashable, Sendable {
    /// Minutes after midnight UTC at which the feed is polled until the entry of the day and its picture are there.
    private static let pollMinutes = [250, 310, 330, 370, 430, 550, 730, 970, 1210, 1390]

    /// Seconds after the start of a day in UTC at which NASA has published its entry in winter, unless NASA is late.
    private static let publicationTime = 305 * 60.0

    /// When NASA has published the entry of `day`, unless NASA is late.
    static func publication(of day: Day) -> Date {
        day.startInUTC.addingTimeInterval(publicationTime)
    }

    /// The newest day that NASA had published at `time`, unless NASA was late; `nil` before the first day of APOD.
    static func newestDay(publishedBy time: Date) -> Day? {
        Day(utcDateOf: time.addingTimeInterval(-publicationTime))
    }

    /// Seconds after these minutes, less than 300, so that mirrors do not poll at the same time.
    private let offset: Int

    /// - Parameter id: The mirror's id, which determines its offset.
    package init(mirror id: String) {
        offset = Int(id.utf8.reduce(UInt32(7)) { $0 &* 31 &+ UInt32($1) } % 300)
    }

    /// The time of the next sync, if the last one ended at `now` with this `summary`; a backlog continues at once.
    ///
    /// `failures` counts the failed syncs in a row, including the last.
    package func next(after now: Date, _ summary: SyncSummary, failures: Int) -> Date {
        func after(_ delay: Duration) -> Date { now.addingTimeInterval(delay / .seconds(1)) }
        if summary.isOutOfSpace { return after(RetryDelay.fullDisk) }
        if summary.isUnfinished, failures == 0 { return now }
        var next = nextPoll(after: now, summary)
        if failures > 0 { next = min(next, after(Backoff.sync.delay(after: failures))) }
        if let retry = summary.nextRetry { next = min(next, max(retry, after(RetryDelay.minimum))) }
        return next
    }

    private func nextPoll(after now: Date, _ summary: SyncSummary) -> Date {
        let today = now.dayNumber
        let hasToday = (summary.newest?.number ?? 0) >= today && !summary.awaitsPicture
        if !hasToday, let time = pollTimes(on: today).first(where: { $0 > now }) { return time }
        return pollTimes(on: today + 1)[0]
    }

    private func pollTimes(on day: Int) -> [Date] {
        Self.pollMinutes.map {
            Date(timeIntervalSince1970: Double(day * 86_400 + $0 * 60 + offset))
        }
    }
}
