import Platform
import Testing

@Suite(.timeLimit(.minutes(1))) struct HeartbeatTests {
    @Test func aBeatAfterTheQuestionIsTheAnswer() async throws {
        let pulse = Heartbeat()
        pulse.beat()

        try await pulse.next { pulse.beat() }
    }

    @Test func aBeatBeforeTheQuestionIsNoAnswer() async {
        let pulse = Heartbeat()
        let task = Task(executorPreference: ThreadPoolExecutor.shared) {
            try await pulse.next {}
        }
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func workFindsThePulseOfItsLoop() async throws {
        let pulse = Heartbeat()
        let folder = try Directory(opening: "/tmp")
        #expect(Heartbeat.current == nil)

        try await pulse.next {
            Heartbeat.$current.withValue(pulse) { _ = try? folder.open(".", 0) }
        }
    }

    private struct Wish: OptionSet { let rawValue: Int }

    @Test func whatIsPutInMeanwhileIsJoined() async throws {
        let mailbox = CoalescingSignal<Wish>()
        mailbox.put(Wish(rawValue: 1))
        mailbox.put(Wish(rawValue: 4))

        #expect(try await mailbox.next() == Wish(rawValue: 5))
        async let next = mailbox.next()
        mailbox.put(Wish(rawValue: 2))
        #expect(try await next == Wish(rawValue: 2))
    }

    @Test func whatIsPutInSurvivesACancelledWait() async throws {
        let mailbox = CoalescingSignal<Wish>()
        let task = Task(executorPreference: ThreadPoolExecutor.shared) { try await mailbox.next() }
        task.cancel()
        _ = await task.result
        mailbox.put(Wish(rawValue: 1))

        #expect(try await mailbox.next() == Wish(rawValue: 1))
    }
}
