package import APOD
internal import Platform

/// The days to remove so that `--keep` holds, computed from the sizes of all days.
package struct RetentionPlan: Hashable, Sendable {
    /// The oldest day that is kept, except older favorites; `nil` if all days are.
    package let oldestKept: Day?
    /// The days to remove, oldest first.
    package let removals: [Day]
    /// The bytes of the days that are never removed.
    package let protectedBytes: Int

    /// How many of the ``removals`` one sync carries out: a tenth of all days, at least one; so a mistake in the
    /// setting is noticed before much is gone.
    package static func maximumRemovals(ofDays count: Int) -> Int { max(1, count / 10) }

    /// Plans by `sizes`, the bytes of the pictures and videos of each day in the tree, with what edits and damage
    /// replaced.
    ///
    /// The `protected` days, which are favorites and the newest, are never removed. `removed` are the recorded days
    /// whose files are not in the tree: they return where they fit again. `removedSize` returns the bytes that
    /// such a day would take, and is called only for the newest ones, until one does not fit; its error is thrown.
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
            oldest = try Self.oldestThatFits(
                candidates.union(removed.subtracting(protected)), in: limit - protectedBytes
            ) { try sizes[$0] ?? removedSize($0) }
            // NASA's newest day is kept even if it is larger than all that is allowed.
            oldest = oldest.map { min($0, newest) }
        }
        oldestKept = oldest
        removals = oldest.map { oldest in candidates.filter { $0 < oldest }.sorted() } ?? []
    }

    /// The sentence that the protected days alone take more than `keep`; `nil` if they do not.
    package func excess(over keep: Keep) -> String? {
        guard case .bytes(let limit) = keep, protectedBytes > limit else { return nil }
        let size = ByteCount(protectedBytes)
        return
            "the favorites and the newest picture take \(size), more than --keep \(keep); they are kept"
    }

    /// Takes the days from the newest to the first that does not fit into `limit` bytes together with all newer ones.
    ///
    /// Older days are not kept where they would fit: an old small picture would be removed and downloaded again with each
    /// change of the newer ones.
    ///
    /// - Returns: The oldest day that fits, `nil` if all do.
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
