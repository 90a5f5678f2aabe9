package import APOD
package import FoundationEssentials
internal import Platform

/// What `--keep` would remove in the next syncs, for `run --once --dry-run`.
package struct RetentionPreview: Sendable {
    package struct Removal: Hashable, Sendable {
        package let day: Day
        /// The path of its picture, or of its video if it has no picture.
        package let path: String
        /// The size of all of its files, including those that edits replaced.
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

    /// Plans as the next sync would; `nil` if no sync has reached NASA yet.
    package init?(
        _ keep: Keep, of store: Store, favorites: Set<Day>, at now: Date
    ) throws {
        let snapshot = try TreeSnapshot(of: store.tree.root)
        let state = try store.state()
        let recordedDays = try store.recordedDays(in: snapshot)
        let daysWithFiles = recordedDays.withFiles
        let dates = try store.plausibleDates(state, recorded: daysWithFiles, at: now)
        guard var newest = state.newest else { return nil }
        // If NASA dated a day in the future by mistake, the age of the other days does not count from it.
        if let last = dates.last { newest = min(newest, last) }
        var protected = favorites.intersection(daysWithFiles)
        if let shown = state.newest(of: daysWithFiles, dates) { protected.insert(shown) }
        let retention = Retention(
            keep, store: store, snapshot: snapshot, recordedDays: recordedDays
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
