import Platform
import Testing

@Suite(.timeLimit(.minutes(10))) struct HeartbeatTests {
    @Test func aWorkingLoopIsLateWithoutASign() async {
        let heartbeat = Heartbeat("a loop")
        while !heartbeat.isLate(by: .zero) { await Task.yield() }

        #expect(!heartbeat.isLate(by: .seconds(3600)))
        #expect(!Heartbeat("a patient loop", patience: .seconds(3600)).isLate(by: .zero))
    }

    /// A late signal of work that has ended promises nothing that nobody would keep.
    @Test func aWaitingLoopIsLateOnlyAfterItsEnd() async {
        let heartbeat = Heartbeat("a loop")
        await heartbeat.whileWaiting {
            heartbeat.signal()
            #expect(!heartbeat.isLate(by: .seconds(-3600)))
        }
        await heartbeat.whileWaiting(until: .now + .seconds(3600)) {
            #expect(!heartbeat.isLate(by: .zero) && heartbeat.isLate(by: .seconds(-4000)))
        }
    }

    @Test func openingAFileIsASignOfLife() async throws {
        let folder = try Directory(opening: "/tmp")
        let heartbeat = Heartbeat("a loop")
        let before = try #require(heartbeat.due)

        await heartbeat.signallingOpenedFiles { _ = try? folder.open(".", 0) }

        #expect(Heartbeat.current == nil)
        #expect(try #require(heartbeat.due) > before)
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
