/// Why a watched directory is to be scanned; only the scan shows what has changed.
package struct RescanReason: OptionSet, Hashable, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The watcher has just started.
    package static let started = RescanReason(rawValue: 1 << 0)
    /// Something in the directory or beneath it changed.
    package static let changed = RescanReason(rawValue: 1 << 1)
    /// The kernel's event queue overflowed.
    package static let overflow = RescanReason(rawValue: 1 << 2)
    /// The directory itself was created, removed or replaced.
    package static let replaced = RescanReason(rawValue: 1 << 3)
    /// A file system was mounted or unmounted at or below the directory.
    package static let mounted = RescanReason(rawValue: 1 << 4)
    /// Not all directories can be watched; see ``DirectoryWatcher/Mode-swift.enum``.
    package static let unwatched = RescanReason(rawValue: 1 << 5)
    /// The caller's deadline has come.
    package static let due = RescanReason(rawValue: 1 << 6)
    /// The program itself wants a scan, because what it did elsewhere may change what a scan finds.
    package static let scanRequested = RescanReason(rawValue: 1 << 7)
    /// A file arrived in the directory of requests, in which commands leave requests for the daemon.
    package static let requestFile = RescanReason(rawValue: 1 << 8)
    /// A person wants a scan.
    package static let userRequest = RescanReason(rawValue: 1 << 9)
}

/// Limits the share of time that scans take if no person waits for them.
///
/// Each scan is followed by its ``Swift/Duration/pauseAfterWork``: after a scan of 50 ms, the next one begins a second later.
/// After a rest, several short scans may follow each other without a pause.
struct ScanPace {
    /// A rest saves at most this time for scans without a pause.
    private static let restLimit = Duration.seconds(2)

    /// Whether a scan for `reasons` waits; it does not if a person or the caller's deadline is one of them.
    static func delays(_ reasons: RescanReason) -> Bool {
        reasons.isDisjoint(with: [.started, .requestFile, .userRequest, .due])
    }

    /// The earliest time of the next scan.
    private(set) var next = ContinuousClock.now

    /// Records a scan with the work that followed it.
    mutating func record(_ elapsed: Duration, endingAt end: ContinuousClock.Instant) {
        next = max(next, end - Self.restLimit) + elapsed.pauseAfterWork
    }
}

/// The paces of a ``DirectoryWatcher``.
///
/// There are two, so that a scan for a change in the directory does not wait because of scans for other reasons.
struct ScanPaces {
    /// The pace of scans for a change in the directory.
    private var changes = ScanPace()
    /// The pace of scans for other reasons.
    private var others = ScanPace()
    /// The scan in progress that a pace counts; `nil` between two scans, and while a person waits for the scan.
    private var current: (start: SuspendingClock.Instant, isOfChange: Bool)?

    /// When a scan for a change may start.
    var nextForChange: ContinuousClock.Instant { changes.next }
    /// When any scan may start.
    var next: ContinuousClock.Instant { max(changes.next, others.next) }

    /// When a scan for `reasons` may start; `nil` if it need not wait, or if there are no reasons.
    func start(for reasons: RescanReason) -> ContinuousClock.Instant? {
        guard !reasons.isEmpty, ScanPace.delays(reasons) else { return nil }
        return reasons.contains(.changed) ? nextForChange : next
    }

    /// Begins to measure a scan for `reasons` and the work that follows it.
    mutating func begin(for reasons: RescanReason) {
        current = ScanPace.delays(reasons) ? (.now, reasons.contains(.changed)) : nil
    }

    /// Ends the measurement, which decides when the next scan may start.
    mutating func end() {
        guard let (start, isOfChange) = current else { return }
        current = nil
        let elapsed = start.duration(to: .now)
        if isOfChange {
            changes.record(elapsed, endingAt: .now)
        } else {
            others.record(elapsed, endingAt: .now)
        }
    }
}
