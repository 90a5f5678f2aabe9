package import APOD
package import Mirror
internal import Platform
internal import Thumbnails

/// `v1/`: days as NASA's API v1 answered them, for programs that show one day; and reduced copies of their pictures.
///
/// A web server that serves these files answers as the API did.
package struct V1View: View {
    package static let title = "the files in v1/"
    package static let ownedPaths = [OwnedPath(folder, isOwn: isOwn), OwnedPath(statePath)]

    static let folder = "v1"
    private static let statePath = Layout.own + "/v1.json"
    /// The newest days that have a file if there is a base URL, which programs need.
    private static let standardCount = 400

    private let count: Int
    private let base: String?
    private let states = MonthStates(at: statePath)

    package init(_ settings: ViewSettings) {
        base = settings.baseURL
        count = settings.v1Days ?? (base == nil ? 0 : Self.standardCount)
    }

    package func update(_ input: ViewInput) async throws -> ViewOutcome {
        var outcome = ViewOutcome()
        // Days that cannot be listed are not missing.
        if let error = input.snapshot.obstacle(from: .first) { throw error }
        let (root, owned) = (input.root, Self.ownedPaths[0])
        let days = days(in: input)
        // A user's own directory is no problem where there is nothing to write.
        if days.isEmpty, try !owned.isOwn(root) { return outcome }
        guard try input.isFree(owned, &outcome) else { return outcome }
        let present = try V1Files(in: root)
        try remove(present, but: Set(days.map(\.day)), in: root, &outcome)
        let months = days.grouped(by: Month.init(of:)).map {
            V1Month(files: $0, input: input, base: base, present: present)
        }
        outcome += try await states.update(months, in: input.store)
        try updateNewest(input, &outcome)
        return outcome
    }

    /// The days that have a file, in ascending order: the newest ones, and the favorites.
    private func days(in input: ViewInput) -> [TreeSnapshot.DayFiles] {
        let newest = input.newestDays.prefix(count)
        guard let first = newest.first, let last = newest.last else { return [] }
        return input.snapshot.days.filter { files in
            files.record != nil
                && (last...first ~= files.day || input.favorites.contains(files.day))
        }
    }

    /// Brings `apod.json` up to date, the newest day that has a picture.
    private func updateNewest(_ input: ViewInput, _ outcome: inout ViewOutcome) throws {
        guard count > 0 else { return }
        var records = input.newestRecords
        while let record = try records.next() {
            guard let files = input.snapshot[record.entry.day] else { continue }
            let entry = V1Entry(record, files, base: base, in: input.root)
            guard entry.hasPicture else { continue }
            return try input.publish(entry.document, as: Self.document(Self.newest), &outcome)
        }
    }

    /// Removes the files of other days, and the directory with the last of them.
    private func remove(
        _ present: V1Files, but days: Set<Day>, in root: Directory, _ outcome: inout ViewOutcome
    ) throws(SystemError) {
        var others = present.documents.keys.filter { !days.contains($0) }.map { "\($0)" }
        if days.isEmpty { others.append(Self.newest) }
        var paths = present.pictures.keys.filter { !days.contains($0) }.map(Self.picture)
            .filter { Self.isOwnPicture($0, in: root) }
        for file in others.map(Self.document) {
            guard try root.status(file.path) != nil, try file.isOwn(root) else { continue }
            paths.append(file.path)
        }
        for path in paths.sorted() {
            try root.remove(path)
            outcome.written.append(path)
        }
        if days.isEmpty, try root.folder(Self.folder)?.names().isEmpty == true {
            try root.removeFolder(Self.folder)
        }
    }
}

// MARK: What is the mirror's

extension V1View {
    /// The name of the newest day, without its extension.
    private static let newest = "apod"
    /// What is longer is no file of the mirror.
    static let largestFile = 1 << 20

    static func document(_ name: String) -> OwnedPath {
        let path = "\(folder)/\(name).json"
        return OwnedPath(
            path,
            isOwn: { root throws(SystemError) in
                let bytes = try ifReadable(root.read(path, limit: largestFile))
                return bytes?.contains(bytes: V1Entry.mark) == true
            })
    }

    /// Whether the directory has a file of the mirror, or nothing to be seen.
    private static func isOwn(_ root: Directory) throws(SystemError) -> Bool {
        guard let all = try ifReadable(root.folder(folder)?.textNames()) else { return false }
        if try document(newest).isOwn(root) { return true }
        let present = try V1Files(in: root)
        for day in present.documents.keys where try document("\(day)").isOwn(root) { return true }
        for day in present.pictures.keys where isOwnPicture(picture(of: day), in: root) {
            return true
        }
        return all.allSatisfy { $0.hasPrefix(".") }
    }
}

// MARK: The pictures

extension V1View {
    /// The long side of a reduced copy, in pixels: about that of the pictures that NASA showed.
    package static let side = 1024
    /// The size in bytes from which a picture has one.
    private static let largePicture = 300_000

    package static func picture(of day: Day) -> String { "\(folder)/\(day).jpg" }

    static func isOwnPicture(_ path: String, in root: Directory) -> Bool {
        Thumbnails.originalSHA256(of: path, in: root) != nil
    }

    /// The days whose large pictures have no reduced copy, newest first.
    package func daysWithoutPicture(_ input: ViewInput) throws -> [Day] {
        let (root, owned) = (input.root, Self.ownedPaths[0])
        let days = days(in: input)
        guard !days.isEmpty, try root.status(owned.path) == nil || owned.isOwn(root) else {
            return []
        }
        let present = try V1Files(in: root).pictures
        return days.reversed().filter { files in
            present[files.day] == nil
                && files.pictures.contains {
                    $0.type?.hasThumbnail == true && $0.stamp.size > Self.largePicture
                }
        }.map(\.day)
    }
}
