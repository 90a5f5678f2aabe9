import Platform
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct ChangeBroadcasterTests {
    /// A listener that has received the initial change.
    private func latest() async throws -> ChangeListener {
        let listener = ChangeListener("a service")
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

    /// It rests, however long that takes, and then works.
    @Test func aWaitingListenerIsNotLate() async throws {
        let listener = try await latest()
        let rest = Task(executorPreference: ThreadPoolExecutor.shared) { try await listener.next() }
        while listener.heartbeat.isLate(by: .zero) { await Task.yield() }

        listener.post(.days)

        #expect(try await rest.value == .days)
        while !listener.heartbeat.isLate(by: .zero) { await Task.yield() }
    }
}
