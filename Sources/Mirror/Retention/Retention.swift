package import APOD
package import FoundationEssentials
internal import Platform

/// The setting `--keep`: how much of the mirror stays; the oldest days beyond it are removed, but never favorites.
///
/// `all`; `365d`, the 365 days up to NASA's newest; `20GB`, the newest days whose files take at most so much.
package enum Keep: Hashable, Sendable {
    case all
    case days(Int)
    /// The bytes of pictures, posters and videos.
    case bytes(Int)
}

extension Keep: StateText {
    /// Reads `all`, `365d` or `20GB`; `nil` for `20`, as a number without a unit is ambiguous.
    package init?(_ text: String) {
        switch Since(text) {
        case .all: self = .all
        case .days(let count): self = .days(count)
        case .day: return nil
        case nil:
            guard let bytes = ByteSize.bytes(in: text), bytes > 0 else { return nil }
            self = .bytes(bytes)
        }
    }

    package var description: String {
        switch self {
        case .all: "all"
        case .days(let count): "\(count)d"
        case .bytes(let bytes): ByteSize.text(of: bytes)
        }
    }
}

// MARK: The plan

/// Which days `--keep` removes: a pure value, computed from the sizes of all days.
///
/// With `--keep 3d` and 2026-11-20 as NASA's newest day, the oldest kept day is 2026-11-18.
package struct RetentionPlan: Hashable, Sendable {
    /// The oldest day that is kept, apart from older favorites; `nil` if all days are.
    package let oldestKept: Day?
    /// The days to remove, oldest first.
    package let removals: [Day]
    /// The bytes of the days that are never removed.
    package let protectedBytes: Int

    /// How many of the ``removals`` one sync carries out: a tenth of all days, and at least one.
    ///
    /// So a person notices a wrong setting before much is gone.
    package static func maximumRemovals(ofDays count: Int) -> Int { max(1, count / 10) }

    /// Plans for the days with files; `sizes` has the bytes of each, with what edits and damage replaced.
    ///
    /// The `protected` days, which are the favorites and the newest, are never removed. The `removed` days have a
    /// record without files, and return if they fit; `removedSize` is called for the newest of them, until one does not
    /// fit.
    package init(
        _ keep: Keep, newest: Day, sizes: [Day: Int], protected: Set<Day>, removed: Set<Day> = [],
        removedSize: (Day) throws -> Int = { _ in 0 }
    ) throws {
        protectedBytes = protected.lazy.compactMap { sizes[$0] }.saturatingSum()
        let candidates = Set(sizes.keys).subtracting(protected)
        var oldest: Day?
        switch keep {
        case .all: break
        case .days(let count): oldest = newest.advanced(by: 1 - count)
        case .bytes(let limit):
            let days = candidates.union(removed.subtracting(protected))
            oldest = try Self.oldestThatFits(days, in: limit - protectedBytes) {
                try sizes[$0] ?? removedSize($0)
            }
            // NASA's newest day is kept even if it is larger than the limit.
            oldest = oldest.map { min($0, newest) }
        }
        oldestKept = oldest
        removals = oldest.map { oldest in candidates.filter { $0 < oldest }.sorted() } ?? []
    }

    /// A sentence if the protected days alone take more than `keep`; `nil` if they do not.
    package func excess(over keep: Keep) -> String? {
        guard case .bytes(let limit) = keep, protectedBytes > limit else { return nil }
        let size = ByteCount(protectedBytes)
        return
            "the favorites and the newest picture take \(size), more than --keep \(keep); they are kept"
    }

    /// The oldest day that fits into `limit` bytes together with all newer days; `nil` if all days fit.
    ///
    /// No older day is kept, as a small one that fits would come and go with each change of the newer ones.
    private static func oldestThatFits(
        _ days: Set<Day>, in limit: Int, size: (Day) throws -> Int
    ) rethrows -> Day? {
        var bytes = 0
        for day in days.sorted(by: >) {
            bytes = try bytes.addingSaturating(size(day))
            guard bytes <= limit else { return day.advanced(by: 1) }
        }
        return nil
    }
}

// MARK: In a sync

/// What one sync knows about the days that `--keep` keeps.
///
/// The sync does not download the days that ``excludes(_:)`` names, and removes at its end what
/// ``plan(newest:protected:)`` returns.
struct Retention {
    let keep: Keep
    /// The oldest kept day; `nil` if all are kept.
    private(set) var oldestKept: Day?
    /// The days with files, and the bytes of each with what edits and damage replaced.
    ///
    /// The bytes are 0 unless ``keep`` limits them: only then are they needed.
    private var sizes: [Day: Int] = [:]
    /// The bytes that edits and damage had replaced at the start of the sync.
    private var replacedBytes: [Day: Int] = [:]
    /// The favorites and the newest day, at the start of the sync.
    private let protected: Set<Day>
    /// Why ``protected`` or ``sizes`` cannot be read, in which case nothing may be removed.
    private var readError: (any Error)?
    /// The days with a record and without files.
    let daysWithoutFiles: Set<Day>
    private let store: Store

