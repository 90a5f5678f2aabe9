package import APOD
package import FoundationEssentials
package import Platform
internal import Synchronization

/// Holds the snapshot that all parts of a process read, and keeps it true: see ``Store/snapshots``.
///
/// A walk lists the directories of all months, which makes a snapshot: ``TreeSnapshot/init(of:_:)``. It is held
/// - for at least five seconds, in which views, thumbnails and metrics share it,
/// - for the sync that began with it,
/// - in the daemon until midnight in UTC, so that the first poll of each day walks: ``release(holdingUntilMidnight:)``.
///
/// When this process changes files of a day, the month of the day is listed again before the snapshot is read. No other
/// process of this program writes a mirror that is open for writing. The next walk finds what a person changes.
package final class SnapshotOwner: Sendable {
    private struct HeldWalk {
        var snapshot: TreeSnapshot
        /// When the walk began, by the clock of file times.
        let start: Date
        /// The end of ``SnapshotOwner/lifetime`` after the walk.
        let shortExpiry: ContinuousClock.Instant
        /// The next midnight in UTC after its start.
        let midnight: ContinuousClock.Instant
        /// Until when the snapshot may be read without a new walk.
        var expiry: ContinuousClock.Instant
    }

    /// The changes of the tree since the start of the last walk; they are recorded during a walk, too.
    private struct Changes {
        /// The months that this process changed, which are to be listed again: at most those since 1995.
        var months: Set<Month> = []
        /// Whether others may have changed the tree.
        var isInvalid = false
        /// The number of all recorded changes, and of the walks of syncs.
        var version = 0
    }

    /// The time for which a walk is held; changes by others are found after it.
    package static let lifetime = Duration.seconds(5)
    /// The time for which a sync holds its walk.
    private static let syncLifetime = Duration.seconds(86_400)

    private let root: Directory
    /// Locked for the time of a walk, which may be minutes on a slow disk.
    private let heldWalk = Mutex(HeldWalk?.none)
    private let changes = Mutex(Changes())

    init(of root: Directory) {
        self.root = root
    }

    /// Walks the tree for a sync, and holds the snapshot until ``release(holdingUntilMidnight:)``, or until ``invalidate()``.
    package func walk(at now: Date = .now) throws(SystemError) -> TreeSnapshot {
        try heldWalk.withLock { held throws(SystemError) in
            held = nil
            changes.withLock { $0.version += 1 }
            return try makeWalk(for: Self.syncLifetime, at: now, into: &held).snapshot
        }
    }

    /// The held snapshot, for a sync, until ``release(holdingUntilMidnight:)``; `nil` if the sync has to walk the tree.
    func reuse(at now: ContinuousClock.Instant = .now) -> TreeSnapshot? {
        heldWalk.withLock { refresh(&$0, at: now) }
    }

    /// The tree as it is now: by the held snapshot, else by a walk.
    package func current() throws(SystemError) -> TreeSnapshot {
        try current(since: .distantPast).snapshot
    }

    /// The tree as it is now, with the months of `days` listed again, because others may have changed them.
    package func current(rereading days: Set<Day>) throws(SystemError) -> TreeSnapshot {
        changes.withLock { $0.months.formUnion(days.map { Month(of: $0) }) }
        return try current()
    }

    /// The tree as it is now by a walk that did not begin before `date`, and the time when that walk began.
    ///
    /// A new walk in place of a held one is held as long as the former one.
    package func current(
        since date: Date
    ) throws(SystemError) -> (snapshot: TreeSnapshot, start: Date) {
        try heldWalk.withLock { held throws(SystemError) in
            if let start = held?.start, start >= date, let snapshot = refresh(&held, at: .now) {
                return (snapshot, start)
            }
            let former = held.flatMap { isValid($0, at: .now) ? $0.expiry : nil }
            held = nil
            let walk = try makeWalk(for: Self.lifetime, at: .now, into: &held)
            if let former, walk.snapshot.unreadable.isEmpty {
                held?.expiry = max(former, walk.expiry)
            }
            return (walk.snapshot, walk.start)
        }
    }

    /// A number that changes with each recorded change of the tree, and with each walk of a sync.
    ///
    /// While it is the same, a comparison with the tree has the same result.
    package var version: Int { changes.withLock(\.version) }

    /// Ends the sync that began with ``walk()`` or ``reuse(at:)``.
    ///
    /// With `holdingUntilMidnight`, later syncs may reuse the walk until midnight in UTC, if it could read all directories.
    package func release(holdingUntilMidnight holdsLong: Bool = false) {
        heldWalk.withLock { held in
            guard var walk = held else { return }
            walk.expiry = walk.shortExpiry
            if holdsLong, walk.snapshot.unreadable.isEmpty {
                walk.expiry = max(walk.expiry, walk.midnight)
            }
            held = isValid(walk, at: .now) ? walk : nil
        }
    }

    /// Records that files of `day` have changed, or may have.
    package func recordChange(of day: Day) {
        changes.withLock { changes in
            changes.months.insert(Month(of: day))
            changes.version += 1
        }
    }

    /// Lets the next reader walk the tree, because others may have changed it.
    package func invalidate() {
        changes.withLock { $0.isInvalid = true }
    }

    /// Whether the snapshot of `walk` may be read: nobody has invalidated it, and it has not expired.
    private func isValid(_ walk: HeldWalk, at now: ContinuousClock.Instant) -> Bool {
        walk.expiry > now && !changes.withLock(\.isInvalid)
    }

    /// Lists the months again that this process changed; returns `nil` if the tree has to be walked.
    private func refresh(_ held: inout HeldWalk?, at now: ContinuousClock.Instant) -> TreeSnapshot?
    {
        guard var walk = held, isValid(walk, at: now) else { return nil }
        // Taken before the months are listed: the next call lists what changes meanwhile.
        let months = changes.withLock { changes in
            defer { changes.months = [] }
            return changes.months
        }
        // The days would be copied if they were held twice.
        held = nil
        for month in months { walk.snapshot.reread(month.first, in: root) }
        let unread = months.filter { walk.snapshot.readError(of: $0.first) != nil }
        changes.withLock { $0.months.formUnion(unread) }
        held = walk
        return walk.snapshot
    }

    private func makeWalk(
        for lifetime: Duration, at date: Date, into held: inout HeldWalk?
    ) throws(SystemError) -> HeldWalk {
        // Emptied before the walk, because the tree may be changed during it.
        changes.withLock { ($0.months, $0.isInvalid) = ([], false) }
        let untilMidnight = Double((date.dayNumber + 1) * 86_400) - date.timeIntervalSince1970
        let midnight = ContinuousClock.now + .seconds(untilMidnight)
        let snapshot = try TreeSnapshot(of: root)
        let finished = ContinuousClock.now
        let walk = HeldWalk(
            snapshot: snapshot, start: date, shortExpiry: finished + Self.lifetime,
            midnight: midnight, expiry: finished + lifetime)
        held = walk
        return walk
    }
}
