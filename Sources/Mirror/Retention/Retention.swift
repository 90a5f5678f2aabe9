internal import APOD
internal import FoundationEssentials
internal import Platform

/// What one sync knows about the setting `--keep`: which days the mirror keeps, and how large they are.
///
/// `--keep` limits how many days the mirror has, such as `365d` or `20GB`. The sync does not download a day if ``excludes(_:)``
/// says that it is too old. At its end, the sync removes the days of ``plan(newest:protected:)``: it deletes their files, and
/// keeps their records. Protected days, such as favorites, are never removed.
struct Retention {
    let keep: Keep
    /// The oldest kept day; `nil` if all days are kept.
    private(set) var oldestKept: Day?
    /// The days that have a record, and none of its files.
    let daysWithoutFiles: Set<Day>

    // With `--keep all`, the following properties stay empty, because nothing is removed.

    /// The days with files, and the bytes of each, with the files that edits replaced; 0 if `--keep` is a number of days.
    private var sizes: [Day: Int] = [:]
    /// The bytes of the files that edits had replaced at the start of the sync.
    private var replacedBytes: [Day: Int] = [:]
    /// The favorites, the imported pictures and the newest day, at the start of the sync, and the pictures that it imports.
    private var protectedDays: Set<Day> = []
    /// The last error of reading ``protectedDays`` or ``sizes``, which may be incomplete then, so that nothing is removed.
    private var readError: (any Error)?
    private let store: Store

    // MARK: At the start of the sync

    /// Reads the sizes of the days in `snapshot`, and by `favorites` which days are favorites.
    init(
        _ keep: Keep, store: Store, snapshot: TreeSnapshot, recordedDays: RecordedDays,
        favorites: () throws -> Set<Day>
    ) {
        self.keep = keep
        self.store = store
        daysWithoutFiles = snapshot.recorded.subtracting(recordedDays.withFiles)
        if keep == .all { return }
        do {
            protectedDays = try favorites().union(recordedDays.imported)
            if keep.isSize { replacedBytes = try store.replacedBytes() }
            if let newest = try store.tree.latestPictureDay { protectedDays.insert(newest) }
        } catch {
            // Any day may be a favorite, and is not excluded from downloads.
            protectedDays = snapshot.recorded
            readError = error
        }
        for files in snapshot.days where recordedDays.withFiles.contains(files.day) {
            sizes[files.day] =
                keep.isSize ? size(of: files.day, recordedBytes: recordedDays.bytes(of: files)) : 0
        }
    }

    /// The size of a day whose recorded files have so many bytes, with the files that edits replaced.
    private func size(of day: Day, recordedBytes: Int) -> Int {
        recordedBytes.addingSaturating(replacedBytes[day] ?? 0)
    }

    // MARK: During the sync

    /// Whether `day` is older than the kept days, and not protected.
    func excludes(_ day: Day) -> Bool {
        guard let oldestKept, day < oldestKept else { return false }
        return !protectedDays.contains(day)
    }

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
        if keep == .all { return }
        do {
            guard let record = try store.record(of: day), record.removed == nil,
                record.mediaPath != nil
            else { return }
            if record.picture?.isImported == true { protectedDays.insert(day) }
            sizes[day] = size(of: day, recordedBytes: record.bytes)
        } catch {
            readError = error
        }
    }

    // MARK: At the end of the sync

    /// The days to remove now: none that is `protected` now, or was at the start of the sync.
    ///
    /// - Throws: An earlier error of reading the protected days or a size, or an error of reading a record.
    func plan(newest: Day, protected: Set<Day>) throws -> RetentionPlan {
        if let readError { throw readError }
        return try makePlan(newest: newest, protected: protected.union(protectedDays))
    }

    /// How many days a sync at `now` may remove, and all syncs within 24 hours together.
    struct Allowance {
        let now: Int
        let perDay: Int
    }

    /// Computes how many of the days of `plan` may be removed, if `count` days have files now.
    ///
    /// A restart or a request begins a sync at any time, so that a limit of each sync would be none.
    func allowance(for plan: RetentionPlan, ofDays count: Int, at now: Date) -> Allowance {
        // Each day, the newest one makes another one too old, for which no record is read.
        guard plan.removals.count > 1 else {
            return Allowance(now: 1, perDay: RetentionPlan.maximumRemovals(ofDays: count))
        }
        let recent = daysWithoutFiles.count { mayHaveBeenRemovedRecently($0, at: now) }
        let perDay = RetentionPlan.maximumRemovals(ofDays: count.addingSaturating(recent))
        return Allowance(now: max(0, perDay - recent), perDay: perDay)
    }

    /// Whether `--keep` removed the files of `day` less than about 24 hours before `now`, or after it by a clock that was ahead.
    ///
    /// A removal publishes a new record: an older one proves that the removal was earlier, even if it cannot be read.
    private func mayHaveBeenRemovedRecently(_ day: Day, at now: Date) -> Bool {
        // Daily syncs differ by seconds, and by minutes if cron starts them.
        let limit = Date.secondsPerDay - 3600
        do throws(SystemError) {
            guard let published = try store.tree.root.status(Layout.recordPath(of: day))?.modified,
                now.timeIntervalSince1970 - Double(published) < limit,
                let removed = try store.record(of: day)?.removed
            else { return false }
            // A time far in the future must not stop removals until then.
            // mutation test: removals-in-24-hours (see Tests/Mutants)
            return abs(now.timeIntervalSince(removed)) < limit
        } catch {
            return true
        }
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
