import Testing

@testable import Platform

@Suite struct LogTests {
    /// A log with a manual clock.
    private final class Desk: Sendable {
        private let state = Monitor((lines: [String](), now: ContinuousClock.now))

        var lines: [String] { state.withLock { $0.lines } }

        func log(_ threshold: Log.Level = .info, _ environment: [String: String] = [:]) -> Log {
            Log(
                threshold: threshold, environment: environment,
                now: { [state] in state.withLock { $0.now } },
                output: { [state] line in state.withLock { $0.lines.append(line) } })
        }

        func pass(_ time: Duration) { state.withLock { $0.now += time } }
    }

    @Test func aLineIsLoggedOnceAnHourWithTheNumberOfItsRepetitions() {
        let desk = Desk()
        let log = desk.log()
        for _ in 0..<7 {
            log.info("the same")
            desk.pass(.seconds(600))
        }
        log.info("another")

        #expect(desk.lines == ["the same\n", "the same … repeated 5 times\n", "another\n"])
    }

    @Test func aStateChangeIsLoggedEachTime() {
        let desk = Desk()
        let log = desk.log()
        for line in ["added", "removed", "added", "added"] { log.event(line) }

        #expect(desk.lines == ["added\n", "removed\n", "added\n", "added\n"])
    }

    @Test func aConditionIsLoggedOnceInAnyWords() {
        let desk = Desk()
        let log = desk.log()

        #expect(log.warning("no route", about: "network"))
        #expect(!log.warning("timeout", about: "network"))
        desk.pass(.seconds(3600))
        #expect(log.warning("timeout", about: "network"))
        #expect(desk.lines == ["no route\n", "timeout … repeated 1 time\n"])
    }

    @Test(arguments: Log.Level.allCases) func linesBelowTheLevelAreNotWritten(level: Log.Level) {
        let desk = Desk()
        let log = desk.log(level)
        log.error("error")
        log.warning("warning")
        log.notice("notice")
        log.info("info")
        log.debug("debug")

        #expect(desk.lines == Log.Level.allCases.filter { $0 <= level }.map { "\($0)\n" })
    }

    @Test func aLineIsOneLine() {
        let desk = Desk()
        desk.log().notice("one\ntwo\r\nthree")

        #expect(desk.lines == ["one two three\n"])
    }
}
