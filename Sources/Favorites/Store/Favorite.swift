package import APOD
package import FoundationEssentials
package import JSON
internal import Mirror
package import Platform

/// A day that a person chose as a favorite, as `.apod-mirror/favorites/2026-11-20.json` records it.
package struct Favorite: Hashable, Sendable {
    package var day: Day
    /// `nil` until the day is mirrored.
    package var title: String?
    /// When the day became a favorite.
    package var added: Date
    /// The names of the files and links in `favorites/` that refer to the day, as the last scan found them; sorted.
    package var names: [FavoriteName]
    /// How one of these files and links refers to the day.
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
        case missing(since: Disappearance)
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
    /// Whether nothing in `favorites/` refers to the day.
    package var isMissing: Bool { presence != .present }

    package var disappearance: Disappearance? {
        switch presence {
        case .present: nil
        case .missing(let since): since
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

    /// The ``fileNames`` of a favorite of this ``kind`` whose items are all files, or all links.
    private var expectedFileNames: Set<FavoriteName> { kind == .link ? [] : Set(names) }

    /// What favorites are compared by to find the one that was present last; a present one is the greatest.
    var lastPresent: (Date, Day) { (disappearance?.date ?? .distantFuture, day) }
}

// MARK: JSON

/// The record of a favorite as JSON.
///
/// - `via` is a ``ReferenceKind``.
/// - `files` are the names that are files. It is left out if `via` says so: `link` of none, any other kind of all.
/// - `missing_since` and `missing_since_uptime` say when the last link was gone: the date, and the time by a steady clock.
/// - `held` is `true` for a favorite that is ``Presence/held(since:)``.
extension Favorite {
    private static let knownKeys = [
        "date", "title", "added", "names", "via", "files", "missing_since", "missing_since_uptime",
        "held",
    ]

    package var json: JSON {
        let json: JSON = [
            "date": .string("\(day)"),
            "title": title.map(JSON.string),
            "added": .string(added.timestamp),
            "names": .array(names.map { .string($0.recorded) }),
            "via": .string(kind.rawValue),
            "files": fileNames == expectedFileNames
                ? nil : .array(fileNames.sorted().map { .string($0.recorded) }),
            "missing_since": disappearance.map { .string($0.date.timestamp) },
            "missing_since_uptime": disappearance?.uptime?.json,
            "held": isHeld ? true : nil,
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
        fileNames = json["files"].map { Set(Self.names($0)) } ?? expectedFileNames
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

    private static func names(_ json: JSON) -> [FavoriteName] {
        json.elements.compactMap { element in
            element.string.flatMap { FavoriteName(recorded: $0) }
        }
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
