package import APOD
internal import JSON
internal import MediaFormat
package import Mirror
internal import Platform

/// `v1/`: days as NASA's API v1 answered them, as JSON for programs that show one day; and renditions of their pictures.
///
/// A web server that serves these files answers as the API did.
package struct V1View: View {
    package static let title = "the files in v1/"
    package static let ownedPaths = [ownedFolder, OwnedPath(statePath)]
    private static let ownedFolder = OwnedPath(V1Files.folder, hasMarks: V1Files.isOwnFolder)
    private static let statePath = Layout.own + "/v1.json"
    /// The number of days if there is a base URL: a program that uses the API needs a web server.
    private static let standardCount = 400
    /// The long side of a rendition, in pixels: about that of the pictures that NASA showed.
    package static let side = 1024
    /// A picture of more bytes gets a rendition.
    private static let maximumPictureSize = 300_000

    /// The number of newest days that have a file; 0 for no file at all.
    private let count: Int
    private let baseURL: String?
    private let digests = MonthDigests(at: statePath)

    package init(_ settings: ViewSettings) {
        baseURL = settings.baseURL
        count = settings.v1Days ?? (baseURL == nil ? 0 : Self.standardCount)
    }

    package func update(_ input: ViewInput) async throws -> ViewOutcome {
        var outcome = ViewOutcome()
        // The files of days that cannot be listed must not be removed.
        if let error = input.snapshot.readError(from: .first) { throw error }
        let days = days(in: input)
        // A user's own directory is no problem where there is nothing to write.
        if days.isEmpty, try !Self.ownedFolder.isOwn(input.root) { return outcome }
        guard try input.mayWrite(Self.ownedFolder, reportingTo: &outcome) else { return outcome }
        let present = try V1Files(in: input.root)
        try removeFiles(present, except: Set(days.map(\.day)), in: input, &outcome)
        let months = days.months.map {
            V1Month(days: $0, input: input, baseURL: baseURL, present: present)
        }
        outcome += try await digests.update(months, in: input.store)
        try updateNewest(input, &outcome)
        if days.isEmpty, try input.root.folder(V1Files.folder)?.names().isEmpty == true {
            try input.root.removeFolder(V1Files.folder)
        }
        return outcome
    }

    /// The days that have a file, in ascending order: the newest ones and the favorites; none if ``count`` is 0.
    private func days(in input: ViewInput) -> [TreeSnapshot.DayFiles] {
        let newest = input.recordedDays.prefix(count)
        guard let latest = newest.first, let earliest = newest.last else { return [] }
        return input.snapshot.days.filter { files in
            files.record != nil
                && (earliest...latest ~= files.day || input.favorites.contains(files.day))
        }
    }

    /// Brings `apod.json` up to date: the newest day with a picture, as many programs cannot show a video; removes it if
    /// there is certainly none.
    ///
    /// It stays if a record that cannot be read now may be that of its day.
    private func updateNewest(_ input: ViewInput, _ outcome: inout ViewOutcome) throws {
        let owned = V1Files.document(V1Files.newest)
        var records = input.records
        while count > 0, let record = try records.next() {
            guard let files = input.snapshot[record.entry.day] else { continue }
            let entry = V1Entry(record, files, base: baseURL, in: input.root)
            guard entry.hasPicture else { continue }
            if records.hasSkipped, let shown = try dayOfNewest(in: input.root), shown > files.day {
                return
            }
            return try input.publish(entry.document, as: owned, reportingTo: &outcome)
        }
        if !records.hasSkipped { try input.remove(owned, reportingTo: &outcome) }
    }

    /// The day that the present `apod.json` shows; `nil` if it is missing, damaged or unreadable.
    private func dayOfNewest(in root: Directory) throws(SystemError) -> Day? {
        let path = V1Files.document(V1Files.newest).path
        let bytes = try ifReadable(root.read(path, limit: V1Files.largestDocument))
        return bytes.flatMap { try? JSON(parsing: $0) }?["date"]?.day
    }

    /// Removes the files in `present` of other days than `days`.
    private func removeFiles(
        _ present: V1Files, except days: Set<Day>, in input: ViewInput,
        _ outcome: inout ViewOutcome
    ) throws(SystemError) {
        for day in present.documents.keys.sorted() where !days.contains(day) {
            try input.remove(V1Files.document("\(day)"), reportingTo: &outcome)
        }
        for path in present.copies.keys.filter({ !days.contains($0) }).map(V1Files.copyPath)
        where V1Files.isOwnCopy(path, in: input.root) {
            try input.root.remove(path)
            outcome.changedPaths.append(path)
        }
    }

    /// The days whose large pictures have no rendition at ``picture(of:)``, newest first.
    package func daysWithoutPicture(_ input: ViewInput) throws -> [Day] {
        let (root, days) = (input.root, days(in: input))
        guard !days.isEmpty,
            try root.status(V1Files.folder) == nil || Self.ownedFolder.isOwn(root)
        else { return [] }
        let present = try V1Files(in: root).copies
        return days.reversed().filter { files in
            present[files.day] == nil
                && files.pictures.contains {
                    $0.type?.hasThumbnail == true && $0.stamp.size > Self.maximumPictureSize
                }
        }.map(\.day)
    }

    package static func picture(of day: Day) -> String { V1Files.copyPath(of: day) }
}
