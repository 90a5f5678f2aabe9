internal import APOD
internal import FoundationEssentials
internal import Platform

/// One walk over the tree: the ``TreeSnapshot`` that it made, and until when the snapshot may be used.
///
/// A *walk* lists the directories of all months of the mirror, which may take minutes on a slow disk. ``SnapshotOwner`` makes
/// the walks of a process, and keeps the last one.
struct TreeWalk {
    private(set) var snapshot: TreeSnapshot
    /// When the walk began, by the clock of file times.
    let start: Date
    private let end: ContinuousClock.Instant
    /// The first midnight UTC after the start of the walk.
    let midnight: ContinuousClock.Instant
    /// When the snapshot must be replaced by that of a new walk.
    private(set) var expiry: ContinuousClock.Instant

    /// Walks over the tree in `root`; `start` is now, and the snapshot expires when it is older than `lifetime`.
    ///
    /// - Throws: ``SystemError`` as ``TreeSnapshot/init(of:_:)`` does.
    init(
        over root: Directory, startingAt start: Date, lifetime: Duration
    ) throws(SystemError) {
        let startInstant = ContinuousClock.now
        snapshot = try TreeSnapshot(of: root)
        end = .now
        self.start = start
        let timeOfMidnight = Double(start.dayNumber + 1) * Date.secondsPerDay
        midnight = startInstant + .seconds(timeOfMidnight - start.timeIntervalSince1970)
        expiry = end + lifetime
    }

    /// Makes the snapshot expire when it is older than `lifetime`, in place of its earlier expiry.
    mutating func expire(after lifetime: Duration) { expiry = end + lifetime }

    /// Lets the snapshot be used until `instant` at least, unless a directory could not be read.
    ///
    /// A person may make such a directory readable again at any time, which only a new walk finds out.
    mutating func postponeExpiry(until instant: ContinuousClock.Instant) {
        if snapshot.unreadable.isEmpty { expiry = max(expiry, instant) }
    }

    /// Lists the directories of `months` in `root` again; returns the months that could not be read.
    mutating func reread(_ months: Set<Month>, in root: Directory) -> Set<Month> {
        for month in months { snapshot.reread(month.first, in: root) }
        return months.filter { snapshot.readError(of: $0.first) != nil }
    }
}
