import Mirror
import Testing

@testable import Service

@Suite struct StallDetectorTests {
    /// Whether a sync is considered alive at each of `moments`, with a timeout of 100 seconds.
    private func results(
        _ moments: [(second: Int, event: SyncEvent, bytes: Int)], requests: [Int] = []
    ) -> [Bool] {
        let start = SuspendingClock.now
        var detector = StallDetector(from: start, timeout: .seconds(100))
        return moments.enumerated().map { number, moment in
            detector.isProgressing(
                moment.event, bytes: moment.bytes,
                requests: number < requests.count ? requests[number] : 0,
                now: start + .seconds(moment.second))
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

    /// A list without news has neither events nor bytes of a file.
    @Test func anEndedRequestIsProgress() {
        #expect(
            results(
                [(99, .alive, 0), (150, .alive, 0), (249, .alive, 0), (250, .alive, 0)],
                requests: [0, 1, 1, 1]) == [true, true, true, false])
    }

    @Test func anEventIsProgress() {
        #expect(
            results([(150, .planned(days: 1), 0), (249, .alive, 0), (250, .alive, 0)])
                == [true, true, false])
    }
}
