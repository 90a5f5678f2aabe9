package import APOD
internal import FoundationEssentials
package import JSON
internal import MediaFormat

/// How the record of a day is written as JSON, and read from it.
///
/// A person may have edited the file. So each value that is read is checked, and an invalid one is left out or replaced by a
/// default. Unknown keys are preserved. The extensions below are for the objects in the record, such as `picture`.
extension DayRecord {
    /// The keys of a record, in the order of the file.
    fileprivate enum Key: String, CaseIterable {
        case date, title, explanation
        case mediaType = "media_type"
        case url, hdurl, copyright, credit, license, permalink, alt
        case explanationHTML = "explanation_html"
        case picture, video
        case noPicture = "no_picture"
        case source
    }

    fileprivate enum SourceKey: String, CaseIterable {
        case feed, route, fetched, revision, modified, problems
    }

    /// The keys that are known: any other key counts as that of a person.
    private static let knownKeys = Key.names
    /// The keys whose values are objects, with the known keys in each of these objects.
    private static let knownObjects: [String: Set<String>] = [
        Key.license.rawValue: License.Key.names,
        Key.picture.rawValue: PictureRecord.Key.names,
        Key.video.rawValue: VideoRecord.Key.names,
        Key.noPicture.rawValue: NoPictureRecord.Key.names,
        Key.source.rawValue: SourceKey.names,
    ]

    package var json: JSON {
        let known = JSON([
            Key.date: .string("\(entry.day)"), .title: .string(entry.title),
            .explanation: .string(entry.explanation), .mediaType: .string(entry.mediaType),
            .url: .text(entry.url), .hdurl: .text(entry.hdurl),
            .copyright: .text(entry.copyright), .credit: .text(entry.credit),
            .license: entry.license?.json,
            .permalink: .text(entry.permalink), .alt: .text(entry.alt),
            .explanationHTML: .text(entry.explanationHTML),
            .picture: picture?.json, .video: video?.json, .noPicture: noPicture?.json,
            .source: sourceJSON,
        ])
        return .object(Self.adding(unknown, to: known.members))
    }

    private var sourceJSON: JSON {
        JSON([
            SourceKey.feed: .string(feed?.rawValue ?? ""),
            .route: route == .api ? nil : .string(route.rawValue),
            .fetched: .string(lastChanged.timestamp), .revision: .integer(revision),
            .modified: .text(modified), .problems: .text(entry.problems),
        ])
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
            let source = json[Key.source],
            let lastChanged = source[SourceKey.fetched]?.date
        else { return nil }
        self.entry = entry
        picture = json[Key.picture].flatMap { PictureRecord($0, of: entry.day) }
        video = json[Key.video].flatMap { VideoRecord($0, of: entry.day) }
        if picture == nil {
            noPicture = json[Key.noPicture].flatMap { NoPictureRecord($0, of: entry.day) }
        }
        feed = source[SourceKey.feed]?.string.flatMap(FeedKind.init)
        route = source[SourceKey.route]?.string.flatMap(Route.init) ?? .api
        self.lastChanged = lastChanged
        revision = max(source[SourceKey.revision]?.integer ?? 1, 1)
        modified = source[SourceKey.modified]?.string?.nonEmpty
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
}

// MARK: The objects in a record

// An invalid value that is optional is left out. If a necessary value is invalid, the whole object is left out.

extension EntryText {
    fileprivate init?(_ json: JSON) {
        typealias Key = DayRecord.Key
        guard let day = json[Key.date]?.day, let title = json[Key.title]?.string,
            let explanation = json[Key.explanation]?.string
        else { return nil }
        self.day = day
        self.title = title
        self.explanation = explanation
        mediaType = json[Key.mediaType]?.string ?? "other"
        url = json[Key.url]?.string
        hdurl = json[Key.hdurl]?.string
        copyright = json[Key.copyright]?.string
        credit = json[Key.credit]?.string
        license = json[Key.license].flatMap(License.init)
        permalink = json[Key.permalink]?.string
        alt = json[Key.alt]?.string
        explanationHTML = json[Key.explanationHTML]?.string
        problems = json[Key.source]?[DayRecord.SourceKey.problems]?.string
        normalize()
    }
}

extension License {
    fileprivate enum Key: String, CaseIterable { case name, url }

    fileprivate var json: JSON { JSON([Key.name: .string(name), .url: .string(url)]) }

