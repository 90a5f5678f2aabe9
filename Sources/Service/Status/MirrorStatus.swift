internal import APOD
package import Favorites
package import Mirror
internal import Platform

/// The status line for the service manager: a pure value.
package struct MirrorStatus: Hashable, Sendable {
    /// The newest complete day.
    private var newest: Day?
    /// Missing days after the last sync.
    private var missing: Int?
    /// Days being downloaded.
    private var underWay = 0
    private var isOutOfReach = false
    private var favorites: Int?
    private var held = 0

    /// The line: `newest 2026-11-20, 0 days missing, 12 favorites`.
    package var line: String {
        var parts = [newest.map { "newest \($0)" } ?? "no day yet"]
        if underWay > 0 { parts.append("\(counted(underWay, "day")) under way") }
        if let missing { parts.append("\(counted(missing, "day")) missing") }
        if isOutOfReach { parts.append("NASA is unreachable") }
        if let favorites { parts.append(counted(favorites, "favorite")) }
        if held > 0 { parts.append("\(held) of them held") }
        return parts.joined(separator: ", ")
    }

    package mutating func record(_ event: SyncEvent) {
        switch event {
        case .planned(let days): underWay += days
        case .day(let outcome):
            switch outcome.result {
            case .downloaded: newest = max(newest ?? outcome.day, outcome.day)
            case .removed: return
            default: break
            }
            underWay = max(underWay - 1, 0)
        case .problem: break
        }
    }

    package mutating func record(_ summary: SyncSummary) {
        underWay = 0
        newest = summary.newestComplete ?? newest
        if summary.newest != nil { missing = summary.missing }
        isOutOfReach = summary.obstacle?.kind == .unreachable
    }

    package mutating func record(_ outcome: ReconcileOutcome) {
        favorites = outcome.favorites.count
        held = outcome.favorites.values.count(where: \.isHeld)
    }
}
