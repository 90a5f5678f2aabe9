extension DirectoryWatcher {
    /// How long reasons are held back, so that many changes cause one scan.
    package struct Debounce: Sendable {
        /// The time without a change before a reason is delivered.
        let quietPeriod: Duration
        let maximumDelay: Duration
        /// Whether ``ScanPace`` delays scans.
        var limitsScanTime = true

        /// Longer than `ln -sfn` takes between creating a temporary name and renaming it.
        ///
        /// A scan in between does no harm: a missing link counts as removed only after a grace period.
        package static let standard = Debounce(
            quietPeriod: .milliseconds(5), maximumDelay: .milliseconds(100))
        package static let none = Debounce(
            quietPeriod: .zero, maximumDelay: .zero, limitsScanTime: false)
    }
}

/// Limits the time that scans for changes take.
///
/// While changes go on, such scans take at most a twentieth of the time; after a pause, several short
/// ones may follow each other at once.
struct ScanPace {
    /// The time between scans per time of scanning.
    private static let ratio = 20
    /// The longest pause that counts.
    private static let pauseLimit = Duration.seconds(2)

    /// The earliest time of the next scan.
    private(set) var next = ContinuousClock.now

    /// Records a scan and all work that it caused.
    mutating func record(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        next = max(next, end - Self.pauseLimit) + (end - start) * Self.ratio
    }
}
