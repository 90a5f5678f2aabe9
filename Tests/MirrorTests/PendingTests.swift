import FoundationEssentials
import Mirror
import Testing

@Suite struct PendingTests {
    let start = Date(timeIntervalSince1970: 1_795_000_000)

    @Test(arguments: Pending.Cause.allCases)
    func isLookedForEverMoreRarelyAndNeverNever(cause: Pending.Cause) {
        var pending = Pending(cause, "…", after: nil, at: start)
        var pauses: [Double] = []
        for _ in 0..<40 {
            let now = pending.next
            pending = Pending(cause, "…", after: pending, at: now)
            pauses.append(pending.next.timeIntervalSince(now))
        }

        #expect(pauses == pauses.sorted())
        #expect(pauses.allSatisfy { $0 >= 600 && $0 <= 60 * 86_400 })
        #expect(pending.attempts == 41)
        #expect(pending.since == start)
    }

    @Test func anotherCauseStartsItsOwnCurve() {
        var pending = Pending(.unpublished, "…", after: nil, at: start)
        for _ in 0..<10 { pending = Pending(.unpublished, "…", after: pending, at: start) }
        let other = Pending(.unreachable, "…", after: pending, at: start)

        #expect(other.next == start.addingTimeInterval(Pending.delay(.unreachable, looks: 1)))
        #expect(other.attempts == 12)
    }
}
