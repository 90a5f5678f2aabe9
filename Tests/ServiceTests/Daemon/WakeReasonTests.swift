import FoundationEssentials
import Mirror
import MirrorTesting
import Platform
import Simulator
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct WakeReasonTests {
    /// The request comes shortly before, at or after the end of the wait.
    @Test func aRequestAtTheTimeOfTheScheduleIsNotLost() async throws {
        for number in 0..<6000 {
            let pause = Duration.microseconds(number % 300)
            let wakeReasons = CoalescingSignal<WakeReason>()
            async let end = wakeReasons.wait(
                until: .distantPast, earliestAfterClockChange: .now)
            let start = ContinuousClock.now
            while ContinuousClock.now < start + pause {}
            wakeReasons.send(.request)

            let isReceived = try await end == .request
            #expect(isReceived || wakeReasons.pending.contains(.request), "after \(pause)")
        }
    }

    /// The clock is set without end, which is more often than twelve times in twelve seconds.
    @Test func aClockThatIsSetAgainAndAgainCausesOnePollOfNASAInAMinute() async throws {
        try await withMirror { mirror in
            var service = MirrorService(
                synchronizer: mirror.synchronizer(rechecks: false),
                schedule: Schedule(mirror: mirror.tree.id),
                log: Log(threshold: .error, environment: [:]), wakeReasons: CoalescingSignal(),
                changes: ChangeBroadcaster())
            #expect(service.pauseAfterClockChange == .seconds(60))
            // Shorter here, for five polls in less than a second.
            let pause = Duration.milliseconds(200)
            service.pauseAfterClockChange = pause
            // The time of the next poll is in the past by the timer, which so ends at once.
            service.now = { Date(timeIntervalSince1970: 0) }
            service.timerEnding = { _ in .clockSet }
            let requests = mirror.simulator.arrivals()
            let start = ContinuousClock.now
            let daemon = Task(executorPreference: ThreadPoolExecutor.shared) { [service] in
                try await service.run()
            }

            var polls = 0
            for await request in requests where request.kind == .newest {
                polls += 1
                if polls == 5 { break }
            }
            let duration = ContinuousClock.now - start
            daemon.cancel()
            _ = await daemon.result

            #expect(duration >= pause * 4)
        }
    }

    /// As the first scan of favorites does for a picture that is missing.
    @Test func theFirstSyncDoesWhatWasRequestedBefore() async throws {
        try await withMirror { mirror in
            let wakeReasons = CoalescingSignal(WakeReason.request)
            let (sleeps, continuation) = AsyncStream.makeStream(of: WakeReason.self)
            let service = MirrorService(
                synchronizer: mirror.synchronizer(rechecks: false),
                schedule: Schedule(mirror: mirror.tree.id),
                log: Log(threshold: .error, environment: [:]), wakeReasons: wakeReasons,
                changes: ChangeBroadcaster(),
                notify: { if case .waitBegan = $0 { continuation.yield(wakeReasons.pending) } })
            let daemon = Task(executorPreference: ThreadPoolExecutor.shared) {
                try await service.run()
            }

            let pending = await sleeps.first { _ in true }
            daemon.cancel()
            _ = await daemon.result

            #expect(pending == [])
        }
    }

    /// A person's request does not wait for the pause after a clock step.
    @Test func theRequestAfterAClockStepWaitsUntilItIsDue() async throws {
        let wakeReasons = CoalescingSignal<WakeReason>()
        let moment = ContinuousClock.now + .milliseconds(50)
        try await wakeReasons.waitForRequest(by: moment)
        #expect(.now >= moment)

        wakeReasons.send(.request)
        try await wakeReasons.waitForRequest(by: .now + .seconds(3600))
    }
}
