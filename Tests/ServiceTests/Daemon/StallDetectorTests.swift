import Mirror
import Testing

@testable import Service

@Suite struct HeadwayTests {
    /// Whether a look is called alive at each of `moments`, of which nothing is lost for 100 seconds.
    private func answers(
        _ moments: [(second: Int, event: SyncEvent, bytes: Int)]
    ) -> [Bool] {
        let start = ContinuousClock.now
        var headway = StallDetector(from: start, timeout: .seconds(100))
        return moments.map {
            headway.isProgressing($0.event, bytes: $0.bytes, now: start + .seconds($0.second))
        }
    }

    @Test func waitingEndsAtTheDeadlineWithoutChanges() {
        #expect(
            answers([(99, .alive, 0), (100, .alive, 0), (500, .alive, 0)]) == [true, false, false])
    }

    @Test func receivedBytesAreProgress() {
        #expect(
            answers([(150, .alive, 1), (249, .alive, 1), (250, .alive, 1), (300, .alive, 2)])
                == [true, true, false, true])
    }

    @Test func anEventIsProgress() {
        #expect(
            answers([(150, .planned(days: 1), 0), (249, .alive, 0), (250, .alive, 0)])
                == [true, true, false])
    }
}
