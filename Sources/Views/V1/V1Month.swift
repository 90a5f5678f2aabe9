internal import APOD
internal import Mirror
internal import Platform

/// Brings the files of one month in `v1/` up to date; each is replaced atomically, and only if its contents change.
///
/// A document names the reduced copy of the picture if it is there. `ThumbnailService` makes these copies, later.
struct V1Month: MonthOfView {
    let days: ArraySlice<TreeSnapshot.DayFiles>
    let input: ViewInput
    /// The URL of the root with a slash at its end; `nil` for relative addresses.
    let baseURL: String?
    /// The files in `v1/` before the update.
    let present: V1Files

    var digest: String {
        var digest = InputDigest()
        digest.add(baseURL ?? "")
        for files in days {
            digest.add(files.day.number)
            digest.add(files.record)
            digest.add(present.documents[files.day])
            digest.add(present.pictures[files.day])
            for file in files.media {
                digest.add(file.path)
                digest.add(file.stamp)
            }
        }
        return digest.text
    }

    func update(_ outcome: inout ViewOutcome) throws(SystemError) {
        var new: [(name: String, bytes: [UInt8])] = []
        // The copies of pictures that were replaced or removed.
        var outdatedPictures: [Day] = []
        for files in days {
            // The document of a damaged record stays.
            guard let record = try input.store.readableRecord(of: files.day) else { continue }
            let entry = V1Entry(record, files, base: baseURL, in: input.root)
            if present.pictures[files.day] != nil, !entry.hasRendition {
                outdatedPictures.append(files.day)
            }
            let owned = V1Files.document("\(files.day)")
            let bytes = entry.document
            let found = try ifReadable(
                input.root.read(owned.path, limit: V1Files.largestDocument))
            if found == bytes { continue }
            // mutation test: v1-user-file
            if try !input.mayWrite(owned, reportingTo: &outcome) { continue }
            new.append((Layout.split(owned.path).name, bytes))
        }
        if !new.isEmpty {
            let folder = try input.root.makeDirectory(V1Files.folder)
            try input.store.publish(new, in: folder, prefix: "v1")
        }
        outcome.changedPaths += new.map { "\(V1Files.folder)/\($0.name)" }
        // After the documents that named them.
        for path in outdatedPictures.map(V1Files.picture) {
            if V1Files.isOwnPicture(path, in: input.root) {
                try input.root.remove(path)
                outcome.changedPaths.append(path)
            } else {
                outcome.addObstruction(by: path, in: input.root)
            }
        }
    }
}
