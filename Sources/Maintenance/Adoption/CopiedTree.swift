internal import APOD
internal import FoundationEssentials
internal import Glibc
internal import Mirror
internal import Platform

/// Recovers what a copy of a mirror lost: the places of pictures, the times and attributes of files.
struct CopiedTree {
    private let store: Store
    /// Whether `mirror.json` was missing: then a date that is the whole name of a picture proves its day.
    private let isUnmarked: Bool

    /// Returns `nil` if the tree is where the last sync left it, or if that is not known.
    init?(_ store: Store) throws(SystemError) {
        guard let known = try store.state().tree, try known != store.tree.directoryIdentity()
        else { return nil }
        self.store = store
        isUnmarked = known == SyncState.unmarkedTree
    }

    /// Recovers all files; `report` gets a line for each picture that is moved.
    ///
    /// - Returns: The days whose files may have been cut or lost.
    /// - Throws: ``SystemError`` if the tree cannot be read or written; another call continues.
    func recover(at now: Date, report: @escaping (String) -> Void) throws -> Set<Day> {
        var adoption = try Adoption(
            of: store.tree.root, into: store, acceptsDatesAlone: isUnmarked, at: now
        ) {
            guard case .adopted(let path, let day, _, _) = $0 else { return }
            report("moved “\(path)” to its place: the picture of \(day)")
        }
        adoption.scan()
        try adoption.carryOut(in: store)
        let snapshot = try TreeSnapshot(of: store.tree.root)
        store.markPublished(snapshot)
        for day in snapshot.complete.sorted() {
            if let record = try store.record(of: day) { store.setMissingAttributes(of: record) }
        }
        return snapshot.complete
    }

    /// Records that the tree is recovered.
    func finish() throws(SystemError) {
        var state = try store.state()
        state.tree = try store.tree.directoryIdentity()
        try store.save(state)
    }
}

extension Store {
    /// Sets the modification times that a copy lost and ``Tree/isPublished(_:of:)`` needs: of days in months
    /// that lost all records.
    fileprivate func markPublished(_ snapshot: TreeSnapshot) {
        let recorded = snapshot.days.filter { $0.record != nil }.map(\.day)
        let recordedMonths = Set(recorded.map { Month(of: $0) })
        for files in snapshot.days where files.record == nil && files.hasMedia {
            let day = files.day
            if let first = recorded.first, let last = recorded.last {
                let isInLostMonth = !recordedMonths.contains(Month(of: day))
                guard first < day, day < last, isInLostMonth else { continue }
            }
            for path in files.media.map(\.path) {
                guard Tree.fileType(of: Layout.split(path).name, on: day) != nil,
                    let file = try? tree.root.openFile(path, O_RDONLY)
                else { continue }
                try? file.setModified(day.noon, path: path)
            }
        }
    }
}
