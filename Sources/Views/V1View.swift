internal import APOD
internal import JSON
internal import Mirror
internal import Platform

/// `v1/`: a JSON file for each of the newest days and favorites, in the format of the answers of NASA's old API, v1.
///
/// If a web server serves these files, programs for the old API can use the mirror.
package struct V1View: View {
    package static let title = "the files in v1/"
    /// The view is also updated while the favorites cannot be read: it then makes the documents of the newest days, and removes
    /// none.
    package static let showsFavorites = false
    private static let folder = "v1"
    /// The path of the document of the newest day with a picture.
    private static let newestDocument = "\(folder)/apod.json"
    /// The default of ``newestDayCount`` if there is a base URL, because a mirror with a base URL is on a web server.
    private static let defaultDayCount = 400

    /// The number of newest days that have a file; if it is 0, favorites have none either.
    private let newestDayCount: Int
    private let baseURL: String?

    package init(_ settings: ViewSettings) {
        baseURL = settings.baseURL
        newestDayCount = settings.v1Days ?? (baseURL == nil ? 0 : Self.defaultDayCount)
    }

    package func update(_ input: ViewInput) async throws -> ViewOutcome {
        var outcome = ViewOutcome()
        let days = daysWithDocument(in: input)
        let files = input.files(of: .v1)
        guard try files.mayUse(folder: Self.folder, for: days.map { Self.name(of: $0.day) }) else {
            // A user's own directory is no problem if there is nothing to write.
            if !days.isEmpty { outcome.addObstruction(by: Self.folder, in: input.root) }
            return outcome
        }
        if !days.isEmpty { outcome.addUnlistedDays(of: input.snapshot, from: .first) }
        let wanted = Set(days.map(\.day))
        let obsolete = try Self.daysWithFile(in: input.root).filter { day in
            // The file of a day that cannot be listed stays, because the day may be wanted.
            !wanted.contains(day) && input.snapshot.readError(of: day) == nil
                && input.favoritesError == nil
        }
        // A user's own files stay, and are no problem.
        outcome.addWithoutObstructions(try files.remove(obsolete.sorted().map(Self.path(of:))))
        var records = input.recordReader
        for month in days.months {
            try Task.checkCancellation()
            let outdated = try outdatedDocuments(of: month, input, files, &records)
            outcome.add(try files.publish(outdated), in: input.root)
            await Task.yield()
        }
        outcome.addReadErrors(of: records, consequence: "what was made of it before stays")
        try updateNewest(input, files, &outcome)
        try input.removeFolder(Self.folder, ifEmptiedBy: outcome)
        return outcome
    }

    private static func path(of day: Day) -> String { "\(folder)/\(name(of: day))" }
    private static func name(of day: Day) -> String { "\(day).json" }

    /// The days of the files in `v1/`, some of which may be a user's.
    private static func daysWithFile(in root: Directory) throws(SystemError) -> [Day] {
        try root.textNames(in: folder).compactMap { name in
            guard let day = FileName.day(of: name), self.name(of: day) == name else { return nil }
            return day
        }
    }

    /// New versions of the documents of `days` that may be outdated, except of those whose record cannot be read.
    private func outdatedDocuments(
        of days: ArraySlice<TreeSnapshot.DayFiles>, _ input: ViewInput, _ files: ViewFiles,
        _ records: inout RecordReader
    ) throws(SystemError) -> [ViewFiles.File] {
        var documents: [ViewFiles.File] = []
        for dayFiles in days {
            let path = Self.path(of: dayFiles.day)
            var inputs = InputDigest()
            inputs.add(baseURL ?? "")
            inputs.add(input.renditions.contains(dayFiles.day) ? 1 : 0)
            inputs.add(dayFiles.record)
            inputs.addFilesInPictures(of: dayFiles)
            guard try records.read(dayFiles.day, files.isCurrent(path, from: inputs)) == false,
                let record = try records.record(of: dayFiles.day)
            else { continue }
            let entry = V1Entry(record, dayFiles, in: input, baseURL: baseURL)
            documents.append(ViewFiles.File(path: path, bytes: entry.document, inputs: inputs))
        }
        return documents
    }

    /// The days that are to have a document, in ascending order: the newest days and the favorites.
    private func daysWithDocument(in input: ViewInput) -> [TreeSnapshot.DayFiles] {
        let newest = input.recordedDays.prefix(newestDayCount)
        guard let latest = newest.first, let earliest = newest.last else { return [] }
        return input.snapshot.days.filter { files in
            files.record != nil && input.snapshot.readError(of: files.day) == nil
                && (earliest...latest ~= files.day || input.favorites.contains(files.day))
        }
    }

    /// Updates `apod.json`: the document of the newest day with a picture, because many programs cannot show a video.
    private func updateNewest(
        _ input: ViewInput, _ files: ViewFiles, _ outcome: inout ViewOutcome
    ) throws {
        var records = input.newestRecords
        while newestDayCount > 0, let record = try records.next() {
            guard let dayFiles = input.snapshot[record.entry.day] else { continue }
            let entry = V1Entry(record, dayFiles, in: input, baseURL: baseURL)
            guard entry.hasPicture else { continue }
            let document = ViewFiles.File(path: Self.newestDocument, bytes: entry.document)
            return outcome.add(try files.publish([document]), in: input.root)
        }
        outcome.addWithoutObstructions(try files.remove([Self.newestDocument]))
    }
}

/// A day in the format of NASA's API v1: the keys are sorted, as `jsonify` in nasa/apod-api does, and the texts are plain.
struct V1Entry {
    private let entry: EntryText
    private let isVideo: Bool
    /// The address of the picture in the mirror; `nil` if it is not there: the document then has NASA's address.
    private let picture: String?
    /// The address of the video in the mirror; `nil` if it is not there.
    private let video: String?
    /// The address of the ``Rendition``, a smaller copy of a large picture; `nil` if there is none.
    private let rendition: String?

    /// Without a `baseURL`, addresses are relative to the document.
    init(
        _ record: DayRecord, _ files: TreeSnapshot.DayFiles, in input: ViewInput, baseURL: String?
    ) {
        func address(of path: String) -> String { (baseURL ?? "../") + path.percentEncodedPath }
        func addressIfThere(_ path: String?) -> String? {
            guard let path, !input.store.tree.hasLost(path, listedIn: files) else { return nil }
            return address(of: path)
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
