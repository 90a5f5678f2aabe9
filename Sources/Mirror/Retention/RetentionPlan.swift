package import APOD
internal import Platform

/// The days to remove so that `--keep` holds, computed from the sizes of all days.
package struct RetentionPlan: Hashable, Sendable {
    /// The oldest day that is kept, except older favorites; `nil` if all days are.
    package let oldestKept: Day?
    /// The days to remove, oldest first.
    package let removals: [Day]
    /// The kept days of which only what edits and damage replaced is removed, oldest first.
    package let replacedRemovals: [Day]
    /// The bytes of the days that are never removed.
    package let protectedBytes: Int

    /// How many of the ``removals`` one sync carries out: a tenth of all days, at least one; so a mistake in the
    /// setting is noticed before much is gone.
    package static func maximumRemovals(ofDays count: Int) -> Int { max(1, count / 10) }

    /// Plans by `sizes`, the bytes of the pictures and videos of each day in the tree, and by `replaced`, the bytes that
    /// edits and damage replaced.
    ///
    /// The `protected` days, which are favorites and the newest, are never removed. `removed` are the recorded days
    /// whose files are not in the tree: they return where they fit again. `removedSize` returns the bytes that
    /// such a day would take, and is called only for the newest ones, until one does not fit.
    package init(
        _ keep: Keep, newest: Day, sizes: [Day: Int], replaced: [Day: Int] = [:],
        protected: Set<Day>, removed: Set<Day> = [], removedSize: (Day) -> Int = { _ in 0 }
    ) {
        protectedBytes = protected.lazy.filter { sizes[$0] != nil }
            .map { (sizes[$0] ?? 0).addingSaturating(replaced[$0] ?? 0) }.saturatingSum()
        let candidates = Set(sizes.keys).subtracting(protected)
        var fitting = Fitting()
        switch keep {
        case .all: break
        case .days(let count): fitting.oldestKept = newest.advanced(by: 1 - count)
        case .bytes(let limit):
            fitting = Fitting(
                in: limit - protectedBytes, candidates.union(removed.subtracting(protected)),
                size: { sizes[$0] ?? removedSize($0) },
                // Of a removed day, nothing is left.
                replaced: { sizes[$0] == nil ? 0 : replaced[$0] ?? 0 })
            // NASA's newest day is kept even if it is larger than all that is allowed.
            fitting.oldestKept = fitting.oldestKept.map { min($0, newest) }
        }
        let oldest = fitting.oldestKept
        oldestKept = oldest
        removals = oldest.map { oldest in candidates.filter { $0 < oldest }.sorted() } ?? []
        replacedRemovals = fitting.daysWithoutReplaced.sorted()
    }

    /// The sentence that the protected days alone take more than `keep`; `nil` if they do not.
    package func excess(over keep: Keep) -> String? {
        guard case .bytes(let limit) = keep, protectedBytes > limit else { return nil }
        let size = ByteCount(protectedBytes)
        return
            "the favorites and the newest picture take \(size), more than --keep \(keep); they are kept"
    }

    /// Which days fit into a number of bytes, the newest first.
    fileprivate struct Fitting {
        /// `nil` if all fit.
        var oldestKept: Day?
        /// The days that fit only without what edits and damage replaced.
        var daysWithoutReplaced: [Day] = []
    }
}

extension RetentionPlan.Fitting {
    /// Takes the days from the newest to the first that does not fit into `limit` bytes together with all newer ones.
    ///
    /// Of a day, what edits and damage replaced goes first, then its files: if they went together, the files would fit
    /// afterwards, and be downloaded again. Older days are not kept where they would fit: an old small picture would be
    /// removed and downloaded again with each change of the newer ones.
    fileprivate init(
        in limit: Int, _ days: Set<Day>, size: (Day) -> Int, replaced: (Day) -> Int
    ) {
        var bytes = 0
        for day in days.sorted(by: >) {
            bytes = bytes.addingSaturating(size(day))
            guard bytes <= limit else {
                oldestKept = day.advanced(by: 1)
                return
            }
            let withReplaced = bytes.addingSaturating(replaced(day))
            if withReplaced <= limit {
                bytes = withReplaced
            } else {
                daysWithoutReplaced.append(day)
            }
        }
    }
}
