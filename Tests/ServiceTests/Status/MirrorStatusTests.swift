import APOD
import Mirror
import Testing

@testable import Favorites
@testable import Service

@Suite struct MirrorStatusTests {
    @Test func theFirstStatusLineKnowsNoDay() {
        #expect(MirrorStatus().line == "no day yet")
    }

    @Test func statusShowsTheProgressOfASync() throws {
        let day = try #require(Day(iso: "2026-11-20"))
        var status = MirrorStatus()
        status.record(.planned(days: 3))
        status.record(.day(EntryOutcome(day, .downloaded(path: "", bytes: 1))))
        status.record(.day(EntryOutcome(day.advanced(by: -1), .downloaded(path: "", bytes: 1))))

        #expect(status.line == "newest 2026-11-20, 1 day under way")
    }

    @Test func theStatusLineCountsMissingDaysAfterASync() throws {
        let day = try #require(Day(iso: "2026-11-20"))
        var summary = SyncSummary()
        summary.newest = day
        summary.newestComplete = day
        summary.expected = 30
        summary.complete = 28
        var status = MirrorStatus()
        status.record(.planned(days: 3))
        status.record(summary)
        status.record(ReconcileOutcome())

        #expect(status.line == "newest 2026-11-20, 2 days missing, 0 favorites")
    }

    @Test func anUnreachableNASAKeepsTheLastStatus() throws {
        var summary = SyncSummary()
        summary.newest = Day(iso: "2026-11-20")
        summary.newestComplete = summary.newest
        summary.obstacle = .init(.unreachable, "no route")
        var status = MirrorStatus()
        status.record(summary)

        #expect(status.line == "newest 2026-11-20, 0 days missing, NASA is unreachable")
    }
}
