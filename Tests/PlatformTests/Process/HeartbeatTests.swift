import Platform
import Testing

@Suite(.timeLimit(.minutes(10))) struct HeartbeatTests {
    @Test func aSignalAfterThePingEndsTheWait() async throws {
        let heartbeat = Heartbeat()
        heartbeat.signal()

        try await heartbeat.next { heartbeat.signal() }
    }

    @Test func aSignalBeforeThePingDoesNotEndTheWait() async {
        let heartbeat = Heartbeat()
        let task = Task(executorPreference: ThreadPoolExecutor.shared) {
            try await heartbeat.next {}
        }
        task.cancel()

        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func openingAFileSignalsTheCurrentHeartbeat() async throws {
        let heartbeat = Heartbeat()
        let folder = try Directory(opening: "/tmp")
        #expect(Heartbeat.current == nil)

        try await heartbeat.next {
            Heartbeat.$current.withValue(heartbeat) { _ = try? folder.open(".", 0) }
        }
    }

    private struct Options: OptionSet { let rawValue: Int }

    @Test func optionsSentMeanwhileAreJoined() async throws {
        let signal = CoalescingSignal<Options>()
        signal.send(Options(rawValue: 1))
        signal.send(Options(rawValue: 4))

        #expect(try await signal.next() == Options(rawValue: 5))
        async let next = signal.next()
        signal.send(Options(rawValue: 2))
        #expect(try await next == Options(rawValue: 2))
    }

    @Test func optionsSurviveACancelledWait() async throws {
        let signal = CoalescingSignal<Options>()
        let task = Task(executorPreference: ThreadPoolExecutor.shared) { try await signal.next() }
        task.cancel()
        _ = await task.result
        signal.send(Options(rawValue: 1))

        #expect(try await signal.next() == Options(rawValue: 1))
    }
}
