internal import APOD
internal import Platform

/// Which days `--keep` keeps, as one sync knows them.
///
/// ``SyncRoundState`` has one: a sync does not download what it ``excludes(_:)``, and removes at its end what the
/// ``plan(newest:protected:)`` says. ``Keep`` is a number of newest days, or a size of all files; favorites stay.
struct Retention {
    let keep: Keep
    /// The oldest kept day; `nil` if all are kept.
    private(set) var oldestKept: Day?
    /// The bytes of the days with files, with what edits and damage replaced; exact only if ``keep`` limits bytes.
    private var sizes: [Day: Int] = [:]
    /// The bytes that edits and damage had replaced at the start of the sync.
    private var replacedBytes: [Day: Int] = [:]
    /// The days that are kept whatever their age, at the start of the sync.
    private let protected: Set<Day>
    /// Why ``protected`` or ``sizes`` are not known, so that nothing may be removed.
    private var error: (any Error)?
    /// The days with a record and without files.
    let daysWithoutFiles: Set<Day>
    private let store: Store

    /// `favorites` lists all favorites; its error prevents removals.
    init(
        _ keep: Keep, store: Store, snapshot: TreeSnapshot, daysWithFiles: Set<Day>,
        favorites: () throws -> Set<Day>
    ) {
        self.keep = keep
        self.store = store
        daysWithoutFiles = snapshot.recorded(besides: daysWithFiles)
        guard keep != .all else {
            protected = []
            return
        }
        do {
            let favorites = try favorites()
            if case .bytes = keep { replacedBytes = try store.replacedBytes() }
            protected = favorites.union(try store.daysShownAsLatest)
        } catch {
            (protected, self.error) = (snapshot.recorded, error)
        }
        sizes = Dictionary(uniqueKeysWithValues: daysWithFiles.map { ($0, 0) })
        guard case .bytes = keep else { return }
        for files in snapshot.days where sizes[files.day] != nil {
            sizes[files.day] = files.mediaBytes.addingSaturating(replacedBytes[files.day] ?? 0)
        }
    }

    /// Whether `day` is not kept, and so is not downloaded.
    func excludes(_ day: Day) -> Bool {
        guard let oldestKept, day < oldestKept else { return false }
        return !protected.contains(day)
    }

    /// Updates ``oldestKept`` for NASA's newest day; all days are kept until that is known.
    ///
    /// - Throws: An error of reading a record; nothing changes then.
    mutating func update(newest: Day?) throws {
        oldestKept = try newest.flatMap { try plan(newest: $0, allProtected: protected).oldestKept }
    }

    /// Takes the size of `day` from its record, which has just been published.
    mutating func updateSize(of day: Day) {
        guard keep != .all else { return }
        do {
            guard let record = try store.record(of: day), record.removed == nil,
                record.mediaPath != nil
            else { return }
            sizes[day] = record.bytes.addingSaturating(replacedBytes[day] ?? 0)
        } catch {
            self.error = error
        }
    }

    /// What to remove; `protected` days are added to those at the start of the sync.
    ///
    /// - Throws: The error of reading what is kept, such as the favorites.
    func plan(newest: Day, protected: Set<Day>) throws -> RetentionPlan {
        if let error { throw error }
        return try plan(newest: newest, allProtected: protected.union(self.protected))
    }

    private func plan(newest: Day, allProtected: Set<Day>) throws -> RetentionPlan {
        try RetentionPlan(
            keep, newest: newest, sizes: sizes, protected: allProtected, removed: daysWithoutFiles
        ) { day in
            // A day without files takes space only if retention removed them: then they may return. One whose size is not
            // known removes nothing.
            guard let record = try store.knownRecord(of: day), record.removed != nil else {
                return 0
            }
            return record.bytes
        }
    }
}
