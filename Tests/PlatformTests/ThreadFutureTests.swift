import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(1))) struct ThreadFutureTests {
    @Test func theValueIsThereOnceItIsAskedFor() {
        let gate = Monitor(false)
        let ahead = ThreadFuture { gate.wait { $0 ? 7 : nil } }

        // Nothing waits for it before that.
        gate.withLock { $0 = true }
        gate.signal()

        #expect(ahead.value() == 7)
    }

    @Test func itBeatsForTheLoopThatItWorksFor() {
        let pulse = Heartbeat()
        let seen = Heartbeat.$current.withValue(pulse) {
            ThreadFuture { Heartbeat.current === pulse }
        }

        #expect(seen.value())
    }
}
