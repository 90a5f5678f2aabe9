package import APOD
package import FoundationEssentials
internal import Platform

/// What the next syncs would remove: `--dry-run`.
package struct RetentionPreview: Sendable {
    package let keep: Keep
    package let plan: RetentionPlan
    /// The days to remove with the sizes of their files, oldest first.
    package let removals: [Removal]
    /// The number of the days that stay.
    package let kept: Int
    /// The number of days that are never removed: favorites, and the newest.
    package let protected: Int
    /// The maximum number of days that one sync removes.
    package let limit: Int

    package var bytes: Int { removals.lazy.map(\.bytes).saturatingSum() }

    package struct Removal: Hashable, Sendable {
        package let day: Day
        package let path: String
        package let bytes: Int
    }

    /// Plans by the tree and its state; `nil` if NASA was never reached.
    package init?(
        _ keep: Keep, of store: Store, favorites: Set<Day>, at now: Date
    ) throws {
        let (snapshot, state) = (try TreeSnapshot(of: store.tree.root), try store.state())
        let daysWithFiles = try store.daysWithFiles(snapshot)
        let dates = try store.plausibleDates(state, recorded: daysWithFiles, at: now)
        guard let newest = state.newest.map({ min($0, dates.last ?? $0) }) else { return nil }
        var favorites = favorites.intersection(daysWithFiles)
        if let shown = state.newest(of: daysWithFiles, dates) { favorites.insert(shown) }
        let retention = Retention(
            keep, store: store, snapshot: snapshot, daysWithFiles: daysWithFiles
        ) {
            favorites
        }
        self.keep = keep
        plan = try retention.plan(newest: newest, protected: favorites)
        let replaced = try store.replacedBytes()
        removals = try plan.removals.compactMap { day in
            guard let record = try store.knownRecord(of: day), record.removed == nil,
                let path = record.mediaPath
            else { return nil }
            return Removal(
                day: day, path: path, bytes: record.bytes.addingSaturating(replaced[day] ?? 0))
        }
        kept = daysWithFiles.count - removals.count
        protected = favorites.count
        limit = RetentionPlan.maximumRemovals(ofDays: daysWithFiles.count)
    }
}
