/// Limits the time that scans for changes take.
///
/// While changes go on, each scan is followed by its ``Swift/Duration/pauseAfterWork``; after a rest, several short scans
/// may follow each other at once.
struct ScanPace {
    /// The longest rest that counts.
    private static let restLimit = Duration.seconds(2)

    /// The earliest time of the next scan.
    private(set) var next = ContinuousClock.now

    /// Records a scan and all work that it caused.
    mutating func record(_ elapsed: Duration, endingAt end: ContinuousClock.Instant) {
        next = max(next, end - Self.restLimit) + elapsed.pauseAfterWork
    }
}
