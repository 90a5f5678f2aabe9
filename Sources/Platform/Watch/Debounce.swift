extension DirectoryWatcher {
    /// How long reasons are held back, so that many changes cause one scan.
    package struct Debounce: Sendable {
        /// The time without a change before a reason is delivered.
        let quietPeriod: Duration
        /// The longest delay while changes go on; if it is zero, ``ScanPace`` delays no scan, either.
        let maximumDelay: Duration

        /// Longer than `ln -sfn` takes between creating a temporary name and renaming it.
        package static let standard = Debounce(
            quietPeriod: .milliseconds(2), maximumDelay: .milliseconds(100))
        package static let none = Debounce(quietPeriod: .zero, maximumDelay: .zero)
    }
}
