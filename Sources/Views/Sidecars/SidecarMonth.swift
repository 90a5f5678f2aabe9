internal import APOD
internal import Mirror
internal import Platform

/// Brings the sidecars of one month up to date; each is replaced atomically, and only if its contents change.
struct SidecarMonth: MonthOfView {
    let files: ArraySlice<TreeSnapshot.DayFiles>
    let input: ViewInput

    /// The directory of the pictures.
    private var path: String {
        files.first.map { Layout.folder(Layout.pictures, of: $0.day) } ?? Layout.pictures
    }

    /// Identifies the records, the pictures, the sidecars and the favorites.
    var digest: String {
        var digest = InputDigest()
        for files in files {
            digest.add(files.day.number)
            digest.add(files.record)
            digest.add(input.favorites.contains(files.day) ? 1 : 0)
            for file in files.media {
                digest.add(file.path)
                digest.add(file.stamp)
            }
        }
        return digest.text
    }

    func update(_ outcome: inout ViewOutcome) throws(SystemError) {
        guard let folder = try input.root.folder(path) else { return }
        var new: [(name: String, bytes: [UInt8])] = []
        for files in files.reversed() where files.record != nil {
            guard let record = readRecord(of: files.day, &outcome), let picture = record.picture,
                Layout.isPath(picture.path, inPicturesOf: files.day)
            else { continue }
            let sidecar = Layout.split(picture.path).name + Layout.sidecarExtension
            let isThere = try folder.status(sidecar) != nil
            if record.removed != nil {
                // Written while the picture was being removed.
                if isThere {
                    try input.store.moveToTrash(record)
                    outcome.written.append(picture.path + Layout.sidecarExtension)
                }
                continue
            }
            guard files.media.contains(where: { $0.path == picture.path }) else { continue }
            let fields = SidecarFields(record, isFavorite: input.favorites.contains(files.day))
            if isThere {
                try update(sidecar, in: folder, to: fields, &outcome)
            } else if let old = oldSidecar(of: picture.path, among: files.media, in: folder) {
                try folder.renameExclusive(old, to: folder, as: sidecar)
                try folder.flush()
                try update(sidecar, in: folder, to: fields, &outcome)
            } else if case .changed(let bytes) = Sidecar.updating(nil, to: fields) {
                new.append((sidecar, bytes))
            }
        }
        // One that another program created meanwhile stays.
        try input.store.publish(new, in: folder, prefix: "sidecar", replacing: false)
        outcome.written += new.map { "\(path)/\($0.name)" }
    }

    /// The record of `day`; one that the disk cannot read now is a problem, so that its month is read again.
    private func readRecord(of day: Day, _ outcome: inout ViewOutcome) -> DayRecord? {
        do {
            return try input.store.readableRecord(of: day)
        } catch {
            outcome.problems.append("\(error)")
            return nil
        }
    }

    /// The name of the sidecar of the picture that the one at `path`, which has another extension, replaced.
    private func oldSidecar(
        of path: String, among media: [TreeSnapshot.MediaFile], in folder: Directory
    ) -> String? {
        let names = media.map { Layout.split($0.path).name }
        let name = Layout.split(path).name
        guard let dot = name.lastIndex(of: ".") else { return nil }
        return names.first { sidecar in
            guard sidecar.hasPrefix(name[...dot]), sidecar.hasSuffix(Layout.sidecarExtension) else {
                return false
            }
            return folder.target(of: String(sidecar.dropLast(Layout.sidecarExtension.count)))
                == name
        }
    }

    /// Brings the sidecar `name` up to date.
    private func update(
        _ name: String, in folder: Directory, to fields: SidecarFields,
        _ outcome: inout ViewOutcome
    ) throws(SystemError) {
        let path = "\(folder.path)/\(name)"
        let before = try folder.status(name)
        let bytes: [UInt8]
        do {
            guard before?.kind == .file,
                let found = try folder.read(name, limit: XMPDocument.largest)
            else {
                outcome.problems.append("\(path) is not a regular file and is not overwritten")
                return
            }
            bytes = found
        } catch  where error.isInvalidFile || error.isPermissionDenied {
            outcome.problems.append("\(error); the sidecar is not overwritten")
            return
        }
        let contents: [UInt8]
        switch Sidecar.updating(bytes.isEmpty ? nil : bytes, to: fields) {
        case .upToDate: return
        case .changed(let new): contents = new
        case .unreadable:
            outcome.problems.append(
                "\(path) is not readable XMP, or has more than about \(XMPDocument.mostNodes) elements and attributes, and is"
                    + " not overwritten; move it away, and the mirror writes its own")
            return
        }
        try input.store.checkFreeSpace(for: contents.count + 1, at: path)
        // A photo manager may have written it meanwhile.
        guard try folder.status(name) == before else {
            return try update(name, in: folder, to: fields, &outcome)
        }
        try input.store.publish(contents, in: folder, as: name)
        outcome.written.append("\(self.path)/\(name)")
    }
}
