internal import APOD
internal import FoundationEssentials
package import JSON
internal import Mirror
internal import Platform

/// The record of a favorite as JSON.
///
/// - `via` is a ``ReferenceKind``.
/// - `names` are the names of all items. `files` are those that are files; it is left out if it would be as `via` lets expect:
///   empty for `link`, and equal to `names` for any other kind.
/// - `missing_since` and `missing_since_uptime` say when the last item was gone: the date, and the time by a steady clock.
/// - `held` is `true` for a favorite that is ``Presence/held(since:)``.
/// - `lost` has the ``LostNames``.
extension Favorite {
    /// The ``fileNames`` of a favorite of this ``kind`` whose items are all files, or all links.
    private var usualFileNames: Set<FavoriteName> { kind == .link ? [] : Set(names) }

    private static let knownKeys = [
        "date", "title", "added", "names", "via", "files", "missing_since", "missing_since_uptime",
        "held", "lost",
    ]

    package var json: JSON {
        let json: JSON = [
            "date": .string("\(day)"),
            "title": title.map(JSON.string),
            "added": .string(added.timestamp),
            "names": Self.json(names),
            "via": .string(kind.rawValue),
            "files": fileNames == usualFileNames
                ? nil : Self.json(fileNames.sorted()),
            "missing_since": disappearance.map { .string($0.date.timestamp) },
            "missing_since_uptime": disappearance?.uptime?.json,
            "held": isHeld ? true : nil,
            "lost": lost.map { lost in
                ["names": Self.json(lost.names.sorted()), "since_uptime": lost.since.json]
            },
        ]
        return .object(json.members + unknownMembers)
    }

    /// Reads a record; `nil` if it lacks `date`, `added` or `names`.
    package init?(_ json: JSON) {
        guard let day = json["date"]?.day, let added = json["added"]?.date,
            let names = json["names"].map(Self.names)
        else { return nil }
        self.init(
            day: day, added: added, names: names.sorted(),
            // If the kind is unknown, the next scan finds it again.
            kind: json["via"]?.string.flatMap(ReferenceKind.init(rawValue:)) ?? .link)
        fileNames = json["files"].map { Set(Self.names($0)) } ?? usualFileNames
        title = json["title"]?.string
        presence = Self.presence(json)
        lost = json["lost"].flatMap(LostNames.init)
        unknownMembers = json.members.filter { !Self.knownKeys.contains($0.key) }
    }

    private static func presence(_ json: JSON) -> Presence {
        let since = json["missing_since"]?.date.map { date in
            Disappearance(date: date, uptime: json["missing_since_uptime"].flatMap(Uptime.init))
        }
        if json["held"]?.bool == true { return .held(since: since) }
        return since.map(Presence.disappeared) ?? .present
    }

    private static func json(_ names: [FavoriteName]) -> JSON {
        .array(names.map { .string($0.recorded) })
    }

    fileprivate static func names(_ json: JSON) -> [FavoriteName] {
        json.elements.compactMap { element in
            element.string.flatMap { FavoriteName(recorded: $0) }
        }
    }
}

extension Favorite.LostNames {
    fileprivate init?(_ json: JSON) {
        guard let names = json["names"].map(Favorite.names),
            let since = json["since_uptime"].flatMap(Uptime.init)
        else { return nil }
        self.init(names: Set(names), since: since)
    }
}

/// The time by a clock that nobody sets, as the record of a missing favorite has it.
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
