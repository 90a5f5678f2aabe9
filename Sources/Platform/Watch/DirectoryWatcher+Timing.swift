extension DirectoryWatcher {
    /// How long a change waits for its scan; after much scanning, ``ScanPaces`` delay the scan more.
    package struct Timing: Sendable {
        /// A scan waits until nothing has changed for this time, so that many changes cause one scan.
        ///
        /// `ln -sfn` takes less than the default between creating a temporary name and renaming it.
        let quietPeriod: Duration
        /// While changes go on, a scan waits no longer than this; if it is zero, ``ScanPaces`` delay no scan.
        let maximumDelay: Duration
        /// The least time between two scans in the mode `polling`.
        let pollInterval: Duration

        package init(
            quietPeriod: Duration = .milliseconds(2), maximumDelay: Duration = .milliseconds(100),
            pollInterval: Duration = RetryDelay.unwatchedDirectory
        ) {
            self.quietPeriod = quietPeriod
            self.maximumDelay = maximumDelay
            self.pollInterval = pollInterval
        }
    }
}
