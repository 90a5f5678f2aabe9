/// Limits the time of scans for which nobody waits: a program that changes files all the time must not keep the disk busy.
///
/// After each scan there is a pause of 20 times its duration, but at most a minute: see ``Swift/Duration/pauseAfterWork``.
/// Time that passes beyond the pause is a credit for later scans, of at most two seconds: after a rest, ten scans of 10 ms,
/// whose pauses are 200 ms, may follow each other at once.
struct ScanPace {
    private static let maximumCredit = Duration.seconds(2)

    /// The earliest time of the next scan; the time since then is the credit.
    private(set) var earliest = ContinuousClock.now

    /// Adds the pause after a scan, which took `elapsed` with the work that followed it.
    mutating func record(_ elapsed: Duration, endingAt end: ContinuousClock.Instant) {
        let startOfPause = max(earliest, end - Self.maximumCredit)
        earliest = startOfPause + elapsed.pauseAfterWork
    }
}

/// The two paces of a ``DirectoryWatcher``, for scans because of a change in the directory, and for all others.
///
/// A scan for a change waits only for the pace of changes, so that a user soon sees its effect. Other scans wait for both.
struct ScanPaces {
    private var changes = ScanPace()
    private var others = ScanPace()
    /// The scan in progress; `nil` between two scans, and during an urgent one, after which there is no pause.
    private var running: (start: SuspendingClock.Instant, isForChange: Bool)?

    /// When a scan for a change may start.
    var earliestForChange: ContinuousClock.Instant { changes.earliest }
    /// When a scan for any reason may start.
    var earliest: ContinuousClock.Instant { max(changes.earliest, others.earliest) }

    /// When a scan for `reasons` may start; `nil` if it is urgent, or if there are no reasons.
    func earliestStart(for reasons: RescanReason) -> ContinuousClock.Instant? {
        guard !reasons.isEmpty, !reasons.isUrgent else { return nil }
        return reasons.contains(.changed) ? earliestForChange : earliest
    }

    /// Begins to measure a scan for `reasons`, and the work that follows it.
    mutating func beginScan(for reasons: RescanReason) {
        // This clock stops while the machine is suspended, because that time is no work.
        running = reasons.isUrgent ? nil : (SuspendingClock.now, reasons.contains(.changed))
    }

    /// Ends the measurement, on which the start of the next scan depends.
    mutating func endScan() {
        guard let scan = running.take() else { return }
        let elapsed = scan.start.duration(to: .now)
        if scan.isForChange {
            changes.record(elapsed, endingAt: .now)
        } else {
            others.record(elapsed, endingAt: .now)
        }
    }
}

extension Duration {
    /// The pause after recurring work, such as a scan, that took this long: twenty times as long, but at most a minute.
    package var pauseAfterWork: Duration { min(self * 20, .seconds(60)) }
}
