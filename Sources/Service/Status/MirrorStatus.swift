internal import APOD
package import Favorites
package import Mirror

/// How the mirror is: a pure value that becomes a line for people.
package struct MirrorStatus: Hashable, Sendable {
    /// The newest day that is had.
    private var newest: Day?
    /// Days that are wanted and not had, as the last look found.
    private var missing: Int?
    /// Days that are looked for just now.
    private var underWay = 0
    private var isOutOfReach = false
    private var favorites: Int?
    private var held = 0

    package init() {}

    /// The line: `newest 2026-11-20, 0 days missing, 12 favorites`.
    package var line: String {
        var parts = [newest.map { "newest \($0)" } ?? "no day yet"]
        if underWay > 0 { parts.append("\(Self.count(underWay, "day")) under way") }
        if let missing { parts.append("\(Self.count(missing, "day")) missing") }
        if isOutOfReach { parts.append("NASA is out of reach") }
        if let favorites { parts.append(Self.count(favorites, "favorite")) }
        if held > 0 { parts.append("\(held) of them held") }
        return parts.joined(separator: ", ")
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }

    /// Something happened while NASA is looked at.
    package mutating func take(_ event: SyncEvent) {
        switch event {
        case .planned(let days): underWay += days
        case .day(let outcome):
            if case .kept = outcome.result { newest = max(newest ?? outcome.day, outcome.day) }
            underWay = max(underWay - 1, 0)
        case .problem, .alive: break
        }
    }

    /// NASA was looked at.
    package mutating func take(_ summary: SyncSummary) {
        underWay = 0
        newest = summary.newestComplete ?? newest
        if summary.newest != nil { missing = summary.missing }
        if case .unreachable = summary.obstacle {
            isOutOfReach = true
        } else {
            isOutOfReach = false
        }
    }

    /// The favorites were looked at.
    package mutating func take(_ outcome: ReconcileOutcome) {
        favorites = outcome.favorites.count
        held = outcome.favorites.values.count(where: \.isHeld)
    }
}
