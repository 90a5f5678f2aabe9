internal import APOD
internal import FoundationEssentials
package import JSON
internal import Mirror
internal import Platform

/// The JSON of the record of a favorite: `date, title, added, names, via`, and these, which few favorites have.
///
/// - `names_bytes`: the names that are no UTF-8, with `%E9` escapes; in `names` they have U+FFFD instead.
/// - `missing_since`, `missing_since_uptime`: when the last item was gone, by the date and by a steady clock.
/// - `held`: `true` if all items are gone, which may be an accident: a command restores or removes the favorite.
/// - `files`: the pictures in `favorites/`, by which a scan recognizes them without reading, see ``KnownFile``.
///
/// `via` is a ``ReferenceKind``. Members that are unknown here stay in a record; a `nil` member is omitted.
extension Favorite {
    private static let knownKeys = [
        "date", "title", "added", "names", "names_bytes", "via", "missing_since",
        "missing_since_uptime", "held", "edited", "files",
    ]

    package var json: JSON {
        let json: JSON = [
            "date": .string("\(day)"),
            "title": title.map(JSON.string),
            "added": .string(added.timestamp),
            "names": .array(names.map { .string($0.text) }),
            "names_bytes": Self.escapedNames(of: names),
            "via": .string(kind.rawValue),
            "missing_since": missingSince.map { .string($0.timestamp) },
            "missing_since_uptime": missingSinceUptime?.json,
            "held": isHeld ? true : nil,
            "files": files.isEmpty ? nil : .array(files.map(\.json)),
        ]
        return .object(json.members + unknownMembers)
    }

    /// Reads a record; `nil` if it has no `date`, `added` or `names`.
    package init?(_ json: JSON) {
        guard let day = json["date"]?.day, let added = json["added"]?.date,
            let names = Self.names(json)
        else { return nil }
        self.init(
            day: day, added: added, names: names,
            // In place of an unknown kind, the next scan writes the one that it finds.
            kind: json["via"]?.string.flatMap(ReferenceKind.init(rawValue:)) ?? .link,
            isHeld: json["held"]?.bool ?? false)
        title = json["title"]?.string
        missingSince = json["missing_since"]?.date
        missingSinceUptime = json["missing_since_uptime"].flatMap(Uptime.init)
        // Older versions had edited pictures only, as `edited`. Where none can be decoded, the file is read again.
        files = (json["files"] ?? json["edited"])?.elements.compactMap(KnownFile.init) ?? []
        unknownMembers = json.members.filter { !Self.knownKeys.contains($0.key) }
    }

    /// The escaped names that are no UTF-8; `nil` if there is none.
    static func escapedNames(of names: [FavoriteName]) -> JSON? {
        let escaped = names.filter { !$0.isText }.map { JSON.string($0.escaped) }
        return escaped.isEmpty ? nil : .array(escaped)
    }

    /// The valid names in a record, or in an entry of `favorites list --json`; `nil` without an array `names`.
    static func names(_ json: JSON) -> [FavoriteName]? {
        guard let texts = json["names"]?.elements else { return nil }
        var names = texts.compactMap { $0.string.flatMap { FavoriteName($0) } }
        for escaped in json["names_bytes"]?.elements ?? [] {
            guard let name = escaped.string.flatMap({ FavoriteName(escaped: $0) }) else { continue }
            // It replaces its readable form, which is in `names`.
            let index = names.firstIndex { $0.bytes.elementsEqual(name.text.utf8) }
            if let index { names.remove(at: index) }
            names.append(name)
        }
        return names.sorted()
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

extension KnownFile {
    fileprivate var json: JSON {
        [
            "bytes": .integer(size), "modified": .integer(modified), "via": .string(kind.rawValue),
            "stamp": stamp.map { .string($0) },
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let size = json["bytes"]?.count, let modified = json["modified"]?.integer else {
            return nil
        }
        let kind = json["via"]?.string.flatMap(ReferenceKind.init(rawValue:)) ?? .edited
        self.init(size: size, modified: modified, kind: kind, stamp: json["stamp"]?.string)
    }
}
