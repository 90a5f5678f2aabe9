package import APOD
internal import FoundationEssentials
package import JSON

/// The record of a day as JSON, the contents of its file; keys that this program does not know are preserved.
///
/// RecordPartsJSON has the objects in it. What is read is checked: an invalid value is left out, or becomes the default.
extension DayRecord {
    /// The keys of ``json`` whose values are no objects; one that is missing here would be preserved as unknown.
    private static let knownKeys: Set<String> = [
        "date", "title", "explanation", "media_type", "url", "hdurl", "copyright", "credit",
        "permalink", "alt", "explanation_html",
    ]
    /// The keys whose values are objects, and the keys in those.
    private static let knownObjects: [String: Set<String>] = [
        "license": ["name", "url"],
        "picture": [
            "path", "bytes", "sha256", "type", "width", "height", "etag", "last_modified", "origin",
            "reduced", "mirror", "kept_instead_of", "removed",
        ],
        "video": [
            "url", "path", "bytes", "sha256", "etag", "last_modified", "removed", "page",
        ],
        "no_picture": ["reason", "since", "page"],
        "source": ["feed", "route", "fetched", "revision", "modified", "problems"],
    ]

    /// The contents of the record's file.
    package var json: JSON {
        let known: JSON = [
            "date": .string("\(entry.day)"),
            "title": .string(entry.title),
            "explanation": .string(entry.explanation),
            "media_type": .string(entry.mediaType),
            "url": entry.url.map(JSON.string),
            "hdurl": entry.hdurl.map(JSON.string),
            "copyright": entry.copyright.map(JSON.string),
            "credit": entry.credit.map(JSON.string),
            "license": entry.license.map { ["name": .string($0.name), "url": .string($0.url)] },
            "permalink": entry.permalink.map(JSON.string),
            "alt": entry.alt.map(JSON.string),
            "explanation_html": entry.explanationHTML.map(JSON.string),
            "picture": picture?.json,
            "video": video?.json,
            "no_picture": noPicture?.json,
            "source": [
                "feed": .string(feed?.rawValue ?? ""),
                "route": route == .api ? nil : .string(route.rawValue),
                "fetched": .string(fetched.timestamp),
                "revision": .integer(revision), "modified": modified.map(JSON.string),
                "problems": entry.problems.map(JSON.string),
            ],
        ]
        return .object(Self.adding(unknown, to: known.members))
    }

    /// Adds unknown keys, but not those of a known object that the record no longer has, such as the picture of a
    /// day that has none any more: they were about that.
    private static func adding(_ unknown: [JSON.Member], to members: [JSON.Member]) -> [JSON.Member]
    {
        var members = members
        for member in unknown {
            if let index = members.firstIndex(where: { $0.key == member.key }) {
                members[index].value = .object(members[index].value.members + member.value.members)
            } else if knownObjects[member.key] == nil {
                members.append(member)
            }
        }
        return members
    }

    /// Reads the contents of a file; `nil` if they are not a record of `day`.
    package init?(_ bytes: [UInt8], of day: Day) {
        guard let json = try? JSON(parsing: bytes) else { return nil }
        self.init(json, of: day)
    }

    /// Reads a record; `nil` if `json` is not one of `day`.
    package init?(_ json: JSON, of day: Day) {
        self.init(json)
        if entry.day != day { return nil }
    }

    /// Reads a record; `nil` if `json` is not one.
    package init?(_ json: JSON) {
        guard let entry = EntryText(json), let source = json["source"],
            let fetched = source["fetched"]?.date
        else { return nil }
        self.entry = entry
        picture = json["picture"].flatMap { PictureRecord($0, of: entry.day) }
        video = json["video"].flatMap { VideoRecord($0, of: entry.day) }
        noPicture =
            picture == nil ? json["no_picture"].flatMap { NoPictureRecord($0, of: entry.day) } : nil
        feed = source["feed"]?.string.flatMap(FeedKind.init)
        route = source["route"]?.string.flatMap(Route.init) ?? .api
        self.fetched = fetched
        revision = max(source["revision"]?.integer ?? 1, 1)
        modified = source["modified"]?.string?.nonEmpty
        unknown = Self.unknownKeys(of: json)
    }

    /// The keys, such as `picture.sha256`, where `json` breaks the rules for a record of `day`; at most ten.
    ///
    /// Reading or writing a record drops or changes invalid values. So `json` is read, written again, and compared: it
    /// breaks a rule where the two differ. If `json` is no record at all, a sentence says so.
    package static func violations(of json: JSON, day: Day) -> [String] {
        guard let record = DayRecord(json, of: day) else { return ["not a record of \(day)"] }
        var keys = differences(of: json, from: record.json)
        // A day without a picture or video file needs a reason.
        let needsReason = record.picture == nil && record.video?.path == nil
        if needsReason, record.noPicture == nil, !keys.contains("no_picture") {
            keys.append("no_picture")
        }
        return Array(keys.prefix(10))
    }

    /// The keys whose values differ in two records, those of objects after the key of the object.
    private static func differences(of found: JSON, from written: JSON) -> [String] {
        let keys = Set((found.members + written.members).map(\.key))
        return keys.sorted().flatMap { key -> [String] in
            switch (found[key], written[key]) {
            case (let value, let other) where value == other: []
            case (.object(let members), .object(let others)):
                differences(of: .object(members), from: .object(others)).map { "\(key).\($0)" }
            default: [key]
            }
        }
    }

    /// The members of a record that this program does not know; those in a known object are in an object of its name.
    static func unknownKeys(of json: JSON) -> [JSON.Member] {
        json.members.compactMap { member in
            guard let known = knownObjects[member.key] else {
                return knownKeys.contains(member.key) ? nil : member
            }
            let unknown = member.value.members.filter { !known.contains($0.key) }
            return unknown.isEmpty ? nil : .init(key: member.key, value: .object(unknown))
        }
    }
}
