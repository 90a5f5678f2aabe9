/// When the next scan may begin that has no reason but changes.
///
/// While changes go on, such scans take at most a twentieth of the time; after a rest, several short ones
/// may follow each other at once.
struct ScanPace {
    /// Scans take at most one part in so many of the time.
    private static let share = 20
    /// So much of a rest counts.
    private static let rest = Duration.seconds(2)

    /// The earliest moment of the next scan.
    private(set) var next = ContinuousClock.now

    /// Notes a scan, with all that was done because of it.
    mutating func note(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        next = max(next, end - Self.rest) + (end - start) * Self.share
    }
}
