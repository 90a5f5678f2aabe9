package import APOD
package import FoundationEssentials
internal import JSON
package import Platform

/// A favorite day: the content of `.apod-mirror/favorites/2026-11-20.json`.
package struct Favorite: Hashable, Sendable {
    package var day: Day
    /// `nil` until the day is mirrored.
    package var title: String?
    package var added: Date
    /// The names in `favorites/` that the last scan found, sorted.
    package var names: [FavoriteName]
    package var kind: ReferenceKind
    /// When it was first missing in `favorites/`; `nil` while it is present.
    package var missingSince: Date?
    /// The same by a clock that nobody sets: the grace period is measured by it.
    package var missingSinceUptime: Uptime?
    /// Whether its removal is not accepted: it is kept until a user restores or removes it.
    package var isHeld = false
    /// Members of the record that this version does not know, written again as they are.
    var unknownMembers: [JSON.Member] = []

    /// Whether no item in `favorites/` refers to it.
    package var isMissing: Bool { isHeld || missingSince != nil }

    /// Later for a present favorite, then for the latest missing one: several may have had the same name.
    var lastPresent: (Date, Day) { (missingSince ?? .distantFuture, day) }
}