    /// Reads the sizes; `favorites` reads which days are favorites.
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
            protected = snapshot.recorded
            readError = error
        }
        sizes = Dictionary(uniqueKeysWithValues: daysWithFiles.map { ($0, 0) })
        guard case .bytes = keep else { return }
        for files in snapshot.days where sizes[files.day] != nil {
            sizes[files.day] = files.mediaBytes.addingSaturating(replacedBytes[files.day] ?? 0)
        }
    }

    /// Whether `day` is too old to be kept.
    func excludes(_ day: Day) -> Bool {
        guard let oldestKept, day < oldestKept else { return false }
        return !protected.contains(day)
    }

    /// Computes ``oldestKept`` for NASA's newest day; until that is known, all days are kept.
    ///
    /// - Throws: The error of reading a record; nothing changes then.
    mutating func update(newest: Day?) throws {
        oldestKept = try newest.flatMap {
            try makePlan(newest: $0, protected: protected).oldestKept
        }
    }

    /// Reads the size of `day` from its record, which was just published.
    mutating func updateSize(of day: Day) {
        guard keep != .all else { return }
        do {
            guard let record = try store.record(of: day), record.removed == nil,
                record.mediaPath != nil
            else { return }
            sizes[day] = record.bytes.addingSaturating(replacedBytes[day] ?? 0)
        } catch {
            readError = error
        }
    }

    /// What to remove; spares the days `protected` now and those at the start of the sync.
    ///
    /// - Throws: An error of reading what is kept, such as the favorites.
    func plan(newest: Day, protected: Set<Day>) throws -> RetentionPlan {
        if let readError { throw readError }
        return try makePlan(newest: newest, protected: protected.union(self.protected))
    }

    private func makePlan(newest: Day, protected: Set<Day>) throws -> RetentionPlan {
        try RetentionPlan(
            keep, newest: newest, sizes: sizes, protected: protected, removed: daysWithoutFiles
        ) { day in
            // Only files that retention removed may return, and need space.
            guard let record = try store.knownRecord(of: day), record.removed != nil else {
                return 0
            }
            return record.bytes
        }
    }
}

// MARK: --dry-run

/// What the next syncs would remove: `run --once --dry-run` prints it.
package struct RetentionPreview: Sendable {
    package struct Removal: Hashable, Sendable {
        package let day: Day
        package let path: String
        package let bytes: Int
    }

    package let keep: Keep
    package let plan: RetentionPlan
    /// The days to remove, oldest first.
    package let removals: [Removal]
    package let keptCount: Int
    /// How many days are never removed: the favorites and the newest day.
    package let protectedCount: Int
    package let removalLimit: Int

    package var bytes: Int { removals.lazy.map(\.bytes).saturatingSum() }

    /// Plans as the next sync will; `nil` if NASA was never reached.
    package init?(
        _ keep: Keep, of store: Store, favorites: Set<Day>, at now: Date
    ) throws {
        let snapshot = try TreeSnapshot(of: store.tree.root)
        let state = try store.state()
        let daysWithFiles = try store.daysWithFiles(snapshot)
        let dates = try store.plausibleDates(state, recorded: daysWithFiles, at: now)
        guard var newest = state.newest else { return nil }
        // If NASA dated a day in the future by mistake, the others are no older for that.
        if let last = dates.last { newest = min(newest, last) }
        var protected = favorites.intersection(daysWithFiles)
        if let shown = state.newest(of: daysWithFiles, dates) { protected.insert(shown) }
        let retention = Retention(
            keep, store: store, snapshot: snapshot, daysWithFiles: daysWithFiles
        ) { [protected] in
            protected
        }
        self.keep = keep
        plan = try retention.plan(newest: newest, protected: protected)
        let replaced = try store.replacedBytes()
        removals = try plan.removals.compactMap { day in
            guard let record = try store.knownRecord(of: day), record.removed == nil,
                let path = record.mediaPath
            else { return nil }
            return Removal(
                day: day, path: path, bytes: record.bytes.addingSaturating(replaced[day] ?? 0))
        }
        keptCount = daysWithFiles.count - removals.count
        protectedCount = protected.count
        removalLimit = RetentionPlan.maximumRemovals(ofDays: daysWithFiles.count)
    }
}
