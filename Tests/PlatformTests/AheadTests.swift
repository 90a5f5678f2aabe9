import Testing

@testable import Platform

@Suite(.timeLimit(.minutes(1))) struct AheadTests {
    @Test func theValueIsThereOnceItIsAskedFor() {
        let gate = Monitor(false)
        let ahead = Ahead { gate.wait { $0 ? 7 : nil } }

        // Nothing waits for it before that.
        gate.withLock { $0 = true }
        gate.signal()

        #expect(ahead.value() == 7)
    }

    @Test func itBeatsForTheLoopThatItWorksFor() {
        let pulse = Pulse()
        let seen = Pulse.$current.withValue(pulse) { Ahead { Pulse.current === pulse } }

        #expect(seen.value())
    }
}
