internal import APOD
internal import Platform

/// What one sync knows about `--keep`: which days it keeps, and how large they are.
///
/// The sync does not download a day if ``excludes(_:)`` says that it is too old, and removes at its end the days of
/// ``plan(newest:protected:)``.
struct Retention {
    let keep: Keep
    /// The oldest kept day; `nil` if all days are kept.
    private(set) var oldestKept: Day?
    /// The days with files, and the bytes of each by its record, including the files that edits replaced.
    ///
    /// All sizes are 0 if ``keep`` does not limit the bytes, because then they are not needed.
    private var sizes: [Day: Int] = [:]
    /// The bytes of the files that edits had replaced at the start of the sync.
    private var replacedBytes: [Day: Int] = [:]
    /// The favorites, the imported pictures and the newest day, at the start of the sync, and what it imports itself.
    private var protected: Set<Day>
    /// The error of reading ``protected`` or ``sizes``; after an error, nothing may be removed.
    private var readError: (any Error)?
    /// The days that have a record, and none of its files.
    let daysWithoutFiles: Set<Day>
    private let store: Store

    /// Reads the sizes of the days in `snapshot`; `favorites` reads which days are favorites.
    init(
        _ keep: Keep, store: Store, snapshot: TreeSnapshot, recordedDays: RecordedDays,
        favorites: () throws -> Set<Day>
    ) {
        self.keep = keep
        self.store = store
        daysWithoutFiles = snapshot.recorded(besides: recordedDays.withFiles)
        guard keep != .all else {
            protected = []
            return
        }
        do {
            let favorites = try favorites()
            if case .bytes = keep { replacedBytes = try store.replacedBytes() }
            protected = favorites.union(recordedDays.imported)
                .union([try store.tree.latestPictureDay].compactMap(\.self))
        } catch {
            protected = snapshot.recorded
            readError = error
        }
        sizes = Dictionary(uniqueKeysWithValues: recordedDays.withFiles.map { ($0, 0) })
        guard case .bytes = keep else { return }
        for files in snapshot.days where sizes[files.day] != nil {
            sizes[files.day] = recordedDays.bytes(of: files)
                .addingSaturating(replacedBytes[files.day] ?? 0)
        }
    }

    /// Whether `day` is older than the kept days, and not protected.
    func excludes(_ day: Day) -> Bool {
        guard let oldestKept, day < oldestKept else { return false }
        return !protected.contains(day)
    }

    /// Computes ``oldestKept`` for NASA's `newest` day; as long as it is not known (`nil`), all days are kept.
    ///
    /// - Throws: The error of reading a record; then ``oldestKept`` stays as it was.
    mutating func update(newest: Day?) throws {
        oldestKept = try newest.flatMap {
            try makePlan(newest: $0, protected: protected).oldestKept
        }
    }

    /// Reads the size of `day` from its record, which was just published, and whether its picture is imported.
    mutating func updateSize(of day: Day) {
        guard keep != .all else { return }
        do {
            guard let record = try store.record(of: day), record.removed == nil,
                record.mediaPath != nil
            else { return }
            if record.picture?.isImported == true { protected.insert(day) }
            sizes[day] = record.bytes.addingSaturating(replacedBytes[day] ?? 0)
        } catch {
            readError = error
        }
    }

    /// The days to remove now: none that is `protected` now, or was at the start of the sync.
    ///
    /// - Throws: An earlier error of reading the favorites or a size, or an error of reading a record.
    func plan(newest: Day, protected: Set<Day>) throws -> RetentionPlan {
        if let readError { throw readError }
        return try makePlan(newest: newest, protected: protected.union(self.protected))
    }

    private func makePlan(newest: Day, protected: Set<Day>) throws -> RetentionPlan {
        try RetentionPlan(
            keep, newest: newest, sizes: sizes, protected: protected, removed: daysWithoutFiles
        ) { day in
            // Only files that `--keep` removed are downloaded again, and need space.
            guard let record = try store.knownRecord(of: day), record.removed != nil else {
                return 0
            }
            return record.bytes
        }
    }
}
