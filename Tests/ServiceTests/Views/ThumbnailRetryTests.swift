import FoundationEssentials
import Testing

@testable import Service

/// The times at which missing thumbnails are retried without a change.
@Suite struct ThumbnailRetryTests {
    private let now = ContinuousClock.now
    private let date = Date(timeIntervalSince1970: 1_800_000_000)

    private func summary(
        missing: Int, _ obstacle: ThumbnailSummary.Obstacle? = nil, nextRetry: Date? = nil
    ) -> ThumbnailSummary {
        var result = ThumbnailSummary()
        result.missing = missing
        result.obstacle = obstacle
        result.nextRetry = nextRetry
        return result
    }

    @Test func withoutMissingThumbnailsNothingIsRetried() {
        var retry = ThumbnailRetry()
        retry.record(summary(missing: 0), at: now, date: date)

        #expect(retry.moment == nil && !retry.waitsForSpace)
    }

    @Test func aFailedRenditionIsRetriedWhenItIsDue() throws {
        var retry = ThumbnailRetry()
        retry.record(
            summary(missing: 0, nextRetry: date.addingTimeInterval(600)), at: now, date: date)
        #expect(now.duration(to: try #require(retry.moment)) == .seconds(600))

        retry.record(summary(missing: 0), at: now, date: date)
        #expect(retry.moment == nil)
    }

    @Test(arguments: [nil, .other, .noSpace] as [ThumbnailSummary.Obstacle?])
    func delaysGrowToAnHourAndRestart(_ obstacle: ThumbnailSummary.Obstacle?) throws {
        var retry = ThumbnailRetry()
        var delays: [Duration] = []
        for _ in 0..<30 {
            retry.record(summary(missing: 7, obstacle), at: now, date: date)
            delays.append(now.duration(to: try #require(retry.moment)))
        }
        #expect(delays == delays.sorted())
        #expect(delays[0] > .zero && delays[0] <= .seconds(60) && delays[29] == .seconds(3600))

        retry.record(summary(missing: 0), at: now, date: date)
        retry.record(summary(missing: 7), at: now, date: date)
        #expect(now.duration(to: try #require(retry.moment)) == delays[0])
    }

    @Test func aFullDiskIsCheckedWithinAMinute() throws {
        var retry = ThumbnailRetry()
        for _ in 0..<30 {
            retry.record(summary(missing: 7, .noSpace), at: now, date: date)
        }
        #expect(retry.waitsForSpace)
        retry.diskIsStillFull(at: now)

        #expect(now.duration(to: try #require(retry.moment)) <= .seconds(60))
        retry.record(summary(missing: 0), at: now, date: date)
        #expect(!retry.waitsForSpace)
    }

    /// A retry that was due long ago, for instance of a removed day, does not cause a busy loop.
    @Test(arguments: [-1e9, 0, 1e9]) func retriesAreDelayed(after seconds: TimeInterval) throws {
        var retry = ThumbnailRetry()
        for _ in 0..<30 {
            retry.record(
                summary(missing: 1, nextRetry: date.addingTimeInterval(seconds)), at: now,
                date: date)
        }

        let delay = now.duration(to: try #require(retry.moment))
        #expect(delay >= .seconds(30) && delay <= .seconds(3600))
    }
}
