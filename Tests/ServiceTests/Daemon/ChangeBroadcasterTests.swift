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
}
