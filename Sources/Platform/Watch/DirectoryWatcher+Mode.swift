extension DirectoryWatcher {
    /// How changes are noticed.
    package enum Mode: Hashable, Sendable, CustomStringConvertible {
        /// By events of inotify(7).
        case events
        /// By a scan at each interval, or less often if scans take long: the obstacle prevents some watches.
        ///
        /// Each scan tries again to set the watches.
        case polling(WatchObstacle, every: Duration)

        /// Whether the modes are equal but for the path of the obstacle, which each scan may meet at another path first.
        func isSameExceptPath(as other: Mode) -> Bool {
            switch (self, other) {
            case (.events, .events): true
            case (.polling(.failed(let error), _), .polling(.failed(let otherError), _)):
                error.code == otherError.code
            default: self == other
            }
        }

        package var description: String {
            switch self {
            case .events: "changes are detected at once"
            case .polling(let obstacle, let interval):
                "changes are detected by scanning every \(interval.components.seconds) seconds at most: \(obstacle)"
            }
        }
    }
}
