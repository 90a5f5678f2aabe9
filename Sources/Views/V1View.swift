internal import APOD
internal import JSON
internal import Mirror
internal import Platform

/// `v1/`: a JSON file for each day, as NASA's API v1 answered, for programs that show one day.
///
/// A web server that serves these files answers as the API did.
package struct V1View: View {
    package static let title = "the files in v1/"
    private static let folder = "v1"
    /// The document of the newest day.
    private static let newest = "\(folder)/apod.json"
    /// The number of days if there is a base URL, which tells that there is a web server for such programs.
    private static let standardCount = 400

    /// The number of newest days that have a file; with 0, favorites have none either.
    private let count: Int
    private let baseURL: String?

    package init(_ settings: ViewSettings) {
        baseURL = settings.baseURL
        count = settings.v1Days ?? (baseURL == nil ? 0 : Self.standardCount)
    }

    package func update(_ input: ViewInput) async throws -> ViewOutcome {
        var outcome = ViewOutcome()
        let days = days(in: input)
        let files = input.files(of: .v1)
        guard try files.mayUse(folder: Self.folder, for: days.map { Self.name(of: $0.day) }) else {
            // A user's own directory is no problem if there is nothing to write.
            if !days.isEmpty { outcome.addObstruction(by: Self.folder, in: input.root) }
            return outcome
        }
        if !days.isEmpty { outcome.addHiddenDays(of: input.snapshot, from: .first) }
        // Files of other days that a user put there stay, and are no problem.
        let wanted = Set(days.map(\.day))
        let others = try Self.daysWithFile(in: input.root).filter { day in
            // The files of days that cannot be listed must not be removed.
            !wanted.contains(day) && input.snapshot.readError(of: day) == nil
        }
        outcome.addChanges(try files.remove(others.sorted().map(Self.document)))
        var records = input.records
        for month in days.months {
            try Task.checkCancellation()
            let changed = try documents(of: month, input, files, &records)
            outcome.add(try files.publish(changed), in: input.root)
            await Task.yield()
        }
        outcome.addUnreadable(records, "what was made of it before stays")
        try updateNewest(input, files, &outcome)
        try input.removeIfEmptied(Self.folder, by: outcome)
        return outcome
    }

    static func document(of day: Day) -> String { "\(folder)/\(name(of: day))" }
    private static func name(of day: Day) -> String { "\(day).json" }

    /// The days of the files in `v1/`, some of which may be a user's.
    private static func daysWithFile(in root: Directory) throws(SystemError) -> [Day] {
        try root.textNames(in: folder).compactMap { name in
            FileName.day(of: name).flatMap { self.name(of: $0) == name ? $0 : nil }
        }
    }

    /// The documents of `days` that may be outdated; one whose record is damaged or cannot be read stays.
    private func documents(
        of days: ArraySlice<TreeSnapshot.DayFiles>, _ input: ViewInput, _ files: ViewFiles,
        _ records: inout RecordIterator
    ) throws(SystemError) -> [ViewFiles.File] {
        var documents: [ViewFiles.File] = []
        for dayFiles in days {
            let path = Self.document(of: dayFiles.day)
            var inputs = InputDigest()
            inputs.add(baseURL ?? "")
            inputs.add(input.renditions.contains(dayFiles.day) ? 1 : 0)
            inputs.add(dayFiles.record)
            inputs.addMedia(of: dayFiles)
            guard try !files.isCurrent(path, from: inputs),
                let record = try records.record(of: dayFiles.day)
            else { continue }
            let entry = V1Entry(record, dayFiles, in: input, baseURL: baseURL)
            documents.append(ViewFiles.File(path: path, bytes: entry.document, inputs: inputs))
        }
        return documents
    }

    /// The days that have a file, in ascending order: the newest ones and the favorites.
    private func days(in input: ViewInput) -> [TreeSnapshot.DayFiles] {
        let newest = input.recordedDays.prefix(count)
        guard let latest = newest.first, let earliest = newest.last else { return [] }
        return input.snapshot.days.filter { files in
            files.record != nil && input.snapshot.readError(of: files.day) == nil
                && (earliest...latest ~= files.day || input.favorites.contains(files.day))
        }
    }

    /// Updates `apod.json`, the document of the newest day with a picture, because many programs cannot show a video.
    private func updateNewest(
        _ input: ViewInput, _ files: ViewFiles, _ outcome: inout ViewOutcome
    ) throws {
        var records = input.newestRecords
        while count > 0, let record = try records.next() {
            guard let dayFiles = input.snapshot[record.entry.day] else { continue }
            let entry = V1Entry(record, dayFiles, in: input, baseURL: baseURL)
            guard entry.hasPicture else { continue }
            let document = ViewFiles.File(path: Self.newest, bytes: entry.document)
            return outcome.add(try files.publish([document]), in: input.root)
        }
        outcome.addChanges(try files.remove([Self.newest]))
    }
}

/// A day as NASA's API v1 answered it: `jsonify` in nasa/apod-api sorted the keys, and the texts are plain.
struct V1Entry {
    private let entry: EntryText
    private let isVideo: Bool
    /// The address of the file in the mirror; `nil` if it is not there, and then NASA's address is used.
    private let picture: String?
    private let video: String?
    /// The address of the ``Rendition`` of the picture, which the gallery shows.
    private let rendition: String?

    /// Without a `baseURL`, addresses are relative to the file.
    init(
        _ record: DayRecord, _ files: TreeSnapshot.DayFiles, in input: ViewInput, baseURL: String?
    ) {
        func address(of path: String) -> String { (baseURL ?? "../") + path.percentEncodedPath }
        func addressIfThere(_ path: String?) -> String? {
            files.media.contains { $0.path == path } ? path.map(address) : nil
        }
        entry = record.entry
        isVideo = record.video != nil
        picture = addressIfThere(record.picture?.path)
        video = addressIfThere(record.video?.path)
        rendition =
            picture != nil && input.renditions.contains(files.day)
            ? address(of: Rendition.path(of: files.day)) : nil
    }

    var hasPicture: Bool { picture != nil }

    var document: [UInt8] {
        let isImage = !isVideo && (hasPicture || entry.mediaType == "image")
        let mediaType: JSON = if isVideo { "video" } else if isImage { "image" } else { "other" }
        let shown = rendition ?? picture
        let original = isImage ? picture ?? entry.hdurl : nil
        let json: JSON = [
            "copyright": entry.copyright.map(JSON.string),
            "date": .string("\(entry.day)"),
            "explanation": .string(entry.explanation),
            "hdurl": original.map(JSON.string),
            "media_type": mediaType,
            "service_version": "v1",
            "thumbnail_url": (isVideo ? shown : nil).map(JSON.string),
            "title": .string(entry.title),
            "url": ((isVideo ? video : shown) ?? entry.url).map(JSON.string),
        ]
        return json.document
    }
}
