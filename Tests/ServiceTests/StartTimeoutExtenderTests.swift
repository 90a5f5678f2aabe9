import Platform
import TestSupport
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(1))) struct SlowStartTests {
    private struct Start {
        let pulse = Heartbeat()
        let teller: StatusNotifier
        let socket: NotifySocket
        let task: Task<Void, any Error>

        init(_ folder: String) throws {
            socket = try NotifySocket("@\(folder)")
            let manager = ServiceManager(environment: ["NOTIFY_SOCKET": socket.address])
            let (teller, pulse) = (StatusNotifier(manager), pulse)
            self.teller = teller
            let start = StartTimeoutExtender(
                every: .milliseconds(1), until: teller, headway: { try await pulse.next {} },
                ask: { manager.tell(.patience($0)) })
            task = Task(executorPreference: ThreadPoolExecutor.shared) { try await start.run() }
        }
    }

    @Test func itAsksForPatienceAsLongAsTheStartGetsOn() async throws {
        try await withTemporaryFolder { folder in
            let start = try Start(folder)
            let work = Task(executorPreference: ThreadPoolExecutor.shared) {
                while !Task.isCancelled { start.pulse.beat() }
            }
            try await start.socket.wait(for: "EXTEND_TIMEOUT_USEC=4000", count: 3)
            work.cancel()
            await work.value
            start.teller.ready()
            try await start.socket.wait(for: "READY=1")

            #expect(!start.task.isCancelled)
            start.task.cancel()
            await #expect(throws: CancellationError.self) { try await start.task.value }
            #expect(start.socket.messages.last == "READY=1")
        }
    }

    @Test func aStartThatHangsIsNotExcused() async throws {
        try await withTemporaryFolder { folder in
            let start = try Start(folder)
            try await LoopClock().sleep(for: .milliseconds(100))
            start.teller.ready()
            try await start.socket.wait(for: "READY=1")

            #expect(start.socket.messages == ["READY=1"])
            start.task.cancel()
        }
    }
}
