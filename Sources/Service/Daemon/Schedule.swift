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
    ///
    /// They are 04:10 and 05:10, five minutes after both times of publication, then 05:30, and so on until 23:10.
    private static let pollMinutes = [250, 310, 330, 370, 430, 550, 730, 970, 1210, 1390]

    /// Seconds after midnight UTC at which NASA has published the entry of the day, unless NASA is late: 05:05, as in winter.
    private static let publicationTime = 305 * 60.0

    /// When NASA has published the entry of `day`, unless NASA is late.
    static func publication(of day: Day) -> Date {
        day.startInUTC.addingTimeInterval(publicationTime)
    }

    /// The newest day that NASA had published at `time`, unless NASA was late; `nil` before the first day of APOD.
    static func newestDay(publishedBy time: Date) -> Day? {
        Day(utcDateOf: time.addingTimeInterval(-publicationTime))
    }

    /// Seconds after each of ``pollMinutes``, 0 to 299, which differ between mirrors, so that they do not poll all at once.
    private let offset: Int

    /// - Parameter id: The ID of the mirror, which determines the offset.
    package init(mirror id: String) {
        // A simple hash that is the same in every process, as `Hasher` is not.
        let hash = id.utf8.reduce(UInt32(7)) { $0 &* 31 &+ UInt32($1) }
        offset = Int(hash % 300)
    }

    /// The time of the next sync, if the last one ended at `now` with this `summary`; it is `now` if that sync left days undone.
    ///
    /// `failures` is the number of syncs in a row that have failed, including the last one.
    package func next(after now: Date, _ summary: SyncSummary, failures: Int) -> Date {
        func after(_ delay: Duration) -> Date { now.addingTimeInterval(delay / .seconds(1)) }
        if summary.isOutOfSpace { return after(RetryDelay.fullDisk) }
        if summary.isUnfinished, failures == 0 { return now }
        var next = nextPoll(after: now, summary)
        if failures > 0 { next = min(next, after(Backoff.sync.delay(after: failures))) }
        if let retry = summary.nextRetry { next = min(next, max(retry, after(RetryDelay.minimum))) }
        return next
    }

    /// The time of the next sync if a poll at `now` found nothing new since `state` was saved.
    func next(afterPollWithoutNewsAt now: Date, _ state: SyncState) -> Date {
        // Every day with a retry counts as urgent, so that the plan includes it even if the settings do not ask for it.
        let plan = SyncPlan(range: nil, urgent: Set(state.retries.keys), now: now) { day in
            state.retries[day].map(DayState.retried) ?? .unknown
        }
        var summary = SyncSummary()
        summary.newest = state.newest
        summary.nextRetry = plan.nextRetry
        summary.awaitsPicture = plan.awaitsPicture
        return next(after: now, summary, failures: 0)
    }

    /// The next time of the day's polls, or if the mirror has today's entry and picture, the first time of tomorrow.
    private func nextPoll(after now: Date, _ summary: SyncSummary) -> Date {
        let today = now.dayNumber
        let hasToday = (summary.newest?.number ?? 0) >= today && !summary.awaitsPicture
        if !hasToday, let time = pollTimes(onDay: today).first(where: { $0 > now }) { return time }
        return pollTimes(onDay: today + 1)[0]
    }

    private func pollTimes(onDay dayNumber: Int) -> [Date] {
        Self.pollMinutes.map {
            Date(timeIntervalSince1970: Double(dayNumber * 86_400 + $0 * 60 + offset))
        }
    }
}
