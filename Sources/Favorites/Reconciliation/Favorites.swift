internal import APOD
package import FoundationEssentials
package import Mirror
package import Platform

/// Keeps the records of favorites up to date with the folder `favorites/`, in which a person chooses them.
///
/// An item in that folder, such as a symbolic link to a picture, makes its day a favorite. The daemon calls
/// ``reconcile(_:checksAll:isBrief:didRecord:)`` after each change there; a command does so if no daemon runs. If a process
/// ends between any two steps of a call, the next call carries on, because it reads first what the disk has.
package actor Favorites {
    private let mirror: Store
    private let clock: @Sendable () -> Date
    private let uptimeClock: @Sendable () -> Uptime
    private var memory = FavoritesMemory()

    /// `mirror` must be open for writing; `uptime` is the time by a clock that nobody sets, which measures the delay of a removal.
    package init(
        of mirror: Store, now: @escaping @Sendable () -> Date = { Date() },
        uptime: @escaping @Sendable () -> Uptime = { .now }
    ) {
        self.mirror = mirror
        clock = now
        uptimeClock = uptime
    }

    /// Brings the records of favorites, their links, and the second copies of their pictures (pins) up to date with `scan`.
    ///
    /// - Parameters:
    ///   - scan: The items that are in `favorites/` now.
    ///   - checksAll: Whether the mirror may have changed, too. Then the pictures of all favorites are checked, and files that
    ///     were no copies of a picture of the mirror are compared with it again.
    ///   - isBrief: Whether new links must not wait until large files are read. Files are then read for about a second; if some
    ///     are left, the outcome asks for the next scan at once.
    ///   - didRecord: Called when the records are written, before lost pictures are restored, which may take long.
    /// - Returns: All favorites, what has changed, and the errors of single steps. Other steps go on after an error.
    /// - Throws: An error of reading the records.
    package func reconcile(
        _ scan: Scan, checksAll: Bool = true, isBrief: Bool = false,
        didRecord: @Sendable () -> Void = {}
    ) throws(SystemError) -> ReconcileOutcome {
        if checksAll {
            memory.mustCheckPictures = true
            memory.prepareComparison(withVersion: mirror.snapshots.changeCount)
        }
        let run = ReconcileRun(in: mirror, after: memory, clock: clock, uptimeClock: uptimeClock)
        // Even a run that throws knows more than the one before it.
        defer { memory = run.memory }
        return try run.reconcile(scan, isBrief: isBrief, didRecord: didRecord)
    }
}
