internal import FoundationEssentials
internal import Platform

/// Decides when ``ThumbnailService`` retries missing thumbnails: a value without a clock.
struct ThumbnailRetry {
    /// The time of the next retry; `nil` if no thumbnail is to be retried.
    private(set) var moment: ContinuousClock.Instant?
    /// Whether the disk was full: then free space is checked before anything else.
    private(set) var waitsForSpace = false
    /// The number of rounds in a row that left thumbnails missing.
    private var failures = 0

    mutating func diskIsStillFull(at now: ContinuousClock.Instant) {
        moment = now + RetryDelay.thumbnailSpace
    }

    /// Takes the result of a round that ended at `now`, which is `date` by the clock on the wall.
    mutating func record(
        _ summary: ThumbnailSummary, at now: ContinuousClock.Instant, date: Date = Date()
    ) {
        waitsForSpace = summary.obstacle == .noSpace
        failures = summary.missing > 0 || summary.obstacle != nil ? failures + 1 : 0
        guard failures > 0 else {
            moment = nil
            return
        }
        var delay = Backoff.thumbnailRound.delay(after: failures)
        // The retry of a failed picture may be due earlier.
        if summary.obstacle == nil, let nextRetry = summary.nextRetry {
            let due = Duration.seconds(nextRetry.timeIntervalSince(date))
            delay = min(delay, max(RetryDelay.minimum, due))
        }
        moment = now + delay
    }
}
