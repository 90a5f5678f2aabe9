/// Limits the time that scans take for which no person waits.
///
/// While there are reasons for them, each scan is followed by its ``Swift/Duration/pauseAfterWork``; after a rest, several
/// short scans may follow each other at once.
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

/// The paces of a ``DirectoryWatcher``: scans that no change in the directory causes do not delay one that a change does.
struct ScanPaces {
    /// Of the scans that a change causes.
    private var changes = ScanPace()
    /// Of the scans that the program itself causes, or others without a change.
    private var others = ScanPace()
    /// The scan in progress that a pace counts; `nil` between two scans, and during one that a person waits for.
    private var current: (start: SuspendingClock.Instant, isOfChange: Bool)?

    /// When a scan for a change may start.
    var nextForChange: ContinuousClock.Instant { changes.next }
    /// When any scan may start.
    var next: ContinuousClock.Instant { max(changes.next, others.next) }

    /// When a scan for `reasons` may start; `nil` for at once, and without reasons.
    func start(for reasons: RescanReason) -> ContinuousClock.Instant? {
        guard !reasons.isEmpty, ScanPace.delays(reasons) else { return nil }
        return reasons.contains(.changed) ? nextForChange : next
    }

    /// Begins to measure a scan for `reasons`, and everything that it causes.
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
