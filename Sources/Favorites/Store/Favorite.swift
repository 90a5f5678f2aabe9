package import APOD
package import FoundationEssentials
internal import JSON
internal import Mirror
package import Platform

/// A day that a person chose as a favorite, as `.apod-mirror/favorites/2026-11-20.json` records it.
package struct Favorite: Hashable, Sendable {
    package var day: Day
    /// The title of the day when the record was written; `nil` until the day is mirrored.
    ///
    /// For people, ``MirroredFavorites/withTitle(_:)`` replaces it by the title of now.
    package var title: String?
    /// When the day became a favorite.
    package var added: Date
    /// The names of the files and links in `favorites/` that refer to the day, as the last scan found them; sorted.
    package var names: [FavoriteName]
    /// How the item that was found first refers to the day, or another item if that one is gone.
    package var kind: ReferenceKind
    /// Those of the ``names`` that are files, such as edited copies; the others are links.
    package var fileNames: Set<FavoriteName> = []
    package var presence = Presence.present
    /// Members of the record that this version does not know; they are written again as they are.
    var unknownMembers: [JSON.Member] = []

    /// Whether a file or a link in `favorites/` refers to the day.
    package enum Presence: Hashable, Sendable {
        case present
        /// Nothing refers to the day. The favorite is removed after a minute.
        case disappeared(since: Disappearance)
        /// Nothing refers to the day, but that may be an accident. The favorite is kept until a person restores or removes it.
        ///
        /// The time is `nil` if the record was lost, so that nothing says when the link disappeared.
        case held(since: Disappearance?)
    }

    /// When a scan first found that nothing refers to the day.
    package struct Disappearance: Hashable, Sendable {
        package let date: Date
        /// The time by a clock that nobody sets, which measures the minute until the removal; `nil` if the record lacks it.
        package let uptime: Uptime?
    }

    package var isHeld: Bool { if case .held = presence { true } else { false } }
    /// Whether nothing in `favorites/` refers to the day: its favorite has disappeared, or is held.
    package var isMissing: Bool { presence != .present }

    package var disappearance: Disappearance? {
        switch presence {
        case .present: nil
        case .disappeared(let since): since
        case .held(let since): since
        }
    }

    /// The names under which the items come back as links; sorted.
    ///
    /// A link never gets the name of a file: if a person copied the file back to its name, as from a backup, cp(1) would write
    /// through the link, and overwrite the picture of the mirror.
    var linkNames: [FavoriteName] {
        // mutation test: name-of-file (see Tests/Mutants)
        Set(names.map { fileNames.contains($0) ? $0.ofLink : $0 }).sorted()
    }

    /// Greater if the favorite was present later; a present one is the greatest.
    var presenceOrder: (Date, Day) { (disappearance?.date ?? .distantFuture, day) }
}
