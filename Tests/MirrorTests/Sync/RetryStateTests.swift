import FoundationEssentials
import Testing

@testable import Mirror

@Suite struct RetryStateTests {
    let start = Date(timeIntervalSince1970: 1_795_000_000)

    @Test(arguments: RetryState.Cause.allCases)
    func aDayIsRetriedWithGrowingDelaysAndNeverGivenUp(cause: RetryState.Cause) {
        var state = RetryState(cause, "…", after: nil, at: start)
        var pauses: [Double] = []
        for _ in 0..<40 {
            let now = state.next
            state = RetryState(cause, "…", after: state, at: now)
            pauses.append(state.next.timeIntervalSince(now))
        }

        #expect(pauses == pauses.sorted())
        #expect(pauses.allSatisfy { $0 >= 600 && $0 <= 60 * 86_400 })
        #expect(state.attempts == 41)
        #expect(state.since == start)
    }

    /// A sync that was requested, or an edit by NASA, makes an attempt before its time.
    @Test func anEarlyAttemptDoesNotLengthenTheDelay() {
        let first = RetryState(.lost, "…", after: nil, at: start)
        var state = RetryState(.lost, "…", after: first, at: first.next)
        let delay = state.next.timeIntervalSince(state.last)
        for second in 1..<10 {
            let now = state.last.addingTimeInterval(Double(second))
            state = RetryState(.lost, "…", after: state, at: now)
            #expect(state.next.timeIntervalSince(now) == delay)
        }

        #expect(delay == 3 * first.next.timeIntervalSince(first.last))
    }

    @Test func anotherCauseRestartsTheDelays() {
        var state = RetryState(.unpublished, "…", after: nil, at: start)
        for _ in 0..<10 { state = RetryState(.unpublished, "…", after: state, at: start) }
        let other = RetryState(.unreachable, "…", after: state, at: start)

        #expect(other.next == RetryState(.unreachable, "…", after: nil, at: start).next)
        #expect(other.attempts == 12)
    }

    /// A state without an attempt has no time before the mirror existed.
    @Test func aDayThatIsDueAtOnceHasNoAttempt() {
        let state = RetryState(dueAt: start, .partial, "…", after: nil)
        let failed = RetryState(.lost, "…", after: state, at: start)

        #expect(state.attempts == 0 && state.next == start && state.since == start)
        #expect(!failed.hasNoPicture && failed.attempts == 1)
    }
}
