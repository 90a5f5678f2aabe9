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

    // MARK: Days

    /// Reports a sync with these outcomes of days, two hours after the last.
    private func sync(
        _ logger: inout SyncLogger, _ outcomes: [EntryOutcome], _ summary: SyncSummary = .init()
    ) {
        clock.withLock { $0 += .seconds(7200) }
        for outcome in outcomes { logger.record(.day(outcome)) }
        logger.finish(summary, at: clock.withLock(\.self))
    }

    private static let newest = Day.first.advanced(by: 9000)

    private static func missing(
        _ cause: RetryState.Cause, _ reason: String, age: Int = 0
    ) -> EntryOutcome {
        EntryOutcome(newest.advanced(by: -age), .missing(DayProblem(cause, reason)))
    }

    @Test func aFailureOfADayIsLoggedOnceUntilItsReasonChangesOrTheDayComes() {
        var logger = logger()
        let day = Self.newest
        let refused = Self.missing(.unusable, "responded with status 403")
        let page = Self.missing(.unusable, "an HTML page instead of a picture")
        let downloaded = EntryOutcome(day, .downloaded(path: "", bytes: 1))
        let unrequested = EntryOutcome(day, didRequestFiles: false, .unchanged)
        for outcome in [refused, refused, page, unrequested, refused, page, downloaded, refused] {
            sync(&logger, [outcome])
        }

        #expect(
            lines.withLock(\.self) == [
                "\(day): responded with status 403\n",
                "\(day): an HTML page instead of a picture\n",
                "downloaded \(day) “”\n", "\(day): responded with status 403\n",
            ])
    }

    @Test func aReducedPictureIsLoggedAsDownloadedAndWithItsReason() {
        var logger = logger()
        let problem = DayProblem(.reduced, "a smaller copy")
        sync(&logger, [EntryOutcome(Self.newest, .partial(problem, bytes: 5))])

        #expect(
            lines.withLock(\.self)
                == ["downloaded \(Self.newest) “”\n", "\(Self.newest): a smaller copy\n"])
    }

    /// As with a time in the reason.
    @Test func aReasonThatAlwaysChangesIsNotLoggedWithoutEnd() {
        var logger = logger()
        for number in 0..<100 {
            sync(&logger, [Self.missing(.unreachable, "no request before \(number):00")])
        }

        #expect(lines.withLock(\.count) == 5)
    }

    @Test func failuresOfOneKindAreAFewLinesAndTheirNumber() {
        var logger = logger()
        let lost = (1...20).map { Self.missing(.lost, "NASA has no picture", age: $0) }
        let local = (21...23).map { Self.missing(.localError, "mkdir: Permission denied", age: $0) }
        let reduced = EntryOutcome(Self.newest, .partial(DayProblem(.reduced, "a smaller copy")))
        for _ in 0..<2 { sync(&logger, lost.reversed() + [reduced] + local) }

        let days = (0...23).map { Self.newest.advanced(by: -$0) }
        #expect(
            Set(lines.withLock(\.self))
                == Set(
                    days[1...3].map { "\($0): NASA has no picture\n" }
                        + days[21...23].map { "\($0): mkdir: Permission denied\n" }
                        + [
                            "\(days[0]): a smaller copy\n",
                            "17 more days like \(days[3]); “apod-mirror status --missing” lists days with"
                                + " reasons\n",
                        ]))
        #expect(lines.withLock(\.count) == 8)
    }

    /// As for “NASA cannot be reached”, but not for a refused picture.
    @Test func whatAnObstacleExplainsIsLoggedOnlyIfItLastsLonger() {
        var logger = logger()
        var outage = SyncSummary()
        outage.obstacle = Obstacle(.network, "out of reach")
        let refused = Self.missing(.unusable, "responded with status 403", age: 1)
        let unreachable = Self.missing(.unreachable, "no response", age: 2)
        sync(&logger, [refused, unreachable], outage)
        sync(&logger, [refused, unreachable])

        #expect(
            lines.withLock(\.self) == [
                "out of reach\n", "\(refused.day): responded with status 403\n",
                "NASA is reachable again after 2 h\n", "\(unreachable.day): no response\n",
            ])
    }

    /// The summary of the sync has this failure, too.
    @Test func aFailureOfThisMachineIsLoggedOnce() {
        var logger = logger()
        let text = "mkdir: Read-only file system; remount it writable"
        let problem = DayProblem(.localError, "mkdir", .obstacle(Obstacle(.disk, text)))
        var summary = SyncSummary()
        summary.failure = "\(Self.newest): \(text)"
        for _ in 0..<2 { sync(&logger, [EntryOutcome(Self.newest, .incomplete(problem))], summary) }

        #expect(lines.withLock(\.self) == ["\(Self.newest): \(text)\n"])
    }

    /// Its day is not missing.
    @Test func aVideoWithoutAStillImageIsNoFailure() {
        var logger = logger()
        sync(&logger, [Self.missing(.noImage, "a video"), Self.missing(.noStill, "a video")])

        #expect(lines.withLock(\.self) == [])
    }

    // MARK: Problems

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
