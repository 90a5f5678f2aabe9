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

/// The JSON of the record of a favorite: `date, title, added, names, via`, and these, which few favorites have.
///
/// - `missing_since`, `missing_since_uptime`: when the last item was gone, by the date and by a steady clock.
/// - `held`: `true` if all items are gone, which may be an accident: a command restores or removes the favorite.
///
/// `via` is a ``ReferenceKind``. Members that are unknown here stay in a record; a `nil` member is omitted.
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
            "missing_since": missingSince.map { .string($0.timestamp) },
            "missing_since_uptime": missingSinceUptime?.json,
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
            // In place of an unknown kind, the next scan writes the one that it finds.
            kind: json["via"]?.string.flatMap(ReferenceKind.init(rawValue:)) ?? .link,
            isHeld: json["held"]?.bool ?? false)
        title = json["title"]?.string
        missingSince = json["missing_since"]?.date
        missingSinceUptime = json["missing_since_uptime"].flatMap(Uptime.init)
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
