internal import APOD
internal import FoundationEssentials
internal import Glibc
internal import Mirror
internal import Platform

/// A mirror that was copied or restored from a backup: recovers the places, times and attributes that files lost.
///
/// ``Verification/recoverCopy(report:)`` calls ``recover(at:report:)``, verifies the days, and calls ``finish()``.
struct CopiedTree {
    private let store: Store
    /// Whether `mirror.json` was missing, as in a copy without hidden files; then `2026-11-20.jpg` proves its day.
    private let lostHiddenFiles: Bool

    /// Returns `nil` if the tree is where the last sync left it, or if that is not known.
    init?(_ store: Store) throws(SystemError) {
        guard let known = try store.state().tree, try known != store.tree.directoryIdentity()
        else { return nil }
        self.store = store
        lostHiddenFiles = known == SyncState.unmarkedTree
    }

    /// Recovers all files; `report` gets a line for each picture that is moved, or that cannot be read or moved.
    ///
    /// - Returns: The tree after it; the files of its days with a record and media must be verified, as the copy may
    ///   have cut them.
    /// - Throws: ``SystemError`` if the tree cannot be read or written; another call continues.
    func recover(at now: Date, report: @escaping (String) -> Void) throws -> TreeSnapshot {
        var adoption = try Adoption(
            of: store.tree.root, into: store, acceptsDatesAlone: lostHiddenFiles, at: now
        ) { event in
            switch event {
            case .adopted(let path, let day, _, _):
                report("moved “\(path)” to its place: the picture of \(day)")
            case .failed(let path, let error):
                report("cannot recover “\(path)”: \(error)")
            // Other files are a user's, or have their places.
            case .present, .unrecognized: break
            }
        }
        adoption.scan()
        try adoption.carryOut(in: store)
        let snapshot = try TreeSnapshot(of: store.tree.root)
        store.markPublished(snapshot)
        for day in snapshot.recordedWithMedia.sorted() {
            if let record = try store.record(of: day) { store.setMissingAttributes(of: record) }
        }
        return snapshot
    }

    /// Records that the tree is recovered.
    func finish() throws(SystemError) {
        var state = try store.state()
        state.tree = try store.tree.directoryIdentity()
        try store.save(state)
    }
}

extension Store {
    /// Gives the pictures of months that lost all their records the time of their day, noon, by which
    /// ``Tree/isPublished(_:of:)`` knows that they are the mirror's: the next sync takes them over.
    ///
    /// Before the first record and after the last one, and in a month with records, a picture without a record may be a
    /// user's; in a mirror without any record, all pictures are the mirror's.
    fileprivate func markPublished(_ snapshot: TreeSnapshot) {
        let recordedDays = snapshot.recorded.sorted()
        let recordedMonths = Set(recordedDays.map { Month(of: $0) })
        for files in snapshot.days where files.record == nil && files.hasMedia {
            let day = files.day
            if let first = recordedDays.first, let last = recordedDays.last {
                let isInLostMonth = !recordedMonths.contains(Month(of: day))
                guard first < day, day < last, isInLostMonth else { continue }
            }
            for path in files.media.map(\.path)
            where FileName.mediaExtension(of: Layout.split(path).name, on: day) != nil {
                // A picture that cannot be opened counts as a user's: the next sync downloads another file.
                guard let file = try? tree.root.openFile(path, O_RDONLY) else { continue }
                try? file.setModified(day.noon, path: path)
            }
        }
    }
}
