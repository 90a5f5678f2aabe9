internal import APOD
internal import Mirror
internal import Platform

/// Brings the files of one month in `v1/` up to date, where ``V1View`` answers as NASA's API did.
///
/// Each document is replaced atomically, and only if its contents change. It names the rendition of the picture, which
/// `ThumbnailService` makes later, if that is there.
struct V1Month: MonthUpdate {
    let days: ArraySlice<TreeSnapshot.DayFiles>
    let input: ViewInput
    /// The URL of the root with a slash at its end; `nil` for relative addresses.
    let baseURL: String?
    /// The files in `v1/` before the update.
    let present: V1Files

    /// Includes `present`, so that a file that a user deleted or changed is made again.
    var digest: String {
        var digest = InputDigest()
        digest.add(baseURL ?? "")
        for files in days {
            digest.add(files.day.number)
            digest.add(files.record)
            digest.add(present.documents[files.day])
            digest.add(present.copies[files.day])
            for file in files.media {
                digest.add(file.path)
                digest.add(file.stamp)
            }
        }
        return digest.text
    }

    func update(_ outcome: inout ViewOutcome) throws(SystemError) {
        var changed: [(name: String, bytes: [UInt8])] = []
        // Those with a rendition of a picture that was replaced or removed.
        var daysOfOutdatedCopies: [Day] = []
        for files in days {
            // `nil` for a damaged record, as all days have one here: the document stays.
            guard let record = try input.store.readableRecord(of: files.day) else { continue }
            let entry = V1Entry(record, files, base: baseURL, in: input.root)
            if present.copies[files.day] != nil, !entry.hasCopy {
                daysOfOutdatedCopies.append(files.day)
            }
            let owned = V1Files.document("\(files.day)")
            let bytes = entry.document
            let existing = try ifReadable(
                input.root.read(owned.path, limit: V1Files.largestDocument))
            if existing == bytes { continue }
            // mutation test: v1-user-file
            if try !input.mayWrite(owned, reportingTo: &outcome) { continue }
            changed.append((Layout.split(owned.path).name, bytes))
        }
        if !changed.isEmpty {
            let folder = try input.root.makeDirectory(V1Files.folder)
            try input.store.publish(changed, in: folder, prefix: "v1")
        }
        outcome.changedPaths += changed.map { "\(V1Files.folder)/\($0.name)" }
        // After the documents of the mirror, which name them no more.
        for path in daysOfOutdatedCopies.map(V1Files.copyPath) {
            if V1Files.isOwnCopy(path, in: input.root) {
                try input.root.remove(path)
                outcome.changedPaths.append(path)
            } else {
                // It is in the place of the next rendition.
                outcome.addObstruction(by: path, in: input.root)
            }
        }
    }
}
