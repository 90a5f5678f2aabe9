import Platform
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct ChangeBroadcasterTests {
    /// A listener that has received the initial change.
    private func latest() async throws -> ChangeListener {
        let listener = ChangeListener()
        #expect(try await listener.next() == .all)
        return listener
    }

    @Test func changesUntilTheEarliestTimeAreJoined() async throws {
        let listener = try await latest()
        let moment = ContinuousClock.now + .milliseconds(50)
        listener.post(.days)
        async let changes = listener.next(notBefore: moment)
        listener.post(.favorites)

        #expect(try await changes == [.days, .favorites])
        #expect(.now >= moment)
    }

    @Test func waitingListenersAnswerPingsWithoutAChange() async throws {
        let listener = try await latest()
        async let changes = listener.next()
        for _ in 0..<3 { try await listener.ping() }
        listener.post(.days)

        #expect(try await changes == .days)
    }

    /// A large gallery is built after minutes of rest.
    @Test func idleListenersAnswerPings() async throws {
        let listener = try await latest()
        listener.post(.days)
        let rest = Task(executorPreference: ThreadPoolExecutor.shared) {
            try await listener.next(notBefore: .now + .seconds(3600))
        }
        for _ in 0..<3 { try await listener.ping() }

        rest.cancel()
        await #expect(throws: CancellationError.self) { _ = try await rest.value }
    }

    @Test func workingListenersAnswerPingsWithEachOpenedFile() async throws {
        let listener = try await latest()
        let folder = try Directory(opening: "/tmp")
        let work = Task(executorPreference: ThreadPoolExecutor.shared) {
            await listener.reportingProgress {
                while !Task.isCancelled { _ = try? folder.open(".", 0) }
            }
        }
        for _ in 0..<3 { try await listener.ping() }

        work.cancel()
        await work.value
    }
}
