package import APOD
package import FoundationEssentials
package import Platform
internal import Synchronization

/// Keeps the one snapshot of the tree that all services of a process share, and decides when the tree is walked again.
///
/// A *walk* lists the directories of all months, which may take minutes on a slow disk, and makes a ``TreeSnapshot``. A sync
/// begins with ``walk(at:)`` or ``reuse(at:)``, and ends with ``release(holdingUntilMidnight:)``. Until then, its snapshot is
/// valid. Any snapshot is valid for five seconds, so that views, thumbnails and metrics share it. The daemon may use one until
/// midnight UTC, so that the first poll of each day walks.
///
/// When this process changes the files of a day, it reports that (``recordChange(of:)``), and the month of the day is listed
/// again before the next use. What a person changes is found by the next walk. No other apod-mirror changes the tree.
package final class SnapshotOwner: Sendable {
    private struct Walk {
        var snapshot: TreeSnapshot
        /// When the walk began, by the clock of file times.
        let start: Date
        let end: ContinuousClock.Instant
        /// The first midnight UTC after the start of the walk.
        let midnight: ContinuousClock.Instant
        /// When the snapshot must be replaced by a new walk.
        var expiry: ContinuousClock.Instant
    }

    /// The changes of the tree since the start of the last walk, including those during the walk.
    private struct Changes {
        /// The months that this process has changed, which must be listed again.
        var months: Set<Month> = []
        /// Whether somebody else may have changed the tree, which must then be walked again.
        var isInvalid = false
        /// Counts all recorded changes, and all walks of syncs.
        var count = 0
    }

    /// The time for which a snapshot is used outside of a sync: a change by a person is found after it.
    package static let lifetime = Duration.seconds(5)
    /// The longest time for which a sync uses its snapshot.
    private static let syncLifetime = Duration.seconds(24 * 3600)

    private let root: Directory
    /// `nil` if there is none; locked while the tree is walked.
    private let lastWalk = Mutex(Walk?.none)
    /// Has a lock of its own, so that a change can be recorded during a walk; it may be locked while ``lastWalk`` is locked.
    private let changes = Mutex(Changes())

    init(of root: Directory) { self.root = root }

    /// Walks over the tree at the start of a sync.
    package func walk(at now: Date = .now) throws(SystemError) -> TreeSnapshot {
        try lastWalk.withLock { lastWalk throws(SystemError) in
            lastWalk = nil
            changes.withLock { $0.count += 1 }
            let walk = try makeWalk(at: now, lifetime: Self.syncLifetime)
            lastWalk = walk
            return walk.snapshot
        }
    }

    /// The snapshot of an earlier walk, for a new sync; `nil` if it has expired, so that the sync has to call ``walk(at:)``.
    func reuse(at now: ContinuousClock.Instant = .now) -> TreeSnapshot? {
        lastWalk.withLock { validSnapshot(of: &$0, at: now) }
    }

    /// Ends the sync that began with ``walk(at:)`` or ``reuse(at:)``.
    ///
    /// If `isHeldUntilMidnight` and the walk could read all directories, later syncs may reuse it until midnight UTC.
    package func release(holdingUntilMidnight isHeldUntilMidnight: Bool = false) {
        lastWalk.withLock { lastWalk in
            guard var walk = lastWalk else { return }
            walk.expiry = walk.end + Self.lifetime
            if isHeldUntilMidnight, walk.snapshot.unreadable.isEmpty {
                walk.expiry = max(walk.expiry, walk.midnight)
            }
            lastWalk = isValid(walk, at: .now) ? walk : nil
        }
    }

    /// The tree as it is now, by the last walk, or by a new one if the last one has expired.
    package func current() throws(SystemError) -> TreeSnapshot {
        try current(since: .distantPast).snapshot
    }

    /// The tree as it is now, with the months of `days` listed again, because a person may have changed them.
    package func current(rereading days: Set<Day>) throws(SystemError) -> TreeSnapshot {
        changes.withLock { $0.months.formUnion(days.map { Month(of: $0) }) }
        return try current()
    }

    /// The tree as a walk found it that began at `date` or later, and the time when that walk began.
    ///
    /// A new walk expires no earlier than a valid one that it replaces, unless it could not read a directory.
    package func current(
        since date: Date
    ) throws(SystemError) -> (snapshot: TreeSnapshot, start: Date) {
        try lastWalk.withLock { lastWalk throws(SystemError) in
            if let start = lastWalk?.start, start >= date,
                let snapshot = validSnapshot(of: &lastWalk, at: .now)
            {
                return (snapshot, start)
            }
            var validExpiry: ContinuousClock.Instant?
            if let lastWalk, isValid(lastWalk, at: .now) { validExpiry = lastWalk.expiry }
            lastWalk = nil
            var walk = try makeWalk(at: .now, lifetime: Self.lifetime)
            if let validExpiry, walk.snapshot.unreadable.isEmpty {
                walk.expiry = max(validExpiry, walk.expiry)
            }
            lastWalk = walk
            return (walk.snapshot, walk.start)
        }
    }

    /// A number that changes with each ``recordChange(of:)`` and with each ``walk(at:)`` of a sync.
    ///
    /// As long as it is the same, neither this process nor a sync knows of a change of the tree.
    package var changeCount: Int { changes.withLock(\.count) }

    /// Records that this process has changed files of `day`, or may have.
    package func recordChange(of day: Day) {
        changes.withLock { changes in
            changes.months.insert(Month(of: day))
            changes.count += 1
        }
    }

    /// Makes the next reader walk over the tree, because somebody else may have changed it.
    package func invalidate() {
        changes.withLock { $0.isInvalid = true }
    }

    /// Whether the snapshot of `walk` may still be used: it has not expired, and nobody called ``invalidate()``.
    private func isValid(_ walk: Walk, at now: ContinuousClock.Instant) -> Bool {
        walk.expiry > now && !changes.withLock(\.isInvalid)
    }

    /// The snapshot of the last walk, after its changed months were listed again; `nil` if a new walk is necessary.
    private func validSnapshot(
        of lastWalk: inout Walk?, at now: ContinuousClock.Instant
    ) -> TreeSnapshot? {
        guard var walk = lastWalk, isValid(walk, at: now) else { return nil }
        // Emptied before the months are listed, so that the next call lists what changes meanwhile.
        let months = changes.withLock { changes in
            defer { changes.months = [] }
            return changes.months
        }
        // With a second reference in `lastWalk`, the change of `walk` would copy all days.
        lastWalk = nil
        for month in months { walk.snapshot.reread(month.first, in: root) }
        let unread = months.filter { walk.snapshot.readError(of: $0.first) != nil }
        changes.withLock { $0.months.formUnion(unread) }
        lastWalk = walk
        return walk.snapshot
    }

    /// Walks over the tree; `start` is now, and the result expires after `lifetime`.
    private func makeWalk(at start: Date, lifetime: Duration) throws(SystemError) -> Walk {
        // Emptied before the walk, so that changes during the walk are recorded.
        changes.withLock { ($0.months, $0.isInvalid) = ([], false) }
        let midnight = Double((start.dayNumber + 1) * 86_400)
        let untilMidnight = Duration.seconds(midnight - start.timeIntervalSince1970)
        let startInstant = ContinuousClock.now
        let snapshot = try TreeSnapshot(of: root)
        let end = ContinuousClock.now
        return Walk(
            snapshot: snapshot, start: start, end: end, midnight: startInstant + untilMidnight,
            expiry: end + lifetime)
    }
}
