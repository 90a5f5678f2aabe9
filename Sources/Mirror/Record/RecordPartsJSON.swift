internal import APOD
internal import JSON
internal import MediaFormat

// The objects in the record of a day as JSON, as DayRecordJSON reads and writes it: its texts, picture and video. An optional
// value that is invalid is left out; one without which the object is useless makes the object `nil`.

extension JSON {
    /// This path, if it is in the pictures of `day` and `isAccepted`; any other may lead to a user's file.
    fileprivate func path(of day: Day, where isAccepted: (String) -> Bool) -> String? {
        string.flatMap { Layout.isPath($0, inPicturesOf: day) && isAccepted($0) ? $0 : nil }
    }

    fileprivate func page(of day: Day) -> String? { path(of: day) { $0.hasSuffix(".html") } }
}

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
    /// The members of the file and those of the picture are one object.
    var json: JSON {
        [
            "path": .string(file.path), "bytes": .integer(file.bytes), "sha256": file.hashJSON,
            "type": .string(type?.rawValue ?? ""), "width": .integer(width),
            "height": .integer(height),
            "etag": etag.map(JSON.string), "last_modified": lastModified.map(JSON.string),
            "origin": .string(origin), "reduced": isReduced ? true : nil,
            "mirror": mirror.map(JSON.string),
            "kept_instead_of": keptInsteadOf.map(JSON.string),
            "removed": file.removed.map { .string($0.timestamp) },
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
            "url": .string(url), "path": (file?.path).map(JSON.string),
            "bytes": (file?.bytes).map(JSON.integer), "sha256": file?.hashJSON,
            "etag": etag.map(JSON.string), "last_modified": lastModified.map(JSON.string),
            "removed": (file?.removed).map { .string($0.timestamp) },
            "page": page.map(JSON.string),
        ]
    }

    init?(_ json: JSON, of day: Day) {
        guard let url = json["url"]?.string?.webAddress else { return nil }
        self.url = url
        page = json["page"]?.page(of: day)
        file = RecordedFile(json, of: day, isPicture: false)
        // Most videos are only an address, which has no version.
        guard file != nil else { return }
        etag = json["etag"]?.string
        lastModified = json["last_modified"]?.string
    }
}

extension RecordedFile {
    /// `nil` for a text that is no SHA-256, as in a record that a person edited.
    fileprivate var hashJSON: JSON? { sha256.isSHA256 ? .string(sha256) : nil }

    /// Reads the file of a picture or a video; its path must have such an extension.
    fileprivate init?(_ json: JSON, of day: Day, isPicture: Bool) {
        guard
            let path = json["path"]?.path(
                of: day, where: { MediaType(ofName: $0)?.isPicture == isPicture }),
            let bytes = json["bytes"]?.integer, bytes > 0,
            let sha256 = json["sha256"]?.string
        else { return nil }
        self.init(path: path, bytes: bytes, sha256: sha256, removed: json["removed"]?.date)
    }
}

extension NoPictureRecord {
    var json: JSON {
        [
            "reason": .string(reason), "since": .string(since.timestamp),
            "page": page.map(JSON.string),
        ]
    }

    init?(_ json: JSON, of day: Day) {
        guard let reason = json["reason"]?.string?.nonEmpty, let since = json["since"]?.date
        else { return nil }
        self.init(
            reason: reason.cut(to: TextLimit.line), since: since,
            page: json["page"]?.page(of: day))
    }
}
