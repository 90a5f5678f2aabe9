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

    @Test func statusShowsTheProgressOfASync() throws {
        let day = try #require(Day(iso: "2026-11-20"))
        let whole = EntryOutcome.Result.downloaded(path: "", bytes: 1)
        let cases: [(newest: Day?, planned: Int, outcomes: [EntryOutcome], text: String)] = [
            (
                nil, 3, [EntryOutcome(day, whole), EntryOutcome(day.advanced(by: -1), whole)],
                "newest 2026-11-20, 1 day under way"
            ),
            // An older day.
            (
                day, 2, [EntryOutcome(day.advanced(by: -40), whole)],
                "newest 2026-11-20, 1 day under way"
            ),
            // A day that lacks one of its files.
            (
                day.advanced(by: -1), 1,
                [EntryOutcome(day, .partial(DayProblem(.noStill, "")))],
                "newest 2026-11-20"
            ),
        ]
        for (newest, planned, outcomes, text) in cases {
            var line = StatusLine(newest: newest)
            line.record(.planned(days: planned))
            for outcome in outcomes { line.record(.day(outcome)) }

            #expect(line.text == text)
        }
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

    @Test func anObstacleIsNamedWithoutItsAdviceAndKeepsTheLastStatus() throws {
        var summary = SyncSummary()
        summary.newest = Day(iso: "2026-11-20")
        summary.newestWithFiles = summary.newest
        summary.obstacle = .init(.network, "no route; check the network")
        var line = StatusLine(newest: nil)
        line.record(summary)

        #expect(line.text == "newest 2026-11-20, 0 days missing, network: no route")
    }
}
