package import APOD
internal import Platform

/// The decision which days the setting ``Keep`` removes, computed from the sizes of all days without reading a file.
///
/// With `--keep 3d` and 2026-11-20 as NASA's newest day, the oldest kept day is 2026-11-18.
package struct RetentionPlan: Hashable, Sendable {
    /// The oldest day that is kept, apart from the protected ones; `nil` if all days are kept.
    package let oldestKept: Day?
    /// The days to remove, oldest first.
    package let removals: [Day]
    /// How many days with files are protected, which means that they are never removed.
    package let protectedCount: Int
    /// The sum of the sizes of these days in bytes.
    package let protectedBytes: Int

    /// The most days that all syncs within 24 hours remove in a mirror that had files of `count` days: a tenth, at least two.
    ///
    /// A person who has mistyped the setting notices it before much is gone. With only one, a small mirror would never get as
    /// small as the setting, because each day brings a new picture.
    static func maximumRemovals(ofDays count: Int) -> Int { max(2, count / 10) }

    /// Plans the removals.
    ///
    /// - Parameters:
    ///   - keep: The setting.
    ///   - newest: NASA's newest day.
    ///   - sizes: The days with files, and the bytes of each, including the files that edits replaced.
    ///   - protected: The days that are never removed: the favorites, the imported pictures, the newest day, and days
    ///     that this sync changes.
    ///   - removed: The days that were removed earlier, and are downloaded again if they fit.
    ///   - removedSize: Returns the bytes of such a day. It is called for one after the other, the newest first, until one
    ///     does not fit.
    /// - Throws: The error of `removedSize`.
    package init(
        _ keep: Keep, newest: Day, sizes: [Day: Int], protected: Set<Day>, removed: Set<Day> = [],
        removedSize: (Day) throws -> Int = { _ in 0 }
    ) throws {
        let protectedSizes = protected.compactMap { sizes[$0] }
        protectedCount = protectedSizes.count
        protectedBytes = protectedSizes.saturatingSum()
        let candidates = Set(sizes.keys).subtracting(protected)
        switch keep {
        case .all: oldestKept = nil
        case .days(let count): oldestKept = newest.advanced(by: 1 - count)
        case .bytes(let limit):
            let days = candidates.union(removed.subtracting(protected))
            let oldest = try Self.oldestThatFits(days, in: limit - protectedBytes) {
                try sizes[$0] ?? removedSize($0)
            }
            // NASA's newest day is kept even if it is larger than the limit.
            oldestKept = oldest.map { min($0, newest) }
        }
        let firstKept = oldestKept ?? .first
        removals = candidates.filter { $0 < firstKept }.sorted()
    }

    /// A sentence for people if the protected days alone have more bytes than `keep` permits; `nil` if they do not.
    package func excess(over keep: Keep) -> String? {
        guard case .bytes(let limit) = keep, protectedBytes > limit else { return nil }
        let size = ByteCount(protectedBytes)
        return
            "the favorites, the imported pictures and the newest picture take \(size), more than --keep"
            + " \(keep); they are kept"
    }

    /// The oldest of `days` that fits into `limit` bytes together with all newer ones; `nil` if all days fit.
    ///
    /// A smaller day before it may still fit, but would be removed and downloaded again with each change of the newer days.
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
