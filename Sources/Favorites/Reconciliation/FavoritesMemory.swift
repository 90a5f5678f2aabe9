internal import APOD

/// What ``Favorites`` remembers from one reconciliation to the next: what saves work, and what remains to be done.
///
/// ``ReconcileRun`` changes it. It is empty after a start; then everything is read and checked again.
struct FavoritesMemory {
    // MARK: What the disk has

    /// The records and pins of favorites; each run reads again the records that have changed.
    var stored = StoredFavorites()
    /// The removed favorites in the trash, as it was last read; if their items return, so do their records and pins.
    var trash: [Day: Favorite] = [:]
    /// Whether ``trash`` may be out of date: after a start, and after a removal, which may have been interrupted.
    var mustReadTrash = true
    /// Whether all records and pins are known to be durable; a process that was killed may have left some that are not.
    var isFlushed = false

    // MARK: What was found out

    /// What the last scans found out about the files in `favorites/`; ``Scan/rules`` limits their number.
    var knownFiles = KnownFiles()
    /// The ``SnapshotOwner/changeCount`` of the mirror with which unrecognized files were last compared.
    private var comparedVersion: Int?
    /// For each favorite whose picture a person had changed when it was last checked, the path of the picture.
    var editedPaths: [Day: String] = [:]
    /// The favorites whose picture the mirror lacked in the last run.
    var wanted: Set<Day> = []

    // MARK: What remains to be done

    /// Whether the pictures of all favorites are to be checked, as soon as a scan leaves no file unread.
    var mustCheckPictures = false
    /// Sentences about favorites that were added and removed since the last flush; a power cut may still undo that.
    var unreportedChanges: [String] = []

    /// Lets the next scan compare unrecognized files again, if the mirror may now have the pictures of which they are copies.
    ///
    /// That is so if `version`, the ``SnapshotOwner/changeCount`` of the mirror, is not the one of the last comparison.
    mutating func prepareComparison(withVersion version: Int) {
        guard version != comparedVersion else { return }
        comparedVersion = version
        knownFiles.forgetUnrecognized()
    }
}
