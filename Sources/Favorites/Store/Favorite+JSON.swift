internal import APOD
internal import FoundationEssentials
package import JSON
internal import Mirror
internal import Platform

/// The record of a favorite as JSON.
extension Favorite {
    /// The keys of a record, in their order.
    private enum Key: String, CaseIterable {
        case date, title, added
        /// The names of all items.
        case names
        /// A ``ReferenceKind``.
        case kind = "via"
        /// The names of those items that are files; left out if it is as the kind lets expect: see ``usualFileNames``.
        case files
        /// The date of the ``Disappearance``.
        case missingSince = "missing_since"
        /// The time of the ``Disappearance`` by a clock that nobody sets.
        case missingSinceUptime = "missing_since_uptime"
        /// `true` for a favorite that is ``Presence/held(since:)``.
        case held
        /// The ``LostNames``.
        case lost
    }

    /// The ``fileNames`` of a favorite of this ``kind`` whose items are all files, or all links.
    private var usualFileNames: Set<FavoriteName> { kind == .link ? [] : Set(names) }

    package var json: JSON {
        let members = Key.allCases.compactMap { key in
            value(of: key).map { JSON.Member(key: key.rawValue, value: $0) }
        }
        return .object(members + unknownMembers)
    }

    /// The value of `key` in the record; `nil` if the record has no such key.
    private func value(of key: Key) -> JSON? {
        switch key {
        case .date: .string("\(day)")
        case .title: title.map(JSON.string)
        case .added: .string(added.timestamp)
        case .names: Self.json(names)
        case .kind: .string(kind.rawValue)
        case .files: fileNames == usualFileNames ? nil : Self.json(fileNames.sorted())
        case .missingSince: disappearance.map { .string($0.date.timestamp) }
        case .missingSinceUptime: disappearance?.uptime?.json
        case .held: isHeld ? true : nil
        case .lost: lost?.json
        }
    }

    /// Reads a record; `nil` if it lacks the date, the time of the addition or the names.
    package init?(_ json: JSON) {
        func value(_ key: Key) -> JSON? { json[key.rawValue] }
        guard let day = value(.date)?.day, let added = value(.added)?.date,
            let names = value(.names).map(Self.names)
        else { return nil }
        self.init(
            day: day, added: added, names: names.sorted(),
            // If the kind is unknown, the next scan finds it again.
            kind: value(.kind)?.string.flatMap(ReferenceKind.init(rawValue:)) ?? .link)
        fileNames = value(.files).map { Set(Self.names($0)) } ?? usualFileNames
        title = value(.title)?.string
        let disappearance = value(.missingSince)?.date.map { date in
            Disappearance(date: date, uptime: value(.missingSinceUptime).flatMap(Uptime.init))
        }
        if value(.held)?.bool == true {
            presence = .held(since: disappearance)
        } else {
            presence = disappearance.map(Presence.disappeared) ?? .present
        }
        lost = value(.lost).flatMap(LostNames.init)
        unknownMembers = json.members.filter { Key(rawValue: $0.key) == nil }
    }

    fileprivate static func json(_ names: [FavoriteName]) -> JSON {
        .array(names.map { .string($0.recorded) })
    }

    fileprivate static func names(_ json: JSON) -> [FavoriteName] {
        json.elements.compactMap { element in
            element.string.flatMap { FavoriteName(recorded: $0) }
        }
    }
}

extension Favorite.LostNames {
    fileprivate var json: JSON {
        ["names": Favorite.json(names.sorted()), "since_uptime": since.json]
    }

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
