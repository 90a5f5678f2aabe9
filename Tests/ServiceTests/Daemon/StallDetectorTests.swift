import Mirror
import Testing

@testable import Service

@Suite struct StallDetectorTests {
    /// Whether a sync is considered alive at each of `moments`, with a timeout of 100 seconds.
    private func results(
        _ moments: [(second: Int, event: SyncEvent, bytes: Int)]
    ) -> [Bool] {
        let start = SuspendingClock.now
        var detector = StallDetector(from: start, timeout: .seconds(100))
        return moments.map {
            detector.isProgressing($0.event, bytes: $0.bytes, now: start + .seconds($0.second))
        }
    }

    @Test func waitingEndsAtTheDeadlineWithoutChanges() {
        #expect(
            results([(99, .alive, 0), (100, .alive, 0), (500, .alive, 0)]) == [true, false, false])
    }

    @Test func receivedBytesAreProgress() {
        #expect(
            results([(150, .alive, 1), (249, .alive, 1), (250, .alive, 1), (300, .alive, 2)])
                == [true, true, false, true])
    }

    @Test func anEventIsProgress() {
        #expect(
            results([(150, .planned(days: 1), 0), (249, .alive, 0), (250, .alive, 0)])
                == [true, true, false])
    }
}