    fileprivate init?(_ json: JSON) {
        guard let name = json[Key.name]?.string, let url = json[Key.url]?.string
        else { return nil }
        self.init(name: name, url: url)
    }
}

extension PictureRecord {
    fileprivate enum Key: String, CaseIterable {
        case path, bytes, sha256, type, width, height, etag
        case lastModified = "last_modified"
        case origin, reduced, mirror
        case keptInsteadOf = "kept_instead_of"
        case removed
    }

    fileprivate var json: JSON {
        JSON([
            Key.path: .string(file.path), .bytes: .integer(file.bytes), .sha256: file.hashJSON,
            .type: .string(type?.rawValue ?? ""),
            .width: .integer(width), .height: .integer(height),
            .etag: .text(version.etag), .lastModified: .text(version.lastModified),
            .origin: .string(origin), .reduced: isReduced ? true : nil,
            .mirror: .text(mirror), .keptInsteadOf: .text(keptInsteadOf),
            .removed: .time(file.removed),
        ])
    }

    fileprivate init?(_ json: JSON, of day: Day) {
        guard let file = RecordedFile(json, of: day, isPicture: true) else { return nil }
        self.file = file
        let type = json[Key.type]?.string.flatMap(MediaType.init(rawValue:))
        self.type = type?.isPicture == true ? type : nil
        width = json[Key.width]?.count ?? 0
        height = json[Key.height]?.count ?? 0
        version = ServedVersion(
            etag: json[Key.etag]?.string, lastModified: json[Key.lastModified]?.string)
        origin = json[Key.origin]?.string ?? ""
        isReduced = json[Key.reduced]?.bool ?? false
        mirror = json[Key.mirror]?.string?.webAddress
        keptInsteadOf = json[Key.keptInsteadOf]?.string?.webAddress
    }
}

extension VideoRecord {
    fileprivate enum Key: String, CaseIterable {
        case url, path, bytes, sha256, etag
        case lastModified = "last_modified"
        case removed, page
    }

    fileprivate var json: JSON {
        JSON([
            Key.url: .string(url), .path: .text(file?.path),
            .bytes: file.map { .integer($0.bytes) }, .sha256: file?.hashJSON,
            .etag: .text(version.etag), .lastModified: .text(version.lastModified),
            .removed: .time(file?.removed), .page: .text(page),
        ])
    }

    fileprivate init?(_ json: JSON, of day: Day) {
        guard let url = json[Key.url]?.string?.webAddress else { return nil }
        self.url = url
        page = json[Key.page]?.page(of: day)
        file = RecordedFile(json, of: day, isPicture: false)
        // Without a file, there is no version of it.
        guard file != nil else { return }
        version = ServedVersion(
            etag: json[Key.etag]?.string, lastModified: json[Key.lastModified]?.string)
    }
}

extension RecordedFile {
    /// The hash; `nil` if it is malformed, because a person has edited the record.
    fileprivate var hashJSON: JSON? { sha256.isSHA256 ? .string(sha256) : nil }

    /// Reads the file of a picture or of a video, which have the same keys; `nil` if the path has no extension of such a file.
    fileprivate init?(_ json: JSON, of day: Day, isPicture: Bool) {
        typealias Key = PictureRecord.Key
        guard let path = json[Key.path]?.path(of: day),
            MediaType(ofName: path)?.isPicture == isPicture,
            let bytes = json[Key.bytes]?.integer, bytes > 0,
            let sha256 = json[Key.sha256]?.string
        else { return nil }
        self.init(path: path, bytes: bytes, sha256: sha256, removed: json[Key.removed]?.date)
    }
}

extension NoPictureRecord {
    fileprivate enum Key: String, CaseIterable { case reason, since, page }

    fileprivate var json: JSON {
        JSON([
            Key.reason: .string(reason), .since: .string(since.timestamp), .page: .text(page),
        ])
    }

    fileprivate init?(_ json: JSON, of day: Day) {
        guard let reason = json[Key.reason]?.string?.nonEmpty,
            let since = json[Key.since]?.date
        else { return nil }
        self.init(
            reason: reason.cut(to: TextLimit.line), since: since,
            page: json[Key.page]?.page(of: day))
    }
}

extension JSON {
    /// Makes an object; members whose value is `nil` are omitted.
    fileprivate init<Key: RawRepresentable<String>>(_ members: KeyValuePairs<Key, JSON?>) {
        self = .object(
            members.compactMap { key, value in
                value.map { Member(key: key.rawValue, value: $0) }
            })
    }

    fileprivate subscript(key: some RawRepresentable<String>) -> JSON? { self[key.rawValue] }

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

extension CaseIterable where Self: RawRepresentable<String> {
    fileprivate static var names: Set<String> { Set(allCases.map(\.rawValue)) }
}
