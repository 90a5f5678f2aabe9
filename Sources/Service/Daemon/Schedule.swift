internal import APOD
package import FoundationEssentials
package import Mirror
internal import Platform

/// Computes the time of the next sync: a pure value without a clock.
///
/// A new entry appears at 00:05 in New York, which is 04:05 or 05:05 UTC, sometimes hours late. The
/// mirror polls a few minutes after both, then with growing delays until the entry is there, with its picture. No time
/// zone data is needed.
package struct Schedule: Hashable, Sendable {
    /// Minutes after midnight UTC at which the feed is polled until the entry of the day is there, with its picture.
    private static let pollMinutes = [250, 310, 330, 370, 430, 550, 730, 970, 1210, 1390]

    /// Seconds after the start of a day in UTC at which NASA has published its entry, unless it is late: in winter.
    private static let publicationTime = 305 * 60.0

    /// When NASA has published the entry of `day`, unless it is late.
    static func publication(of day: Day) -> Date {
        day.startInUTC.addingTimeInterval(publicationTime)
    }

    /// The newest day that NASA had published at `time`, unless it was late; `nil` before the archive.
    static func newestDay(publishedBy time: Date) -> Day? {
        Day(utcDateOf: time.addingTimeInterval(-publicationTime))
    }

    /// Seconds after these minutes, less than 300, so that mirrors do not poll at the same time.
    private let offset: Int

    /// - Parameter id: The mirror's id, which determines its offset.
    package init(mirror id: String) {
        offset = Int(id.utf8.reduce(UInt32(7)) { $0 &* 31 &+ UInt32($1) } % 300)
    }

    /// The time of the next sync, after `now`, when the last one ended; a backlog continues at once.
    ///
    /// `failures` counts the failed syncs in a row, including the last.
    package func next(after now: Date, _ outcome: SyncSummary, failures: Int) -> Date {
        if outcome.isOutOfSpace { return now.addingTimeInterval(RetryDelay.fullDisk / .seconds(1)) }
        if outcome.isUnfinished, failures == 0 { return now }
        var next = self.nextPoll(after: now, outcome)
        if failures > 0 {
            next = min(
                next, now.addingTimeInterval(Backoff.sync.delay(after: failures) / .seconds(1)))
        }
        if let time = outcome.nextRetry {
            next = min(next, max(time, now.addingTimeInterval(RetryDelay.minimum / .seconds(1))))
        }
        return next
    }

    private func nextPoll(after now: Date, _ outcome: SyncSummary) -> Date {
        let today = now.dayNumber
        let hasToday = (outcome.newest?.number ?? 0) >= today && !outcome.awaitsPicture
        if !hasToday, let time = pollTimes(on: today).first(where: { $0 > now }) { return time }
        return pollTimes(on: today + 1)[0]
    }

    private func pollTimes(on day: Int) -> [Date] {
        Self.pollMinutes.map {
            Date(timeIntervalSince1970: Double(day * 86_400 + $0 * 60 + offset))
        }
    }
}
