package import APOD
package import FoundationEssentials
package import Platform
internal import Synchronization

/// Keeps the one snapshot of the tree that all services of a process share, and decides when the tree is walked again.
///
/// A ``TreeWalk`` lists the directories of all months, and makes the snapshot. Any snapshot is valid for five seconds, so that
/// views, thumbnails and metrics share it. That of a sync is valid until the sync ends, for a day at most. The daemon may use
/// one until midnight UTC, so that the first poll of each day walks.
///
/// When this process changes the files of a day, it reports that (``recordChange(of:)``), and the month of the day is listed
/// again before the next use. What a person changes is found by the next walk. While a process has the lock of the mirror, no
/// other apod-mirror changes the tree.
package final class SnapshotOwner: Sendable {
    /// The changes of the tree since the start of the last walk, including those during the walk.
    private struct Changes {
        /// The months that this process has changed, which must be listed again.
        var months: Set<Month> = []
        /// Whether somebody else may have changed the tree, so that all of it must be walked again.
        var mustWalkAgain = false
        /// How many changes were recorded since the start of the process, and how many walks of syncs began.
        var count = 0
    }

    /// The time for which a snapshot is used outside of a sync: a change by a person is found after it.
    package static let lifetime = Duration.seconds(5)
    /// The longest time for which a sync uses its snapshot.
    private static let syncLifetime = Duration.seconds(24 * 3600)

    private let root: Directory
    /// `nil` if there is none; locked while the tree is walked.
    private let lastWalk = Mutex(TreeWalk?.none)
    /// Has a lock of its own, so that a change can be recorded during a walk; it may be locked while ``lastWalk`` is locked.
    private let changes = Mutex(Changes())

    init(of root: Directory) { self.root = root }

    // MARK: Syncs

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
        lastWalk.withLock { rereadChangedMonths(of: &$0, at: now) }
    }

    /// Ends the sync that began with ``walk(at:)`` or ``reuse(at:)``.
    ///
    /// If `isHeldUntilMidnight` and the walk could read all directories, later syncs may reuse it until midnight UTC.
    package func release(holdingUntilMidnight isHeldUntilMidnight: Bool = false) {
        lastWalk.withLock { lastWalk in
            guard var walk = lastWalk else { return }
            walk.expire(after: Self.lifetime)
            if isHeldUntilMidnight { walk.postponeExpiry(until: walk.midnight) }
            lastWalk = isValid(walk, at: .now) ? walk : nil
        }
    }

    // MARK: Other readers

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
                let snapshot = rereadChangedMonths(of: &lastWalk, at: .now)
            {
                return (snapshot, start)
            }
            let replacedExpiry = isValid(lastWalk, at: .now) ? lastWalk?.expiry : nil
            lastWalk = nil
            var walk = try makeWalk(at: .now, lifetime: Self.lifetime)
            if let replacedExpiry { walk.postponeExpiry(until: replacedExpiry) }
            lastWalk = walk
            return (walk.snapshot, walk.start)
        }
    }

    // MARK: Changes of the tree

    /// A number that grows with each ``recordChange(of:)`` and with each ``walk(at:)`` of a sync.
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
    package func invalidate() { changes.withLock { $0.mustWalkAgain = true } }

    // MARK: The last walk

    /// Whether the snapshot of `walk` may still be used: it has not expired, and nobody called ``invalidate()``.
    private func isValid(_ walk: TreeWalk?, at now: ContinuousClock.Instant) -> Bool {
        guard let walk, walk.expiry > now else { return false }
        return changes.withLock { !$0.mustWalkAgain }
    }

    /// Lists the changed months of the last walk again; returns its snapshot, or `nil` if a new walk is necessary.
    private func rereadChangedMonths(
        of lastWalk: inout TreeWalk?, at now: ContinuousClock.Instant
    ) -> TreeSnapshot? {
        guard isValid(lastWalk, at: now) else { return nil }
        // Taken before the months are listed, so that the next call lists what changes meanwhile.
        let months = changes.withLock { changes in
            defer { changes.months = [] }
            return changes.months
        }
        // Changed in its place: a second reference to the walk would copy the files of all days.
        let unreadMonths = lastWalk?.reread(months, in: root) ?? []
        changes.withLock { $0.months.formUnion(unreadMonths) }
        return lastWalk?.snapshot
    }

    /// Walks over the tree; `start` is now, and the result expires after `lifetime`.
    private func makeWalk(at start: Date, lifetime: Duration) throws(SystemError) -> TreeWalk {
        // Forgotten before the walk, so that changes during the walk are recorded.
        changes.withLock { changes in
            changes.months = []
            changes.mustWalkAgain = false
        }
        return try TreeWalk(over: root, startingAt: start, lifetime: lifetime)
    }
}
