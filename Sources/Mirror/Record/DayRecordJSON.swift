package import APOD
internal import FoundationEssentials
package import JSON
internal import MediaFormat

/// How the record of a day is written as JSON, and read from it.
///
/// A person may have edited the file. So each value that is read is checked, and an invalid one is left out or replaced by a
/// default. Unknown keys are preserved. The extensions below are for the objects in the record, such as `picture`.
extension DayRecord {
    /// The keys of ``json`` whose values are not objects.
    ///
    /// A key that ``json`` writes must be here or in ``knownObjects``: any other key counts as that of a person.
    private static let knownKeys: Set<String> = [
        "date", "title", "explanation", "media_type", "url", "hdurl", "copyright", "credit",
        "permalink", "alt", "explanation_html",
    ]
    /// The keys whose values are objects, with the keys in each of these objects.
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

    package var json: JSON {
        let known: JSON = [
            "date": .string("\(entry.day)"), "title": .string(entry.title),
            "explanation": .string(entry.explanation),
            "media_type": .string(entry.mediaType),
            "url": .text(entry.url), "hdurl": .text(entry.hdurl),
            "copyright": .text(entry.copyright), "credit": .text(entry.credit),
            "license": entry.license.map { ["name": .string($0.name), "url": .string($0.url)] },
            "permalink": .text(entry.permalink), "alt": .text(entry.alt),
            "explanation_html": .text(entry.explanationHTML),
            "picture": picture?.json,
            "video": video?.json,
            "no_picture": noPicture?.json,
            "source": [
                "feed": .string(feed?.rawValue ?? ""),
                "route": route == .api ? nil : .string(route.rawValue),
                "fetched": .string(fetched.timestamp),
                "revision": .integer(revision), "modified": .text(modified),
                "problems": .text(entry.problems),
            ],
        ]
        return .object(Self.adding(unknown, to: known.members))
    }

    /// `members` with the unknown keys added, except for those in an object that the record has no longer, such as `video`.
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

    /// Reads `json`; `nil` if it is not a record, or not the one of `day`.
    package init?(_ json: JSON, of day: Day? = nil) {
        guard let entry = EntryText(json), day == nil || day == entry.day,
            let source = json["source"],
            let fetched = source["fetched"]?.date
        else { return nil }
        self.entry = entry
        picture = json["picture"].flatMap { PictureRecord($0, of: entry.day) }
        video = json["video"].flatMap { VideoRecord($0, of: entry.day) }
        if picture == nil {
            noPicture = json["no_picture"].flatMap { NoPictureRecord($0, of: entry.day) }
        }
        feed = source["feed"]?.string.flatMap(FeedKind.init)
        route = source["route"]?.string.flatMap(Route.init) ?? .api
        self.fetched = fetched
        revision = max(source["revision"]?.integer ?? 1, 1)
        modified = source["modified"]?.string?.nonEmpty
        unknown = Self.unknownKeys(of: json)
    }

    /// The members of a record that this program does not know, such as `note`.
    ///
    /// A known object, such as `picture`, is among them with only its unknown members.
    static func unknownKeys(of json: JSON) -> [JSON.Member] {
        json.members.compactMap { member in
            guard let known = knownObjects[member.key] else {
                return knownKeys.contains(member.key) ? nil : member
            }
            let unknown = member.value.members.filter { !known.contains($0.key) }
            return unknown.isEmpty ? nil : .init(key: member.key, value: .object(unknown))
        }
    }

    // MARK: Validation

    /// The keys, such as `picture.sha256`, whose values break the schema of records: at most ten, for people.
    ///
    /// Reading a record drops or corrects invalid values. So `json` is read, written again, and compared: a value that
    /// differs is invalid. If `json` is not a record of `day` at all, the result is one sentence, such as `not a record of …`.
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

    /// The keys whose values differ in two records, such as `title`, or `picture.sha256` in an object.
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
}

// MARK: The objects in a record

// An invalid value that is optional is left out. If a necessary value is invalid, the whole object is left out.

