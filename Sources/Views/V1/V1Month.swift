internal import APOD
internal import Mirror
internal import Platform
internal import Thumbnails

/// Brings the files of one month in `v1/` up to date; each is replaced atomically, and only if its contents change.
struct V1Month: MonthOfView {
    /// The days that have a file; not empty.
    let files: ArraySlice<TreeSnapshot.DayFiles>
    let input: ViewInput
    let base: String?
    let present: V1Files

    var digest: String {
        var digest = InputDigest()
        digest.add(base ?? "")
        for files in files {
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
        for files in files.reversed() {
            guard let record = try input.store.readableRecord(of: files.day) else { continue }
            let entry = V1Entry(record, files, base: base, in: input.root)
            if present.pictures[files.day] != nil, !entry.hasRendition {
                try removePicture(of: files.day, &outcome)
            }
            let owned = V1View.document("\(files.day)")
            let bytes = entry.document
            let found = try ifReadable(input.root.read(owned.path, limit: V1View.largestFile))
            if found == bytes { continue }
            // mutation test: v1-user-file
            if try !input.isFree(owned, &outcome) { continue }
            new.append((Layout.split(owned.path).name, bytes))
        }
        if !new.isEmpty {
            let folder = try input.root.makeDirectory(V1View.folder)
            try input.store.publish(new, in: folder, prefix: "v1")
        }
        outcome.written += new.map { "\(V1View.folder)/\($0.name)" }
    }

    /// Removes the copy of a picture that was replaced or removed.
    private func removePicture(
        of day: Day, _ outcome: inout ViewOutcome
    ) throws(SystemError) {
        let path = V1View.picture(of: day)
        guard V1View.isOwnPicture(path, in: input.root) else {
            return outcome.addObstruction(by: path, in: input.root)
        }
        try input.root.remove(path)
        outcome.written.append(path)
    }
}

/// What is in `v1/` and can be the mirror's.
struct V1Files {
    private(set) var documents: [Day: TreeSnapshot.FileStamp] = [:]
    /// The reduced copies of pictures.
    private(set) var pictures: [Day: TreeSnapshot.FileStamp] = [:]

    init(in root: Directory) throws(SystemError) {
        let items = try ifReadable(root.items(in: V1View.folder) { _, _ in }) ?? []
        for item in items {
            guard let name = item.text, let day = FileName.day(of: name) else { continue }
            switch name.dropFirst(10) {
            case ".json": documents[day] = TreeSnapshot.FileStamp(item.status)
            case ".jpg": pictures[day] = TreeSnapshot.FileStamp(item.status)
            default: break
            }
        }
    }
}
