import APOD
import Mirror
import Testing

@testable import Favorites
@testable import Service

@Suite struct StatusLineTests {
    /// READY=1 follows it, hours before the first sync may end.
    @Test func theFirstStatusLineNamesTheNewestDayOfTheMirror() {
        #expect(StatusLine(newest: Day(iso: "2026-11-20")).text == "newest 2026-11-20")
        #expect(StatusLine(newest: nil).text == "no day yet")
    }

    @Test func anOlderDayThatIsDownloadedIsNotTheNewest() throws {
        let day = try #require(Day(iso: "2026-11-20"))
        var line = StatusLine(newest: day)
        line.record(.planned(days: 2))
        line.record(.day(EntryOutcome(day.advanced(by: -40), .downloaded(path: "", bytes: 1))))

        #expect(line.text == "newest 2026-11-20, 1 day under way")
    }

    @Test func aDayThatLacksOneOfItsFilesMayBeTheNewest() throws {
        let day = try #require(Day(iso: "2026-11-20"))
        var line = StatusLine(newest: day.advanced(by: -1))
        line.record(.planned(days: 1))
        line.record(.day(EntryOutcome(day, .partial(.noStill, reason: "", record: nil))))

        #expect(line.text == "newest 2026-11-20")
    }

    @Test func statusShowsTheProgressOfASync() throws {
        let day = try #require(Day(iso: "2026-11-20"))
        var line = StatusLine(newest: nil)
        line.record(.planned(days: 3))
        line.record(.day(EntryOutcome(day, .downloaded(path: "", bytes: 1))))
        line.record(.day(EntryOutcome(day.advanced(by: -1), .downloaded(path: "", bytes: 1))))

        #expect(line.text == "newest 2026-11-20, 1 day under way")
    }

    @Test func theStatusLineCountsMissingDaysAfterASync() throws {
        let day = try #require(Day(iso: "2026-11-20"))
        var summary = SyncSummary()
        summary.newest = day
        summary.newestWithFiles = day
        summary.expected = 30
        summary.withFiles = 28
        var line = StatusLine(newest: nil)
        line.record(.planned(days: 3))
        line.record(summary)
        line.record(ReconcileOutcome())

        #expect(line.text == "newest 2026-11-20, 2 days missing, 0 favorites")
    }

    @Test func anUnreachableNASAKeepsTheLastStatus() throws {
        var summary = SyncSummary()
        summary.newest = Day(iso: "2026-11-20")
        summary.newestWithFiles = summary.newest
        summary.obstacle = .init(.unreachable, "no route")
        var line = StatusLine(newest: nil)
        line.record(summary)

        #expect(line.text == "newest 2026-11-20, 0 days missing, NASA is unreachable")
    }
}
