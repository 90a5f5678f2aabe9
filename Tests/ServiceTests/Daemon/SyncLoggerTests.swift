import Mirror
import Platform
import Testing

@testable import Service

@Suite struct PassReporterTests {
    private let lines = Monitor<[String]>([])
    private let clock = Monitor(ContinuousClock.now)

    private func reporter() -> SyncLogger {
        SyncLogger(
            log: Log(
                environment: [:], now: { [clock] in clock.withLock(\.self) },
                output: { [lines] line in lines.withLock { $0.append(line) } }))
    }

    /// One look, ten minutes after the last.
    private func look(_ reporter: inout SyncLogger, _ obstacle: SyncSummary.Obstacle?) {
        clock.withLock { $0 += .seconds(600) }
        var summary = SyncSummary()
        summary.obstacle = obstacle
        if case .unreachable(let text) = obstacle { reporter.record(.problem(text)) }
        reporter.finish(summary, at: clock.withLock(\.self))
    }

    @Test func anOutageAndItsEndAreLoggedOnce() {
        var reporter = reporter()
        for number in 0..<20 { look(&reporter, .unreachable("out of reach: \(number)")) }
        look(&reporter, nil)
        look(&reporter, nil)

        #expect(
            lines.withLock(\.self)
                == ["out of reach: 0\n", "NASA is reachable again after 3 h\n"])
    }

    /// It comes and goes: it is said again after an hour, and each time so is its end.
    @Test func aRecurringOutageIsLoggedHourly() {
        var reporter = reporter()
        for _ in 0..<12 {
            look(&reporter, .unreachable("out of reach"))
            look(&reporter, nil)
        }

        let once = ["out of reach\n", "NASA is reachable again after 10 min\n"]
        #expect(lines.withLock(\.self) == once + once + once + once)
    }

    @Test func aFullDiskIsNotReportedAsAnOutageOfNASA() {
        var reporter = reporter()
        look(&reporter, .noSpace("no room"))
        look(&reporter, .noSpace("no room"))
        look(&reporter, nil)

        #expect(
            lines.withLock(\.self) == [
                "no room\n", "there is free disk space again after 20 min\n",
            ])
    }
}
