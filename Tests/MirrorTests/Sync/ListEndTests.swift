import APOD
import MirrorTesting
import Simulator
import Testing

@testable import Mirror

/// The end of the lists of a range, with totals and without.
@Suite(.timeLimit(.minutes(10))) struct ListEndTests {
    @Test(arguments: [true, false])
    func noDayIsMissedAndNoneInvented(hasTotals: Bool) async throws {
        // Without the absent day, the last page of 25 is full, and is not.
        for days in [51, 55] {
            let settings = Simulator.Settings(sendsTotals: hasTotals)
            try await withMirror(days: days, settings: settings) { mirror in
                let absent = MirrorUnderTest.newest.advanced(by: -30)
                mirror.simulator.withdraw(absent)

                let summary = await mirror.sync(since: .days(days + 10))

                #expect(summary.obstacle == nil && summary.withFiles == days - 1, "\(summary)")
                let missing = try mirror.store.state().retries
                #expect(missing.count == 11 && missing[absent]?.cause == .unpublished)
                #expect(missing.values.allSatisfy { $0.cause == .unpublished })
                // Without totals, an empty list may be an error: its ten days are requested one by one.
                let requests = mirror.simulator.requests.filter { $0.kind != .media }
                #expect(requests.count <= (hasTotals ? 5 : 15), "\(requests.map(\.query))")
            }
        }
    }
}
