/// Why a watched directory, `favorites/`, is to be scanned; what has changed is shown only by the scan.
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
    /// Some directories cannot be watched, so that they are scanned at intervals; see ``DirectoryWatcher/Mode-swift.enum``.
    package static let unwatched = RescanReason(rawValue: 1 << 5)
    /// The caller's deadline has come.
    package static let due = RescanReason(rawValue: 1 << 6)
    /// This program wants a scan, because it has changed something on which the result of a scan depends.
    package static let scanRequested = RescanReason(rawValue: 1 << 7)
    /// A command has left a file with a request for the daemon.
    package static let requestFile = RescanReason(rawValue: 1 << 8)
    /// A person wants a scan.
    package static let userRequest = RescanReason(rawValue: 1 << 9)

    /// Whether a person or the caller's deadline is waiting for the scan, so that no ``ScanPace`` delays it.
    var isUrgent: Bool { !isDisjoint(with: [.started, .requestFile, .userRequest, .due]) }
}

/// Limits the time of scans for which nobody waits: a program that changes files all the time must not keep the disk busy.
///
/// After each scan there is a pause, see ``Swift/Duration/pauseAfterWork``: after a scan of 50 ms, the next one begins a second
/// later. If there was no scan for a while, several short scans may follow each other without a pause.
struct ScanPace {
    /// The most time without scans that counts for later scans without a pause.
    private static let restLimit = Duration.seconds(2)

    /// The earliest time of the next scan.
    private(set) var next = ContinuousClock.now

    /// Records a scan, which took `elapsed` with the work that followed it.
    mutating func record(_ elapsed: Duration, endingAt end: ContinuousClock.Instant) {
        next = max(next, end - Self.restLimit) + elapsed.pauseAfterWork
    }
}

/// The two paces of a ``DirectoryWatcher``: scans for other reasons do not delay a scan for a change in the directory.
struct ScanPaces {
    /// The pace of scans for a change in the directory.
    private var changes = ScanPace()
    /// The pace of scans for other reasons.
    private var others = ScanPace()
    /// The scan in progress; `nil` between two scans, and while there is an urgent scan, which no pace counts.
    private var current: (start: SuspendingClock.Instant, isOfChange: Bool)?

    /// When a scan for a change may start.
    var nextForChange: ContinuousClock.Instant { changes.next }
    /// When a scan for any reason may start.
    var next: ContinuousClock.Instant { max(changes.next, others.next) }

    /// When a scan for `reasons` may start; `nil` if it is urgent, or if there are no reasons.
    func start(for reasons: RescanReason) -> ContinuousClock.Instant? {
        guard !reasons.isEmpty, !reasons.isUrgent else { return nil }
        return reasons.contains(.changed) ? nextForChange : next
    }

    /// Begins to measure a scan for `reasons`, and the work that follows it.
    mutating func beginScan(for reasons: RescanReason) {
        current = reasons.isUrgent ? nil : (.now, reasons.contains(.changed))
    }

    /// Ends the measurement, on which the start of the next scan depends.
    mutating func endScan() {
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
