package import APOD
package import Platform

/// Holds the snapshot that all parts of a process read, and keeps it true: see ``Store/snapshots``.
///
/// A sync begins with a new walk, because anybody may have changed the tree since the last one. From then on a day whose
/// files change is listed again before the snapshot is read. The daemon holds nothing outside of a sync: while it is
/// idle, it needs no memory for it.
package final class SnapshotOwner: Sendable {
    private struct State {
        var snapshot: TreeSnapshot?
        /// The months that are to be listed again.
        var changed: Set<Month> = []
    }

    private let root: Directory
    private let state = Monitor(State())

    init(of root: Directory) {
        self.root = root
    }

    /// Walks the tree, and holds the snapshot until ``release()``.
    package func walk() throws(SystemError) -> TreeSnapshot {
        try state.withLock { state throws(SystemError) in
            let snapshot = try TreeSnapshot(of: root)
            state = State(snapshot: snapshot)
            return snapshot
        }
    }

    /// The tree as it is now: by the held snapshot, else by a walk.
    package func current() throws(SystemError) -> TreeSnapshot {
        try state.withLock { state throws(SystemError) in
            for month in state.changed { state.snapshot?.reread(month.first, in: root) }
            state.changed = state.changed.filter { state.snapshot?.readError(of: $0.first) != nil }
            if let snapshot = state.snapshot { return snapshot }
            return try TreeSnapshot(of: root)
        }
    }

    /// Records that files of `day` have changed, or may have.
    package func recordChange(of day: Day) {
        state.withLock { state in
            guard state.snapshot != nil else { return }
            state.changed.insert(Month(of: day))
        }
    }

    package func release() {
        state.withLock { $0 = State() }
    }
}
