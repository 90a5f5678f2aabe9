import APOD
import Mirror
import Platform
import Testing

@testable import Service

@Suite struct SyncLoggerTests {
    private let lines = Monitor<[String]>([])
    private let clock = Monitor(ContinuousClock.now)

    private func logger() -> SyncLogger {
        SyncLogger(
            log: Log(
                environment: [:], now: { [clock] in clock.withLock(\.self) },
                output: { [lines] line in lines.withLock { $0.append(line) } }))
    }

    /// Reports one sync, ten minutes after the last.
    private func sync(_ logger: inout SyncLogger, _ obstacle: Obstacle?) {
        clock.withLock { $0 += .seconds(600) }
        var summary = SyncSummary()
        summary.obstacle = obstacle
        if let obstacle, obstacle.kind == .network { logger.record(.problem(obstacle.text)) }
        logger.finish(summary, at: clock.withLock(\.self))
    }

    @Test func anOutageAndItsEndAreLoggedOnce() {
        var logger = logger()
        for number in 0..<20 { sync(&logger, .init(.network, "out of reach: \(number)")) }
        sync(&logger, nil)
        sync(&logger, nil)

        #expect(
            lines.withLock(\.self)
                == ["out of reach: 0\n", "NASA is reachable again after 3 h\n"])
    }

    @Test func whatKeepRemovesIsLogged() {
        var logger = logger()
        var summary = SyncSummary()
        (summary.removed, summary.removedBytes) = (2, 3_000_000)

        logger.finish(summary, at: clock.withLock(\.self))

        let size = ByteCount(3_000_000)
        #expect(lines.withLock(\.self) == ["removed 2 days, \(size), that --keep excludes\n"])
    }

    /// A recurring outage is logged again after an hour, with the number of times.
    @Test func aRecurringOutageIsLoggedHourly() {
        var logger = logger()
        for _ in 0..<12 {
            sync(&logger, .init(.network, "out of reach"))
            sync(&logger, nil)
        }

        let end = "NASA is reachable again after 10 min\n"
        let again = ["out of reach … repeated 2 times\n", end]
        #expect(lines.withLock(\.self) == ["out of reach\n", end] + again + again + again)
    }

    /// The sync of the other days goes on: the mirror can be used all the time.
    @Test func aFailureOfOneDayIsLoggedOnceAndIsNoOutage() {
        var logger = logger()
        for failure in ["2026-11-20: too large", "2026-11-20: too large", nil] {
            var summary = SyncSummary()
            summary.failure = failure
            logger.finish(summary)
        }

        #expect(lines.withLock(\.self) == ["2026-11-20: too large\n"])
    }

    /// The days after it most often fail for the same reason.
    @Test func theFirstDayThatThisMachineKeepsAwayIsLogged() throws {
        var logger = logger()
        for day in ["2026-11-20", "2026-11-19"] {
            logger.record(
                .day(
                    EntryOutcome(
                        try #require(Day(iso: day)),
                        .incomplete(DayProblem(.localError, "mkdir: Permission denied")))))
        }
        logger.finish(SyncSummary())

        #expect(lines.withLock(\.self) == ["2026-11-20: mkdir: Permission denied\n"])
    }

    @Test(arguments: [
        // A new problem beside three old ones, and one above the limit of a sync.
        [["a", "b", "c"], ["a", "b", "c", "d"]],
        Array(repeating: ["a", "b", "c", "d"], count: 3),
    ])
    func eachProblemIsLoggedOnceAndThreeInASync(syncs: [[String]]) {
        var logger = logger()
        for problems in syncs {
            for problem in problems { logger.record(.problem(problem)) }
            logger.finish(SyncSummary())
        }

        #expect(lines.withLock(\.self) == ["a\n", "b\n", "c\n", "d\n"])
    }
}
