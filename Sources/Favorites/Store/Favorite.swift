package import APOD
package import FoundationEssentials
internal import JSON
internal import Mirror
package import Platform

/// A day that a person chose as a favorite, as `.apod-mirror/favorites/2026-11-20.json` records it.
///
/// A scan of `favorites/` finds the items, which are files and links, that refer to the day. ``Reconciliation`` changes the
/// favorite by what the scan finds.
package struct Favorite: Hashable, Sendable {
    package var day: Day
    /// The title of the day when the record was written; `nil` until the day is mirrored.
    ///
    /// For people, ``MirroredFavorites/withTitle(_:)`` replaces it by the current title.
    package var title: String?
    /// When the day became a favorite.
    package var added: Date
    /// The names of the items, as the last scan that found any has found them; sorted.
    package var names: [FavoriteName]
    /// How an item refers to the day: the first item, as long as an item of its kind exists.
    package var kind: ReferenceKind
    /// Those of the ``names`` that are files, such as edited copies; the others are links.
    package var fileNames: Set<FavoriteName> = []
    package var presence = Presence.present
    /// The last names that the favorite lost while it was present; `nil` if there are none.
    var lost: LostNames?
    /// Members of the record that this version does not know; they are written again as they are.
    var unknownMembers: [JSON.Member] = []

    /// Whether a file or a link in `favorites/` refers to the day.
    package enum Presence: Hashable, Sendable {
        /// At least one item refers to the day.
        case present
        /// No item refers to the day. The favorite is removed after a minute.
        case disappeared(since: Disappearance)
        /// No item refers to the day, but that may be an accident. The favorite is kept until a person restores or removes it.
        ///
        /// The time is `nil` if the record was lost, so that nothing says when the last item disappeared.
        case held(since: Disappearance?)
    }

    /// When a scan first found that no item refers to the day.
    package struct Disappearance: Hashable, Sendable {
        package let date: Date
        /// The time by a clock that nobody sets, which measures the minute until the removal; `nil` if the record lacks it.
        package let uptime: Uptime?
    }

    /// Names whose items are gone, while another item still refers to the day.
    struct LostNames: Hashable, Sendable {
        /// The names of links that would take the places of the items, see ``linkName(of:)``.
        let names: Set<FavoriteName>
        /// When a scan found the last of them gone.
        let since: Uptime
    }

    /// Whether the favorite is kept, although no item refers to the day.
    package var isHeld: Bool {
        switch presence {
        case .held: true
        case .present, .disappeared: false
        }
    }

    /// Whether no item refers to the day: the favorite has disappeared, or is held.
    package var isMissing: Bool { presence != .present }

    /// When the last item disappeared; `nil` for a present favorite, and if nothing says when.
    package var disappearance: Disappearance? {
        switch presence {
        case .present: nil
        case .disappeared(let since): since
        case .held(let since): since
        }
    }

    /// The names under which the items come back as links; sorted.
    var linkNames: [FavoriteName] { Set(names.map(linkName)).sorted() }

    /// The name of a link that takes the place of the item `name`.
    ///
    /// A link never gets the name of a file: if a person copied the file back to its name, as from a backup, cp(1) would write
    /// through the link, and overwrite the picture of the mirror.
    func linkName(of name: FavoriteName) -> FavoriteName {
        // mutation test: name-of-file (see Tests/Mutants)
        fileNames.contains(name) ? name.ofLink : name
    }

    /// The favorite with the names that it lost within a grace period before `uptime`.
    ///
    /// A person who deletes folders may still be at it during several scans. All names come back then.
    func withLostNames(at uptime: Uptime) -> Favorite {
        guard let lost, let elapsed = uptime.seconds(since: lost.since),
            elapsed < Reconciliation.removalGracePeriod
        else { return self }
        var favorite = self
        favorite.names = Set(names).union(lost.names).sorted()
        favorite.lost = nil
        return favorite
    }

    /// Whether the last items of `other` disappeared later, or are present: of two favorites with the same name, the name means
    /// the later one.
    func wasPresent(before other: Favorite) -> Bool {
        let lastPresence = disappearance?.date ?? .distantFuture
        return (lastPresence, day) < (other.disappearance?.date ?? .distantFuture, other.day)
    }
}
