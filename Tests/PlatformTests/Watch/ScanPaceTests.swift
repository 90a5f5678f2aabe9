import Testing

@testable import Platform

@Suite struct ScanPaceTests {
    /// Scans as often as permitted for a simulated minute.
    private func scans(
        of duration: Duration
    ) -> (count: Int, spent: Duration, longestWait: Duration) {
        var pace = ScanPace()
        let start = pace.earliest
        var (now, count, longest) = (start + .seconds(60), 0, Duration.zero)
        while now < start + .seconds(120) {
            now += duration
            pace.record(duration, endingAt: now)
            count += 1
            longest = max(longest, pace.earliest - now)
            now = max(now, pace.earliest)
        }
        return (count, duration * count, longest)
    }

    @Test(arguments: [1, 20, 100, 1000]) func scansTakeATwentiethOfTheTime(milliseconds: Int) {
        let (count, spent, wait) = scans(of: .milliseconds(milliseconds))

        #expect(count >= 3)
        // A minute, plus the credit of the rest before it.
        #expect(spent <= .seconds(3.2) + .milliseconds(milliseconds))
        #expect(wait <= .milliseconds(milliseconds * 20))
    }

    @Test(arguments: [3, 600, 8 * 3600]) func noPauseIsLongerThanAMinute(seconds: Int) {
        var pace = ScanPace()
        let end = pace.earliest + .seconds(seconds)
        pace.record(.seconds(seconds), endingAt: end)

        #expect(pace.earliest <= end + .seconds(60))
        #expect(Duration.seconds(seconds).pauseAfterWork == .seconds(60))
    }

    /// What the program itself wants, and what others can cause without end, is no person who waits.
    @Test(
        arguments: [
            (.requestedByProgram, true), (.changed, true), (.mounted, true), (.overflow, true),
            (.replaced, true), (.unwatched, true), (.requestedByUser, false),
            (.requestedByCommand, false),
            (.started, false), ([.requestedByProgram, .requestedByUser], false),
        ] as [(RescanReason, Bool)])
    func onlyScansThatAPersonWantsFollowAtOnce(reasons: RescanReason, isDelayed: Bool) {
        #expect(reasons.isUrgent != isDelayed)
    }

    @Test func afterARestShortScansFollowAtOnce() {
        var pace = ScanPace()
        var now = pace.earliest + .seconds(10)
        for _ in 0..<50 {
            now += .milliseconds(1)
            pace.record(.milliseconds(1), endingAt: now)
            #expect(pace.earliest <= now)
        }
    }
}
