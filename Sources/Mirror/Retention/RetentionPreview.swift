package import APOD
package import FoundationEssentials
internal import Platform

/// What the next syncs would remove: `--dry-run`.
package struct RetentionPreview: Sendable {
    package let keep: Keep
    package let plan: RetentionPlan
    /// The days to remove with the sizes of their files, oldest first.
    package let removals: [Removal]
    /// How many days stay.
    package let keptCount: Int
    /// How many days are never removed: the favorites and the newest day.
    package let protectedCount: Int
    /// How many days one sync removes at most.
    package let removalLimit: Int

    package var bytes: Int { removals.lazy.map(\.bytes).saturatingSum() }

    package struct Removal: Hashable, Sendable {
        package let day: Day
        package let path: String
        package let bytes: Int
    }

    /// Reads the tree and its state, and plans as the next sync will; `nil` if NASA was never reached.
    package init?(
        _ keep: Keep, of store: Store, favorites: Set<Day>, at now: Date
    ) throws {
        let (snapshot, state) = (try TreeSnapshot(of: store.tree.root), try store.state())
        let daysWithFiles = try store.daysWithFiles(snapshot)
        let dates = try store.plausibleDates(state, recorded: daysWithFiles, at: now)
        guard var newest = state.newest else { return nil }
        // A day that NASA dated in the future by mistake makes the others no older.
        if let latest = dates.last { newest = min(newest, latest) }
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
