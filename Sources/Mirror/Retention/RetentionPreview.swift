package import APOD
package import FoundationEssentials
internal import Platform

/// What the setting `--keep` would remove: the command `run --once --dry-run` prints this, and changes nothing.
///
/// `--keep` limits how many days the mirror keeps, such as `365d` or `20GB`, and syncs remove the oldest days above this limit.
/// ``Store/previewRetention(by:favorites:at:)`` makes the same decision as the next sync.
package struct RetentionPreview: Sendable {
    /// A day whose files would be removed.
    package struct Removal: Hashable, Sendable {
        package let day: Day
        /// The path of its picture, or of its video if it has no picture.
        package let path: String
        /// The size of all of its files, including those that edits replaced.
        package let bytes: Int
    }

    package let keep: Keep
    /// The decision about all days; some of its removals may be impossible, because a person has changed a file.
    package let plan: RetentionPlan
    /// The days to remove, oldest first; the next sync removes at most ``maximumNow`` of them, and later syncs the rest.
    package let removals: [Removal]
    package let maximumNow: Int
    /// The most days that all syncs within 24 hours remove.
    package let maximumPerDay: Int
    /// The number of days with files that stay.
    package let keptCount: Int

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
        let lastState = try state()
        let recorded = try recordedDays(in: snapshot)
        let daysWithFiles = recorded.withFiles
        let dates = try plausibleDates(lastState, recorded: daysWithFiles, at: now)
        guard let newestAtNASA = lastState.newest else { return nil }
        // NASA may have dated an entry in the future by mistake.
        let newest = min(newestAtNASA, dates.last ?? newestAtNASA)

        let retention = Retention(
            keep, store: self, snapshot: snapshot, recordedDays: recorded,
            favorites: { favorites })
        // A sync protects the newest day with files, too.
        let newestWithFiles = lastState.newest(of: daysWithFiles, within: dates)
        let plan = try retention.plan(
            newest: newest, protected: Set([newestWithFiles].compactMap(\.self)))
        let allowance = retention.allowance(for: plan, ofDays: daysWithFiles.count, at: now)
        let possibleRemovals = try removals(of: plan.removals, at: now)
        return RetentionPreview(
            keep: keep, plan: plan, removals: possibleRemovals,
            maximumNow: allowance.now, maximumPerDay: allowance.perDay,
            keptCount: daysWithFiles.count - possibleRemovals.count)
    }

    /// The removals of those of `days` that a sync would remove; a day with a file that cannot be read stays.
    private func removals(
        of days: [Day], at now: Date
    ) throws(SystemError) -> [RetentionPreview.Removal] {
        let bytesOfReplaced = try replacedBytes()
        var removals: [RetentionPreview.Removal] = []
        for day in days {
            do throws(SystemError) {
                guard let record = try record(of: day), let path = record.mediaPath,
                    case .possible(_, _, let bytes) = try removal(
                        of: record, at: now, trustsTimes: true)
                else { continue }
                removals.append(
                    RetentionPreview.Removal(
                        day: day, path: path,
                        bytes: bytes.addingSaturating(bytesOfReplaced[day] ?? 0)))
            } catch  where !error.concernsEveryFile {
                continue
            }
        }
        return removals
    }
}
