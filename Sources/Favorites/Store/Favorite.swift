package import APOD
package import FoundationEssentials
package import JSON
internal import Mirror
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
    package var presence = Presence.present
    /// Members of the record that this version does not know, written again as they are.
    var unknownMembers: [JSON.Member] = []

    /// Whether an item in `favorites/` refers to the day.
    package enum Presence: Hashable, Sendable {
        case present
        /// No item does: the favorite is removed when its grace period ends.
        case missing(since: Disappearance)
        /// No item does, and the removal is not accepted: the favorite is kept until a user restores or removes it.
        ///
        /// `nil` if the record was lost, because nothing says then whether the favorite had an item.
        case held(since: Disappearance?)
    }

    /// When a scan first found no item.
    package struct Disappearance: Hashable, Sendable {
        package let date: Date
        /// By a clock that nobody sets, which measures the grace period; `nil` if the record lacks it.
        package let uptime: Uptime?
    }

    package var isHeld: Bool { if case .held = presence { true } else { false } }
    /// Whether no item refers to the day.
    package var isMissing: Bool { presence != .present }

    package var disappearance: Disappearance? {
        switch presence {
        case .present: nil
        case .missing(let since): since
        case .held(let since): since
        }
    }

    /// Orders favorites that had the same name by when they were present last: a present one is the greatest.
    var lastPresent: (Date, Day) { (disappearance?.date ?? .distantFuture, day) }
}

/// The JSON of the record of a favorite, which keeps the members that are unknown here.
///
/// - `via`: a ``ReferenceKind``
/// - `missing_since`, `missing_since_uptime`: when the last item was gone, by the date and by a steady clock
/// - `held`: `true` if all items are gone, which may be an accident: a command restores or removes the favorite
extension Favorite {
    private static let knownKeys = [
        "date", "title", "added", "names", "via", "missing_since", "missing_since_uptime", "held",
    ]

    package var json: JSON {
        let json: JSON = [
            "date": .string("\(day)"),
            "title": title.map(JSON.string),
            "added": .string(added.timestamp),
            "names": .array(names.map { .string($0.recorded) }),
            "via": .string(kind.rawValue),
            "missing_since": disappearance.map { .string($0.date.timestamp) },
            "missing_since_uptime": disappearance?.uptime?.json,
            "held": isHeld ? true : nil,
        ]
        return .object(json.members + unknownMembers)
    }

    /// Reads a record; `nil` if it has no `date`, `added` or `names`.
    package init?(_ json: JSON) {
        guard let day = json["date"]?.day, let added = json["added"]?.date,
            let names = json["names"]?.elements.compactMap({ element in
                element.string.flatMap { FavoriteName(recorded: $0) }
            })
        else { return nil }
        self.init(
            day: day, added: added, names: names.sorted(),
            // If the kind is unknown, the next scan finds it again.
            kind: json["via"]?.string.flatMap(ReferenceKind.init(rawValue:)) ?? .link)
        title = json["title"]?.string
        let since = json["missing_since"]?.date.map { date in
            Disappearance(date: date, uptime: json["missing_since_uptime"].flatMap(Uptime.init))
        }
        if json["held"]?.bool == true {
            presence = .held(since: since)
        } else if let since {
            presence = .missing(since: since)
        }
        unknownMembers = json.members.filter { !Self.knownKeys.contains($0.key) }
    }
}

extension Uptime {
    var json: JSON {
        ["boot": .string(boot), "milliseconds": .integer(milliseconds)]
    }

    init?(_ json: JSON) {
        guard let boot = json["boot"]?.string, let count = json["milliseconds"]?.count else {
            return nil
        }
        self.init(boot: boot, milliseconds: count)
    }
}
