import Platform
import Testing

@Suite(.timeLimit(.minutes(1))) struct PulseTests {
    @Test func aBeatAfterTheQuestionIsTheAnswer() async throws {
        let pulse = Pulse()
        pulse.beat()

        try await pulse.next { pulse.beat() }
    }

    @Test func aBeatBeforeTheQuestionIsNoAnswer() async {
        let pulse = Pulse()
        let task = Task(executorPreference: Workers.shared) {
            try await pulse.next {}
        }
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func workFindsThePulseOfItsLoop() async throws {
        let pulse = Pulse()
        let folder = try Folder(opening: "/tmp")
        #expect(Pulse.current == nil)

        try await pulse.next {
            Pulse.$current.withValue(pulse) { _ = try? folder.open(".", 0) }
        }
    }

    @Test func theThreadsOfAWorkFindItToo() {
        let pulse = Pulse()

        let found = Pulse.$current.withValue(pulse) {
            Slices.of(100, least: 1) { _ in Pulse.current === pulse }
        }

        #expect(found.allSatisfy { $0 })
    }

    private struct Wish: OptionSet { let rawValue: Int }

    @Test func whatIsPutInMeanwhileIsJoined() async throws {
        let mailbox = Mailbox<Wish>()
        mailbox.put(Wish(rawValue: 1))
        mailbox.put(Wish(rawValue: 4))

        #expect(try await mailbox.next() == Wish(rawValue: 5))
        async let next = mailbox.next()
        mailbox.put(Wish(rawValue: 2))
        #expect(try await next == Wish(rawValue: 2))
    }

    @Test func whatIsPutInSurvivesACancelledWait() async throws {
        let mailbox = Mailbox<Wish>()
        let task = Task(executorPreference: Workers.shared) { try await mailbox.next() }
        task.cancel()
        _ = await task.result
        mailbox.put(Wish(rawValue: 1))

        #expect(try await mailbox.next() == Wish(rawValue: 1))
    }
}
