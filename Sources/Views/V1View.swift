internal import APOD
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
        var update = V1Update(
            input: input, files: input.files(of: .v1), newestDayCount: newestDayCount,
            baseURL: baseURL)
        try await update.run()
        return update.outcome
    }
}

/// One update of ``V1View``.
private struct V1Update {
    private static let folder = "v1"
    /// The path of the document of the newest day with a picture.
    private static let newestDocument = "\(folder)/apod.json"

    let input: ViewInput
    let files: ViewFiles
    let newestDayCount: Int
    let baseURL: String?
    private(set) var outcome = ViewOutcome()

    mutating func run() async throws {
        let days = daysWithDocument
        guard try files.mayUse(folder: Self.folder, for: days.map { Self.name(of: $0.day) }) else {
            // A user's own directory is no problem if there is nothing to write.
            if !days.isEmpty { outcome.addObstruction(by: Self.folder, in: input.root) }
            return
        }
        if !days.isEmpty { outcome.addUnlistedDays(of: input.snapshot, from: .first) }
        try removeDocuments(except: Set(days.map(\.day)))
        try await makeDocuments(of: days)
        try updateNewestDocument()
        try input.removeFolder(Self.folder, ifEmptiedBy: outcome)
    }

    private static func path(of day: Day) -> String { "\(folder)/\(name(of: day))" }
    private static func name(of day: Day) -> String { "\(day).json" }

    /// The days that are to have a document, in ascending order: the newest days and the favorites.
    private var daysWithDocument: [TreeSnapshot.DayFiles] {
        let newest = input.recordedDays.prefix(newestDayCount)
        guard let latest = newest.first, let earliest = newest.last else { return [] }
        return input.snapshot.days.filter { files in
            files.record != nil && input.snapshot.readError(of: files.day) == nil
                && (earliest...latest ~= files.day || input.favorites.contains(files.day))
        }
    }

    /// Removes the documents of all days but those of `wanted`; a user's own files stay, and are no problem.
    private mutating func removeDocuments(except wanted: Set<Day>) throws(SystemError) {
        let days = try input.root.textNames(in: Self.folder).compactMap { name in
            FileName.day(of: name).flatMap { Self.name(of: $0) == name ? $0 : nil }
        }
        // A document stays if its day cannot be listed or may be a favorite, because the day may be wanted.
        let obsolete = days.filter { day in
            !wanted.contains(day) && input.snapshot.readError(of: day) == nil
                && input.favoritesError == nil
        }
        outcome.addWithoutObstructions(try files.remove(obsolete.sorted().map(Self.path(of:))))
    }

    /// Makes the documents of `days` that may be outdated, except of those whose record cannot be read.
    private mutating func makeDocuments(of days: [TreeSnapshot.DayFiles]) async throws {
        var records = input.recordReader
        for month in days.months {
            try Task.checkCancellation()
            var documents: [ViewFiles.File] = []
            for dayFiles in month {
                if let document = try outdatedDocument(of: dayFiles, readingBy: &records) {
                    documents.append(document)
                }
            }
            outcome.add(try files.publish(documents), in: input.root)
            await Task.yield()
        }
        outcome.addReadErrors(of: records, consequence: "what was made of it before stays")
    }

    /// The new version of the document of a day; `nil` if the present one is current, or if `records` cannot read the day.
    private func outdatedDocument(
        of dayFiles: TreeSnapshot.DayFiles, readingBy records: inout RecordReader
    ) throws(SystemError) -> ViewFiles.File? {
        let path = Self.path(of: dayFiles.day)
        var inputs = InputDigest()
        inputs.add(baseURL ?? "")
        inputs.add(input.renditions.contains(dayFiles.day) ? 1 : 0)
        inputs.add(dayFiles.record)
        inputs.addFilesInPictures(of: dayFiles)
        guard try records.read(dayFiles.day, files.isCurrent(path, from: inputs)) == false,
            let record = try records.record(of: dayFiles.day)
        else { return nil }
        let entry = V1Entry(record, dayFiles, in: input, baseURL: baseURL)
        return ViewFiles.File(path: path, bytes: entry.document, inputs: inputs)
    }

    /// Updates `apod.json`: the document of the newest day with a picture, because many programs cannot show a video.
    private mutating func updateNewestDocument() throws {
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
