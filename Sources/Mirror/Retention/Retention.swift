internal import APOD
internal import Platform

/// What one sync knows about the setting `--keep`: which days the mirror keeps, and how large they are.
///
/// `--keep` limits how many days the mirror has, such as `365d` or `20GB`. The sync does not download a day if ``excludes(_:)``
/// says that it is too old, and removes at its end the days of ``plan(newest:protected:)``: it deletes their files, and keeps
/// their records. Protected days are never removed.
struct Retention {
    let keep: Keep
    /// The oldest kept day; `nil` if all days are kept.
    private(set) var oldestKept: Day?
    /// The days that have a record, and none of its files.
    let daysWithoutFiles: Set<Day>

    // With `--keep all`, none of the following is read, because nothing is removed.

    /// The days with files, and the bytes of each, with the files that edits replaced; 0 if `--keep` is a number of days.
    private var sizes: [Day: Int] = [:]
    /// The bytes of the files that edits had replaced at the start of the sync.
    private var replacedBytes: [Day: Int] = [:]
    /// The favorites, the imported pictures and the newest day, at the start of the sync, and the pictures that it imports.
    private var protectedDays: Set<Day> = []
    /// The last error of reading ``protectedDays`` or ``sizes``, which may be incomplete then, so that nothing is removed.
    private var readError: (any Error)?
    private let store: Store

    /// Reads the sizes of the days in `snapshot`, and by `favorites` which days are favorites.
    init(
        _ keep: Keep, store: Store, snapshot: TreeSnapshot, recordedDays: RecordedDays,
        favorites: () throws -> Set<Day>
    ) {
        self.keep = keep
        self.store = store
        daysWithoutFiles = snapshot.recorded(besides: recordedDays.withFiles)
        guard keep != .all else { return }
        do {
            protectedDays = try favorites().union(recordedDays.imported)
            if case .bytes = keep { replacedBytes = try store.replacedBytes() }
            if let newest = try store.tree.latestPictureDay { protectedDays.insert(newest) }
        } catch {
            // Any day may be a favorite, and is not excluded from downloads.
            protectedDays = snapshot.recorded
            readError = error
        }
        for day in recordedDays.withFiles { sizes[day] = 0 }
        guard case .bytes = keep else { return }
        for files in snapshot.days where sizes[files.day] != nil {
            sizes[files.day] = recordedDays.bytes(of: files)
                .addingSaturating(replacedBytes[files.day] ?? 0)
        }
    }

    /// Whether `day` is older than the kept days, and not protected.
    func excludes(_ day: Day) -> Bool {
        guard let oldestKept, day < oldestKept else { return false }
        return !protectedDays.contains(day)
    }

    // MARK: During the sync

    /// Computes ``oldestKept`` for NASA's `newest` day; as long as this is not known, all days are kept.
    ///
    /// - Throws: The error of reading a record; then ``oldestKept`` stays as it was.
    mutating func updateOldestKept(newest: Day?) throws {
        guard let newest else {
            oldestKept = nil
            return
        }
        oldestKept = try makePlan(newest: newest, protected: protectedDays).oldestKept
    }

    /// Reads the record of `day`, which was just published: its size, and whether its picture is imported.
    mutating func updateDay(_ day: Day) {
        guard keep != .all else { return }
        do {
            guard let record = try store.record(of: day), record.removed == nil,
                record.mediaPath != nil
            else { return }
            if record.picture?.isImported == true { protectedDays.insert(day) }
            sizes[day] = record.bytes.addingSaturating(replacedBytes[day] ?? 0)
        } catch {
            readError = error
        }
    }

    // MARK: At its end

    /// The days to remove now: none that is `protected` now, or was at the start of the sync.
    ///
    /// - Throws: An earlier error of reading the protected days or a size, or an error of reading a record.
    func plan(newest: Day, protected: Set<Day>) throws -> RetentionPlan {
        if let readError { throw readError }
        return try makePlan(newest: newest, protected: protected.union(protectedDays))
    }

    private func makePlan(newest: Day, protected: Set<Day>) throws -> RetentionPlan {
        try RetentionPlan(
            keep, newest: newest, sizes: sizes, protected: protected, removed: daysWithoutFiles,
            removedSize: bytesOfRemovedFiles)
    }

    /// The bytes of the files that `--keep` removed from `day`: only these are downloaded again, and need space.
    private func bytesOfRemovedFiles(of day: Day) throws -> Int {
        guard let record = try store.knownRecord(of: day), record.removed != nil else { return 0 }
        return record.bytes
    }
}
