import FoundationEssentials
import Platform
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct WakeReasonTests {
    /// The request comes shortly before, at or after the end of the wait.
    @Test func aRequestAtTheTimeOfTheScheduleIsNotLost() async throws {
        for number in 0..<6000 {
            let pause = Duration.microseconds(number % 300)
            let wakeReasons = CoalescingSignal<WakeReason>()
            async let isRequested = wakeReasons.waitForRequest(
                until: .distantPast, afterClockStep: .now)
            let start = ContinuousClock.now
            while ContinuousClock.now < start + pause {}
            wakeReasons.send(.sync)

            let isReceived = try await isRequested
            #expect(isReceived || wakeReasons.pending.contains(.sync), "after \(pause)")
        }
    }

    /// A clock that is set twelve times in twelve seconds causes one poll; a person's request does not wait for it.
    @Test func theRequestAfterAClockStepWaitsUntilItIsDue() async throws {
        let wakeReasons = CoalescingSignal<WakeReason>()
        let moment = ContinuousClock.now + .milliseconds(50)
        try await wakeReasons.waitForRequest(by: moment)
        #expect(.now >= moment)

        wakeReasons.send(.sync)
        try await wakeReasons.waitForRequest(by: .now + .seconds(3600))
    }
}
