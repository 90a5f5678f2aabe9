package import APOD
package import FoundationEssentials
internal import Platform

/// What `--keep` would remove in the next syncs: the command `run --once --dry-run` prints it, and changes nothing.
///
/// `--keep` limits how many days the mirror keeps, such as `365d` or `20GB`. ``Store/previewRetention(by:favorites:at:)`` makes
/// the preview.
package struct RetentionPreview: Sendable {
    package struct Removal: Hashable, Sendable {
        package let day: Day
        /// The path of its picture, or of its video if it has no picture.
        package let path: String
        /// The size of all of its files, including those that edits replaced.
        package let bytes: Int
    }

    package let keep: Keep
    /// The decision of the next sync, with the oldest day that is kept.
    package let plan: RetentionPlan
    /// The days to remove, oldest first.
    package let removals: [Removal]
    /// How many days with files would stay.
    package let keptCount: Int
    /// How many days are never removed: the favorites, the imported pictures and the newest day.
    package var protectedCount: Int { plan.protectedCount }
    /// The most days that one sync removes; the next syncs remove the other ones.
    package let removalLimit: Int

    /// The size of all removals.
    package var bytes: Int { removals.lazy.map(\.bytes).saturatingSum() }
}

extension Store {
    /// Plans the removals as the next sync would; returns `nil` if no sync has reached NASA yet.
    ///
    /// `favorites` are never removed.
    package func previewRetention(
        by keep: Keep, favorites: Set<Day>, at now: Date
    ) throws -> RetentionPreview? {
        let snapshot = try TreeSnapshot(of: tree.root)
        let state = try state()
        let recordedDays = try recordedDays(in: snapshot)
        let daysWithFiles = recordedDays.withFiles
        let dates = try plausibleDates(state, recorded: daysWithFiles, at: now)
        guard let newest = newestPlausibleDay(state, dates) else { return nil }

        let newestWithFiles = state.newest(of: daysWithFiles, within: dates)
        let protected = favorites.union([newestWithFiles].compactMap(\.self))
        let retention = Retention(
            keep, store: self, snapshot: snapshot, recordedDays: recordedDays,
            favorites: { protected })
        let plan = try retention.plan(newest: newest, protected: protected)
        let removals = try removals(by: plan)
        return RetentionPreview(
            keep: keep, plan: plan, removals: removals,
            keptCount: daysWithFiles.count - removals.count,
            removalLimit: RetentionPlan.maximumRemovals(ofDays: daysWithFiles.count))
    }

    /// NASA's newest day, from which `--keep 365d` counts back; `nil` if it is not known.
    ///
    /// If NASA dated a day in the future by mistake, this is the last possible date instead.
    private func newestPlausibleDay(_ state: SyncState, _ dates: PlausibleDates) -> Day? {
        guard let newest = state.newest else { return nil }
        guard let last = dates.last else { return newest }
        return min(newest, last)
    }

    /// The days that `plan` removes, without those whose record is unknown or names no file that is still here.
    private func removals(by plan: RetentionPlan) throws -> [RetentionPreview.Removal] {
        let replacedBytes = try replacedBytes()
        return try plan.removals.compactMap { day in
            guard let record = try knownRecord(of: day), record.removed == nil,
                let path = record.mediaPath
            else { return nil }
            let bytes = record.bytes.addingSaturating(replacedBytes[day] ?? 0)
            return RetentionPreview.Removal(day: day, path: path, bytes: bytes)
        }
    }
}
