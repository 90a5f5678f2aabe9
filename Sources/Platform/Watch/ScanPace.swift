/// Limits the time that scans take for which no person waits.
///
/// While there are reasons for them, each scan is followed by its ``Swift/Duration/pauseAfterWork``; after a rest, several short scans
/// may follow each other at once.
struct ScanPace {
    /// The longest rest that counts.
    private static let restLimit = Duration.seconds(2)

    /// Whether a scan for `reasons` waits: not if a person has caused one of them, or the caller of the watcher by its
    /// deadline.
    static func delays(_ reasons: RescanReason) -> Bool {
        reasons.isDisjoint(with: [.started, .requestFile, .userRequest, .due])
    }

    /// The earliest time of the next scan.
    private(set) var next = ContinuousClock.now

    /// Records a scan and all work that it caused.
    mutating func record(_ elapsed: Duration, endingAt end: ContinuousClock.Instant) {
        next = max(next, end - Self.restLimit) + elapsed.pauseAfterWork
    }
}
