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

    /// `mirror` must be open for writing; `uptime` is the time by a clock that nobody sets.
    package init(
        of mirror: Store, now: @escaping @Sendable () -> Date = { Date() },
        uptime: @escaping @Sendable () -> Uptime = { .now }
    ) {
        self.mirror = mirror
        clock = now
        uptimeClock = uptime
    }

    /// Brings the records, the pins and the links of favorites up to date with `scan`.
    ///
    /// - `checksAll`: Whether the mirror may have changed. Then the pictures of all favorites are checked, as soon as no file
    ///   is left unread, and unrecognized files are compared with the mirror again.
    /// - `isBrief`: Whether new links must not wait long. Then files are read for about a second only; if some are left, the
    ///   outcome asks for the next scan at once.
    /// - `didRecord`: Called when the records are written, before the pictures of all favorites are sought.
    ///
    /// - Returns: All favorites, what has changed, and the errors of single steps. Other steps go on after an error.
    /// - Throws: An error of reading the records.
    package func reconcile(
        _ scan: Scan, checksAll: Bool = true, isBrief: Bool = false,
        didRecord: @Sendable () -> Void = {}
    ) throws(SystemError) -> ReconcileOutcome {
        if checksAll {
            memory.mustCheckPictures = true
            memory.forgetUnrecognizedFiles(unlessComparedWith: mirror.snapshots.changeCount)
        }
        let run = ReconcileRun(in: mirror, after: memory, clock: clock, uptimeClock: uptimeClock)
        defer { memory = run.memory }
        return try run.reconcile(scan, isBrief: isBrief, didRecord: didRecord)
    }
}

/// What ``Favorites`` remembers from one call to the next: what saves work, and what remains to be done.
///
/// It is empty after a start; then everything is read and checked again.
struct FavoritesMemory {
    // MARK: What the disk has

    /// The records and pins; each call reads again those that have changed.
    var stored = StoredFavorites()
    /// The removed favorites in the trash, as it was last read; if their items return, so do their records and pins.
    var trash: [Day: Favorite] = [:]
    /// Whether ``trash`` is to be read again: after a start, and after a removal, which may have been interrupted.
    var mustReadTrash = true
    /// Whether all records and pins are known to be durable; a process that was killed may have left some that are not.
    var isFlushed = false

    // MARK: What was found out

    /// What the last scans found out about the files in `favorites/`; ``Scan/rules`` limits their number.
    var knownFiles = KnownFiles()
    /// The ``SnapshotOwner/version`` of the mirror with which unrecognized files were last compared.
    private var comparedVersion: Int?
    /// The paths of those pictures of favorites that a person had changed when they were last checked.
    var editedPictures: [Day: String] = [:]
    /// The favorites whose picture the mirror lacked in the last call.
    var wanted: Set<Day> = []

    // MARK: What remains to be done

    /// Whether the pictures of all favorites are to be checked, as soon as a scan leaves no file unread.
    var mustCheckPictures = false
    /// Sentences about favorites that were added and removed since the last flush; a power cut may still undo that.
    var unreportedChanges: [String] = []

    /// Forgets the files that are no copies of anything in the mirror, unless the mirror still has the same `version`.
    ///
    /// The next scan compares them with the mirror again.
    mutating func forgetUnrecognizedFiles(unlessComparedWith version: Int) {
        guard version != comparedVersion else { return }
        comparedVersion = version
        knownFiles.classifications = knownFiles.classifications.filter { !$0.value.isUnrecognized }
    }
}
