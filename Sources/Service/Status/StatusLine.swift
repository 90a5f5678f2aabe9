package import APOD
package import Favorites
package import Mirror
internal import Platform

/// The line that `systemctl status` shows for the daemon: `newest 2026-11-20, 0 days missing, 12 favorites`.
///
/// ``StatusNotifier`` sends it whenever a service reports something that changes it.
package struct StatusLine: Hashable, Sendable {
    /// The newest day whose picture or video is here.
    private var newestDay: Day?
    /// The number of missing days after the last sync; `nil` before the first.
    private var missingDayCount: Int?
    /// The number of days that could not be read in the last sync, and may be complete.
    private var unknownDayCount = 0
    /// How far the running sync is; `nil` if none runs.
    private var progress: Progress?
    /// What kept all days away in the last sync; `nil` if nothing did.
    private var obstacle: Obstacle?
    /// The number of favorites; `nil` before the first scan.
    private var favoriteCount: Int?
    /// The number of favorites that are held: their links are gone, perhaps by mistake.
    private var heldFavoriteCount = 0

    /// The line of a daemon that starts; `newest` is the newest day that its mirror has.
    package init(newest: Day?) {
        newestDay = newest
    }

    package var text: String {
        var parts = [newestDay.map { "newest \($0)" } ?? "no day yet"]
        if let left = progress?.left, left > 0 { parts.append("\(counted(left, "day")) under way") }
        if let missingDayCount { parts.append("\(counted(missingDayCount, "day")) missing") }
        if unknownDayCount > 0 { parts.append("\(counted(unknownDayCount, "day")) unknown") }
        if let obstacle { parts.append("\(obstacle.kind): \(obstacle.summary)") }
        if let favoriteCount { parts.append(counted(favoriteCount, "favorite")) }
        if heldFavoriteCount > 0 { parts.append("\(heldFavoriteCount) of them held") }
        return parts.joined(separator: ", ")
    }

    /// Records an event of the running sync.
    package mutating func record(_ event: SyncEvent) {
        progress.record(event)
        guard case .day(let outcome) = event else { return }
        switch outcome.result {
        case .downloaded, .partial:
            newestDay = max(newestDay ?? outcome.day, outcome.day)
        case .cancelled, .edited, .incomplete, .missing, .noSpace, .removed, .unchanged: break
        }
    }

    /// Records the end of a sync.
    package mutating func record(_ summary: SyncSummary) {
        progress.record(summary)
        unknownDayCount = summary.unknown
        if unknownDayCount == 0 {
            newestDay = summary.newestWithFiles ?? newestDay
        } else if let newest = summary.newestWithFiles {
            // A later day may be here, and be one of those that cannot be read.
            newestDay = max(newestDay ?? newest, newest)
        }
        if summary.newest != nil { missingDayCount = summary.missing }
        obstacle = summary.obstacle
    }

    /// Records the result of a scan of `favorites/`.
    package mutating func record(_ outcome: ReconcileOutcome) {
        favoriteCount = outcome.favorites.count
        heldFavoriteCount = outcome.favorites.values.count(where: \.isHeld)
    }
}
