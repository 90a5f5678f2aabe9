package import APOD
internal import Favorites
package import FoundationEssentials
package import Mirror
internal import Platform

/// What there is to know of a mirror from outside, also while a daemon keeps it.
package struct StatusReport: Sendable {
    package struct Missing: Hashable, Sendable {
        package let day: Day
        package let reason: String
        package let attempts: Int
        package let next: Date?
    }

    package let root: String
    /// The newest day that is had.
    package let newest: Day?
    package let state: SyncState
    package let wanted: Int
    package let complete: Int
    /// Newest first.
    package let missing: [Missing]
    /// How many favorites there are in each state, `kept`, `held` and `wanted`.
    package let favorites: [String: Int]
    /// Things in `favorites/` that mean no day.
    package let notUnderstood: Int
    /// Of pictures, videos and records.
    package let bytes: Int
    package let freeBytes: Int
    /// The process that keeps the mirror.
    package let running: Int32?
    package let now: Date

    /// Looks at `tree` as it is at `now`.
    package init(of tree: Tree, now: Date = Date()) throws {
        let state = try Store(reading: tree).state()
        let complete = try Census(of: tree).complete
        let wanted = state.newest.flatMap { state.since.range(newest: $0) }.map(Array.init) ?? []
        let published = wanted.filter { !Day.neverPublished.contains($0) }
        root = tree.root.path
        newest = complete.max()
        self.state = state
        self.wanted = published.count
        self.complete = published.count { complete.contains($0) }
        missing = published.reversed().filter { !complete.contains($0) }.map { day in
            let pending = state.pending[day]
            return Missing(
                day: day, reason: pending?.reason ?? "not looked for yet",
                attempts: pending?.attempts ?? 0, next: pending?.next)
        }
        let list = try FavoriteCommands(tree: tree, isWriter: false).list()
        favorites = Dictionary(list.entries.map { ($0.state.rawValue, 1) }, uniquingKeysWith: +)
        notUnderstood = list.notUnderstood.count
        bytes = try Census.bytes(of: tree)
        freeBytes = try tree.root.freeBytes()
        running = tree.writer
        self.now = now
    }

    /// Seconds since the newest day that is had began in Greenwich.
    package var newestAge: Int? {
        newest.map { Int(now.timeIntervalSince1970) - $0.number * 86_400 }
    }

    /// Whether the newest day is older than two days though NASA is not silent.
    ///
    /// NASA is silent when it was reached within a day and had nothing newer to give.
    package var isStale: Bool {
        guard let newest, let age = newestAge else { return false }
        let heard = state.lastSuccess.map { now.timeIntervalSince($0) < 86_400 } ?? false
        return age > 3 * 86_400 && !(heard && state.newest == newest)
    }
}
