package import APOD
package import Platform
internal import Synchronization

/// Holds the snapshot that all parts of a process read, and keeps it true: see ``Store/snapshots``.
///
/// A walk lists the directories of all months, which makes a snapshot: ``TreeSnapshot/init(of:recordsOnly:)``. It is
/// held for the sync that began with it, and for at least five seconds, in which views, thumbnails and metrics share
/// it; the daemon holds it for the polls of a day: ``release(keepingIt:)``. Meanwhile the month of a day whose files
/// this process changes is listed again before the snapshot is read. No other process of this program writes a mirror
/// that is open for writing; what a person changes is found by the next walk.
package final class SnapshotOwner: Sendable {
    private struct HeldWalk {
        var snapshot: TreeSnapshot
        /// When the walk was finished.
        let finished: ContinuousClock.Instant
        /// Until when the snapshot may be read without a new walk.
        var expiry: ContinuousClock.Instant
        /// The number of calls of ``invalidate()`` before the walk.
        let invalidations: Int
        /// Whether a sync uses the walk, which therefore does not expire.
        var isOfSync: Bool
        /// Releases the memory of the snapshot at its expiry.
        var expiryTimer: EventLoop.Registration?
    }

    /// The time for which a walk is held; what others change meanwhile is found after it.
    package static let lifetime = Duration.seconds(5)
    /// The time for which the daemon holds a walk between its syncs: one walk a day if they vary by some hours.
    private static let daemonLifetime = Duration.seconds(20 * 3600)

    private let root: Directory
    /// Locked for the time of a walk, which may be minutes on a slow disk.
    private let heldWalk = Mutex(HeldWalk?.none)
    /// The months that this process changed since the start of the last walk, which are to be listed again.
    ///
    /// A publication records its month, and so waits for no walk.
    private let changedMonths = Mutex(Set<Month>())
    /// The number of calls of ``invalidate()``, which waits for no walk.
    private let invalidations = Mutex(0)

    init(of root: Directory) {
        self.root = root
    }

    /// Walks the tree for a sync, and holds the snapshot until ``release(keepingIt:)``, or until ``invalidate()``.
    package func walk() throws(SystemError) -> TreeSnapshot {
        try heldWalk.withLock { held throws(SystemError) in
            held = nil
            let new = try newWalk(isOfSync: true)
            held = new
            return new.snapshot
        }
    }

    /// The held snapshot, for a sync, until ``release(keepingIt:)``; `nil` if the sync has to walk the tree.
    func reuse(at now: ContinuousClock.Instant = .now) -> TreeSnapshot? {
        heldWalk.withLock { held in
            guard var current = held, isValid(current, at: now) else { return nil }
            update(&current)
            current.isOfSync = true
            held = current
            return current.snapshot
        }
    }

    /// The tree as it is now: by the held snapshot, else by a walk.
    package func current() throws(SystemError) -> TreeSnapshot {
        try heldWalk.withLock { held throws(SystemError) in
            if var current = held, isValid(current) {
                update(&current)
                held = current
                return current.snapshot
            }
            held = nil
            var new = try newWalk(isOfSync: false)
            new.expiryTimer = expiryTimer(at: new.expiry)
            held = new
            return new.snapshot
        }
    }

    /// Lists the months again that this process changed.
    private func update(_ walk: inout HeldWalk) {
        // Taken before the months are listed: what changes meanwhile is listed by the next call.
        let months = takeChangedMonths()
        for month in months { walk.snapshot.reread(month.first, in: root) }
        let unread = months.filter { walk.snapshot.readError(of: $0.first) != nil }
        changedMonths.withLock { $0.formUnion(unread) }
    }

    /// Records that files of `day` have changed, or may have.
    package func recordChange(of day: Day) {
        changedMonths.withLock { _ = $0.insert(Month(of: day)) }
    }

    private func takeChangedMonths() -> Set<Month> {
        changedMonths.withLock { months in
            defer { months = [] }
            return months
        }
    }

    /// Ends the sync that began with ``walk()`` or ``reuse(at:)``.
    ///
    /// With `keepingIt`, the walk is held for the syncs of a day; one that could not read all directories is not.
    package func release(keepingIt isKept: Bool = false) {
        heldWalk.withLock { held in
            held?.isOfSync = false
            if let current = held {
                let isForDay = isKept && current.snapshot.unreadable.isEmpty
                held?.expiry = current.finished + (isForDay ? Self.daemonLifetime : Self.lifetime)
            }
            guard let current = held, isValid(current) else { return held = nil }
            held?.expiryTimer = expiryTimer(at: current.expiry)
        }
    }

    /// Lets the next reader walk the tree, because others may have changed it.
    package func invalidate() {
        invalidations.withLock { $0 += 1 }
    }

    /// Whether the snapshot of `walk` may be read: nobody has invalidated it, and it has not expired.
    private func isValid(_ walk: HeldWalk, at now: ContinuousClock.Instant = .now) -> Bool {
        guard walk.invalidations == invalidations.withLock(\.self) else { return false }
        return walk.isOfSync || walk.expiry > now
    }

    private func newWalk(isOfSync: Bool) throws(SystemError) -> HeldWalk {
        // Both are read before the walk, during which the tree may be changed.
        let invalidationCount = invalidations.withLock(\.self)
        _ = takeChangedMonths()
        let snapshot = try TreeSnapshot(of: root)
        let now = ContinuousClock.now
        return HeldWalk(
            snapshot: snapshot, finished: now, expiry: now + Self.lifetime,
            invalidations: invalidationCount, isOfSync: isOfSync)
    }

    private func expiryTimer(at expiry: ContinuousClock.Instant) -> EventLoop.Registration {
        EventLoop.shared.at(expiry) { [weak self] in
            // Not on the thread of the loop, which must not wait for a walk.
            Task(executorPreference: ThreadPoolExecutor.shared) { self?.releaseOutdated() }
        }
    }

    private func releaseOutdated() {
        heldWalk.withLock { held in
            if let current = held, !isValid(current) { held = nil }
        }
        returnFreeMemory()
    }
}
