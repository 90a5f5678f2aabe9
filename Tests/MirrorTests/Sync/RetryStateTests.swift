import FoundationEssentials
import Testing

@testable import Mirror

@Suite struct RetryStateTests {
    let start = Date(timeIntervalSince1970: 1_795_000_000)

    @Test(arguments: RetryState.Cause.allCases)
    func aDayIsRetriedWithGrowingDelaysAndNeverGivenUp(cause: RetryState.Cause) {
        var pending = RetryState(cause, "…", after: nil, at: start)
        var pauses: [Double] = []
        for _ in 0..<40 {
            let now = pending.next
            pending = RetryState(cause, "…", after: pending, at: now)
            pauses.append(pending.next.timeIntervalSince(now))
        }

        #expect(pauses == pauses.sorted())
        #expect(pauses.allSatisfy { $0 >= 600 && $0 <= 60 * 86_400 })
        #expect(pending.attempts == 41)
        #expect(pending.since == start)
    }

    @Test func anotherCauseRestartsTheDelays() {
        var pending = RetryState(.unpublished, "…", after: nil, at: start)
        for _ in 0..<10 { pending = RetryState(.unpublished, "…", after: pending, at: start) }
        let other = RetryState(.unreachable, "…", after: pending, at: start)

        #expect(other.next == RetryState(.unreachable, "…", after: nil, at: start).next)
        #expect(other.attempts == 12)
    }

    /// A state without an attempt has no time before the mirror existed.
    @Test func aDayThatIsDueAtOnceHasNoAttempt() {
        let pending = RetryState(dueAt: start, .partial, "…", after: nil)
        let failed = RetryState(.lost, "…", after: pending, at: start)

        #expect(pending.attempts == 0 && pending.next == start && pending.since == start)
        #expect(!failed.hasNoPicture && failed.attempts == 1)
    }
}