extension EntryText {
    init?(_ json: JSON) {
        guard let day = json["date"]?.day,
            let title = json["title"]?.string, let explanation = json["explanation"]?.string
        else { return nil }
        self.day = day
        self.title = title
        self.explanation = explanation
        mediaType = json["media_type"]?.string ?? "other"
        url = json["url"]?.string
        hdurl = json["hdurl"]?.string
        copyright = json["copyright"]?.string
        credit = json["credit"]?.string
        license = json["license"].flatMap { json in
            guard let name = json["name"]?.string, let url = json["url"]?.string else { return nil }
            return License(name: name, url: url)
        }
        permalink = json["permalink"]?.string
        alt = json["alt"]?.string
        explanationHTML = json["explanation_html"]?.string
        problems = json["source"]?["problems"]?.string
        normalize()
    }
}

extension PictureRecord {
    var json: JSON {
        [
            "path": .string(file.path), "bytes": .integer(file.bytes), "sha256": file.hashJSON,
            "type": .string(type?.rawValue ?? ""),
            "width": .integer(width), "height": .integer(height),
            "etag": .text(etag), "last_modified": .text(lastModified),
            "origin": .string(origin), "reduced": isReduced ? true : nil,
            "mirror": .text(mirror), "kept_instead_of": .text(keptInsteadOf),
            "removed": .time(file.removed),
        ]
    }

    init?(_ json: JSON, of day: Day) {
        guard let file = RecordedFile(json, of: day, isPicture: true) else { return nil }
        self.file = file
        let type = json["type"]?.string.flatMap(MediaType.init(rawValue:))
        self.type = type?.isPicture == true ? type : nil
        width = json["width"]?.count ?? 0
        height = json["height"]?.count ?? 0
        etag = json["etag"]?.string
        lastModified = json["last_modified"]?.string
        origin = json["origin"]?.string ?? ""
        isReduced = json["reduced"]?.bool ?? false
        mirror = json["mirror"]?.string?.webAddress
        keptInsteadOf = json["kept_instead_of"]?.string?.webAddress
    }
}

extension VideoRecord {
    var json: JSON {
        [
            "url": .string(url), "path": .text(file?.path),
            "bytes": file.map { .integer($0.bytes) }, "sha256": file?.hashJSON,
            "etag": .text(etag), "last_modified": .text(lastModified),
            "removed": .time(file?.removed), "page": .text(page),
        ]
    }

    init?(_ json: JSON, of day: Day) {
        guard let url = json["url"]?.string?.webAddress else { return nil }
        self.url = url
        page = json["page"]?.page(of: day)
        file = RecordedFile(json, of: day, isPicture: false)
        // Without a file, there is no version of it.
        guard file != nil else { return }
        etag = json["etag"]?.string
        lastModified = json["last_modified"]?.string
    }
}

extension RecordedFile {
    /// The hash; `nil` if it is malformed, because a person has edited the record.
    fileprivate var hashJSON: JSON? { sha256.isSHA256 ? .string(sha256) : nil }

    /// Reads the file of a picture or of a video; `nil` if the path has no extension of such a file.
    fileprivate init?(_ json: JSON, of day: Day, isPicture: Bool) {
        guard let path = json["path"]?.path(of: day),
            MediaType(ofName: path)?.isPicture == isPicture,
            let bytes = json["bytes"]?.integer, bytes > 0,
            let sha256 = json["sha256"]?.string
        else { return nil }
        self.init(path: path, bytes: bytes, sha256: sha256, removed: json["removed"]?.date)
    }
}

extension NoPictureRecord {
    var json: JSON {
        ["reason": .string(reason), "since": .string(since.timestamp), "page": .text(page)]
    }

    init?(_ json: JSON, of day: Day) {
        guard let reason = json["reason"]?.string?.nonEmpty, let since = json["since"]?.date
        else { return nil }
        self.init(
            reason: reason.cut(to: TextLimit.line), since: since,
            page: json["page"]?.page(of: day))
    }
}

extension JSON {
    fileprivate static func text(_ text: String?) -> JSON? { text.map(JSON.string) }
    fileprivate static func time(_ time: Date?) -> JSON? { text(time?.timestamp) }

    /// This path; `nil` if it is not that of a file in `pictures/` whose name begins with `day`.
    fileprivate func path(of day: Day) -> String? {
        guard let string, Layout.isPath(string, inPicturesOf: day) else { return nil }
        return string
    }

    /// This path of a redirect page; `nil` if it may be that of another file, which a person has put there.
    fileprivate func page(of day: Day) -> String? {
        guard let path = path(of: day), path.hasSuffix(".html") else { return nil }
        return path
    }
}
