import Platform
import Testing

@testable import Transfer

@Suite(.timeLimit(.minutes(1))) struct PaceTests {
    let clock = ManualClock()

    @Test func turnsBeginAtLeastTheIntervalApartInOrder() async throws {
        let pace = Pace(.seconds(1), clock: clock)
        try await pace.turn().begin()

        async let turns = takeTurns(of: pace, count: 3)
        for _ in 0..<3 {
            #expect(await clock.wakeNextSleeper() == .seconds(1))
        }

        #expect(try await turns == [.seconds(1), .seconds(2), .seconds(3)])
    }

    @Test func aTurnThatNeverBeganCostsNoTime() async throws {
        let pace = Pace(.seconds(1), clock: clock)

        _ = try await pace.turn()
        try await pace.turn().begin()

        #expect(clock.now.offset == .zero)
    }

    @Test func theNextTurnWaitsUntilThisOneHasBegun() async throws {
        let pace = Pace(.zero, clock: clock)
        let first = try await pace.turn()
        let hasBegun = Monitor(false)

        async let second: Bool = {
            _ = try await pace.turn()
            return hasBegun.withLock { $0 }
        }()
        hasBegun.withLock { $0 = true }
        first.begin()

        #expect(try await second)
    }

    @Test func aCancelledOneGivesItsPlaceToTheNext() async throws {
        let pace = Pace(.seconds(1), clock: clock)
        let first = try await pace.turn()
        let cancelled = Task { try await pace.turn() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }

        first.begin()
        async let next: Void = pace.turn().begin()

        #expect(await clock.wakeNextSleeper() == .seconds(1))
        try await next
    }

    private func takeTurns(of pace: Pace, count: Int) async throws -> [Duration] {
        var times: [Duration] = []
        for _ in 0..<count {
            try await pace.turn().begin()
            times.append(clock.now.offset)
        }
        return times
    }
}
