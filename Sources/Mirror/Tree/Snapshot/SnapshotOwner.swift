package import APOD
package import Platform

/// Holds the snapshot that all parts of a process read, and keeps it true: see ``Store/snapshots``.
///
/// A walk is held for the sync that began with it, and for at least a minute, in which views, thumbnails and metrics
/// share it. Meanwhile a day whose files this process changes is listed again before the snapshot is read; what others
/// change is found by the next walk. After that nothing is held: an idle daemon needs no memory for it.
package final class SnapshotOwner: Sendable {
    private struct Held {
        var snapshot: TreeSnapshot
        /// Until when it may be read without a new walk.
        let end: ContinuousClock.Instant
        var isOfSync: Bool
        /// The months that are to be listed again.
        var changed: Set<Month> = []
        /// Drops it at its end.
        var timer: EventLoop.Registration?
    }

    /// The time for which a walk is held; what others change meanwhile is found after it.
    private static let lifetime = Duration.seconds(60)

    private let root: Directory
    private let held = Monitor(Held?.none)

    init(of root: Directory) {
        self.root = root
    }

    /// Walks the tree for a sync, and holds the snapshot at least until ``release()``.
    package func walk() throws(SystemError) -> TreeSnapshot {
        try held.withLock { held throws(SystemError) in
            let new = try newWalk(isOfSync: true)
            held = new
            return new.snapshot
        }
    }

    /// The tree as it is now: by the held snapshot, else by a walk.
    package func current() throws(SystemError) -> TreeSnapshot {
        try held.withLock { held throws(SystemError) in
            if var current = held, current.isOfSync || current.end > .now {
                for month in current.changed { current.snapshot.reread(month.first, in: root) }
                current.changed = current.changed.filter {
                    current.snapshot.readError(of: $0.first) != nil
                }
                held = current
                return current.snapshot
            }
            var new = try newWalk(isOfSync: false)
            new.timer = drop(at: new.end)
            held = new
            return new.snapshot
        }
    }

    /// Records that files of `day` have changed, or may have.
    package func recordChange(of day: Day) {
        held.withLock { _ = $0?.changed.insert(Month(of: day)) }
    }

    /// Ends the sync that began with ``walk()``.
    package func release() {
        held.withLock { held in
            guard let end = held?.end, end > .now else { return held = nil }
            held?.isOfSync = false
            held?.timer = drop(at: end)
        }
    }

    /// Drops the snapshot, as others may have changed the tree.
    package func drop() {
        held.withLock { $0 = nil }
    }

    private func newWalk(isOfSync: Bool) throws(SystemError) -> Held {
        Held(
            snapshot: try TreeSnapshot(of: root), end: .now + Self.lifetime, isOfSync: isOfSync)
    }

    private func drop(at end: ContinuousClock.Instant) -> EventLoop.Registration {
        EventLoop.shared.at(end) { [weak self] in
            self?.held.withLock { held in
                if let current = held, !current.isOfSync, current.end <= .now { held = nil }
            }
            returnFreeMemory()
        }
    }
}
