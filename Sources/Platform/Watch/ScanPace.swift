extension DirectoryWatcher {
    /// How long reasons are held back, so that many changes cause one scan.
    package struct Debounce: Sendable {
        /// The time without a change before a reason is delivered.
        let quietPeriod: Duration
        /// If it is zero, ``ScanPace`` delays no scan, either.
        let maximumDelay: Duration

        /// Longer than `ln -sfn` takes between creating a temporary name and renaming it.
        ///
        /// A scan in between does no harm: a missing link counts as removed only after a grace period.
        package static let standard = Debounce(
            quietPeriod: .milliseconds(5), maximumDelay: .milliseconds(100))
        package static let none = Debounce(quietPeriod: .zero, maximumDelay: .zero)
    }
}

/// Limits the time that scans for changes take.
///
/// While changes go on, the pauses are those of ``TimedWork``; after a rest, several short scans may follow
/// each other at once.
struct ScanPace {
    /// The longest rest that counts.
    private static let restLimit = Duration.seconds(2)

    /// The earliest time of the next scan.
    private(set) var next = ContinuousClock.now

    /// Records a scan and all work that it caused.
    mutating func record(_ elapsed: Duration, endingAt end: ContinuousClock.Instant) {
        next = max(next, end - Self.restLimit) + TimedWork.pause(after: elapsed)
    }
}
