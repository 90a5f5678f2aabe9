internal import FoundationEssentials
internal import Platform

/// Decides when ``ThumbnailService`` retries missing thumbnails and renditions: a value without a clock.
struct ThumbnailRetry {
    /// The time of the next retry; `nil` if nothing is to be retried.
    private(set) var moment: ContinuousClock.Instant?
    /// Whether the disk was full: then free space is checked before anything else.
    private(set) var waitsForSpace = false
    /// The number of rounds in a row that left thumbnails missing, or whose renditions an error ended.
    private var failures = 0

    mutating func diskIsStillFull(at now: ContinuousClock.Instant) {
        moment = now + RetryDelay.thumbnailSpace
    }

    /// Takes the result of a round that ended at `now`, which is `date` by the clock on the wall.
    mutating func record(
        _ summary: ThumbnailSummary, at now: ContinuousClock.Instant, date: Date = Date()
    ) {
        waitsForSpace = summary.obstacle == .noSpace
        let isIncomplete = summary.missing > 0 || summary.obstacle != nil || summary.lacksRenditions
        failures = isIncomplete ? failures + 1 : 0
        var delays: [Duration] = []
        if isIncomplete { delays.append(Backoff.thumbnailRound.delay(after: failures)) }
        // The retry of a failed picture may be due earlier, or be that of a rendition alone.
        if summary.obstacle == nil, let nextRetry = summary.nextRetry {
            let due = Duration.seconds(nextRetry.timeIntervalSince(date))
            delays.append(max(RetryDelay.minimum, due))
        }
        moment = delays.min().map { now + $0 }
    }
}
