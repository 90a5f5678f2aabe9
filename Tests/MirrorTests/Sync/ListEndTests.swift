import APOD
import MirrorTesting
import Simulator
import Testing

@testable import Mirror

/// The forms that the end of a list has, with and without totals.
@Suite(.timeLimit(.minutes(10))) struct ListEndTests {
    @Test(arguments: [Simulator.PastEnd.refusal, .emptyList], [true, false])
    func noDayIsMissedAndNoneInvented(pastEnd: Simulator.PastEnd, totals: Bool) async throws {
        // Without the absent day, the last page of 25 is full, and is not.
        for days in [51, 55] {
            let settings = Simulator.Settings(pastEnd: pastEnd, sendsTotals: totals)
            try await withMirror(days: days, settings: settings) { mirror in
                let absent = MirrorUnderTest.newest.advanced(by: -30)
                mirror.simulator.withdraw(absent)

                let summary = await mirror.sync(since: .days(days + 10))

                #expect(summary.obstacle == nil && summary.withFiles == days - 1, "\(summary)")
                let missing = try mirror.store.state().retries
                #expect(missing.count == 11 && missing[absent]?.cause == .unpublished)
                #expect(missing.values.allSatisfy { $0.cause == .unpublished })
                let requests = mirror.simulator.requests.filter { $0.kind != .media }
                #expect(requests.count <= 5, "\(requests.map(\.query))")
            }
        }
    }
}
