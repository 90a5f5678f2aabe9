package import APOD
package import FoundationEssentials
internal import JSON
internal import Mirror
package import Platform

/// A day that a person likes: the contents of `.apod-mirror/favorites/2026-11-20.json`.
package struct Favorite: Hashable, Sendable {
    package var day: Day
    /// `nil` until the day is mirrored.
    package var title: String?
    package var added: Date
    /// Where in `favorites/` it was last seen, sorted.
    package var names: [FavoriteName]
    package var via: ReferenceKind
    /// Since when nothing in `favorites/` stands for it; `nil` while something does.
    package var vanishedAt: Date?
    /// The same by a clock that nobody sets: what the grace period is measured by.
    package var missedSince: Uptime?
    /// Whether its absence is not believed: it stays until somebody says otherwise.
    package var isHeld = false
    /// The names that lead through `latest.*`: those stand for the day that was the newest then.
    package var latest: [LatestLinkRecord] = []
    /// What somebody else put into the record.
    var unknown: [JSON.Member] = []

    package init(
        _ day: Day, added: Date, names: [FavoriteName], via: ReferenceKind, isHeld: Bool = false
    ) {
        self.day = day
        self.added = added
        self.names = names
        self.via = via
        self.isHeld = isHeld
    }
}

/// A name that led through `latest.*`, and when what has it was made: a newer one means a newer day.
package struct LatestLinkRecord: Hashable, Sendable {
    package let name: FavoriteName
    /// Seconds since 1970.
    package let modified: Int
}
