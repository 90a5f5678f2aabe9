import Platform
import Testing

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct ChangeBroadcasterTests {
    @Test func changesUntilTheEarliestTimeAreJoined() async throws {
        let listener = ChangeListener()
        #expect(try await listener.next() == .all)
        let moment = ContinuousClock.now + .milliseconds(50)
        listener.post(.days)
        async let changes = listener.next(notBefore: moment)
        listener.post(.favorites)

        #expect(try await changes == [.days, .favorites])
        #expect(.now >= moment)
    }
}
