internal import APOD
internal import Mirror
internal import Platform

/// Brings the files of one month in `v1/` up to date, where ``V1View`` answers as NASA's API did.
struct V1Month: DailyFileMonth {
    let days: ArraySlice<TreeSnapshot.DayFiles>
    let input: ViewInput
    let files: ViewFiles
    /// The URL of the root with a slash at its end; `nil` for relative addresses.
    let baseURL: String?
    /// The documents in `v1/` before the update.
    let present: [Day: TreeSnapshot.FileStamp]

    /// Includes `present`, so that a file that a user deleted or changed is made again.
    var digest: String {
        var digest = InputDigest()
        digest.add(baseURL ?? "")
        for files in days {
            digest.add(files.day.number)
            digest.add(files.record)
            digest.add(present[files.day])
            digest.add(input.renditions.contains(files.day) ? 1 : 0)
            digest.addMedia(of: files)
        }
        return digest.text
    }

    func update(_ outcome: inout ViewOutcome) throws(SystemError) {
        var documents: [ViewFiles.File] = []
        for dayFiles in days {
            let day = dayFiles.day
            var records = RecordIterator(store: input.store, days: [day])
            // `nil` for a damaged record or one that cannot be read, as all days have one here: the document stays.
            guard let record = try records.next() else {
                outcome.addUnreadable(records)
                continue
            }
            let entry = V1Entry(
                record, dayFiles, base: baseURL, hasRendition: input.renditions.contains(day))
            documents.append(
                ViewFiles.File(path: V1View.document(of: day), bytes: entry.document))
        }
        outcome.add(try files.publish(documents), in: input.root)
    }
}
