internal import APOD
internal import Mirror
internal import Platform

/// The XMP sidecars beside the pictures, `NAME.jpg.xmp`: what photo managers show of a picture, from records and favorites.
struct SidecarsView: View {
    static let title = "the sidecars"
    /// A sidecar itself may also be a user's: the mirror writes only fields in it, see ``Sidecar``.
    static let ownedPaths = [OwnedPath(statePath)]
    private static let statePath = Layout.own + "/sidecars.json"
    private let digests = MonthDigests(at: statePath)

    init?(_ settings: ViewSettings) {
        guard settings.writesSidecars else { return nil }
    }

    func update(_ input: ViewInput) async throws -> ViewOutcome {
        try await digests.update(
            input.snapshot.days.months.map { SidecarMonth(days: $0, input: input) },
            in: input.store)
    }
}

/// Brings the sidecars of one month up to date: the XMP files beside the pictures, `NAME.jpg.xmp`.
///
/// Each is replaced atomically, and only if its contents change.
private struct SidecarMonth: MonthUpdate {
    let days: ArraySlice<TreeSnapshot.DayFiles>
    let input: ViewInput

    /// The directory of the pictures and sidecars of the month.
    private var folderPath: String {
        days.first.map { Layout.folder(Layout.pictures, of: $0.day) } ?? Layout.pictures
    }

    var digest: String {
        var digest = InputDigest()
        for files in days {
            digest.add(files.day.number)
            digest.add(files.record)
            digest.add(input.favorites.contains(files.day) ? 1 : 0)
            // The picture and its sidecar.
            for file in files.media {
                digest.add(file.path)
                digest.add(file.stamp)
            }
        }
        return digest.text
    }

    func update(_ outcome: inout ViewOutcome) throws(SystemError) {
        guard let folder = try input.root.folder(folderPath) else { return }
        // The next round sees the sidecars, also after an error.
        defer { if let day = days.first?.day { input.store.snapshots.recordChange(of: day) } }
        var new: [(name: String, bytes: [UInt8])] = []
        for files in days where files.record != nil {
            guard let record = readRecord(of: files.day, &outcome), let picture = record.picture,
                Layout.isPath(picture.path, inPicturesOf: files.day)
            else { continue }
            let sidecar = Layout.split(picture.path).name + Layout.sidecarExtension
            let isThere = try folder.status(sidecar) != nil
            if record.removed != nil {
                // Only what the view would write now is its own: a changed sidecar is a user's.
                let fields = SidecarFields(
                    record, isFavorite: input.favorites.contains(files.day))
                guard isThere, case .changed(let bytes) = Sidecar.updating(nil, to: fields),
                    try folder.read(sidecar) == bytes
                else { continue }
                try folder.remove(sidecar)
                outcome.changedPaths.append(picture.path + Layout.sidecarExtension)
            } else if files.media.contains(where: { $0.path == picture.path }) {
                let fields = SidecarFields(
                    record, isFavorite: input.favorites.contains(files.day))
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
        }
        // A sidecar that another program created meanwhile stays. It counts as changed, so that the month is updated again.
        try input.store.publish(new, in: folder, prefix: "sidecar", replacing: false)
        outcome.changedPaths += new.map { "\(folderPath)/\($0.name)" }
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

    /// The sidecar of an earlier picture of the day, which the picture at `path` replaced: `NAME.jpg.xmp` if `NAME.jpg` is
    /// now a link to `NAME.png`.
    private func oldSidecar(
        of path: String, among media: [TreeSnapshot.MediaFile], in folder: Directory
    ) -> String? {
        let name = Layout.split(path).name
        guard let dot = name.lastIndex(of: ".") else { return nil }
        return media.map { Layout.split($0.path).name }.first { sidecar in
            guard sidecar.hasPrefix(name[...dot]), sidecar.hasSuffix(Layout.sidecarExtension) else {
                return false
            }
            let earlier = sidecar.dropLast(Layout.sidecarExtension.count)
            return folder.target(of: String(earlier)) == name
        }
    }

    /// Brings the existing sidecar `name` up to date, unless it cannot be read, which is a problem.
    private func update(
        _ name: String, in folder: Directory, to fields: SidecarFields,
        _ outcome: inout ViewOutcome
    ) throws(SystemError) {
        let path = "\(folder.path)/\(name)"
        let before = try folder.status(name)
        let bytes: [UInt8]
        do {
            guard before?.kind == .file,
                let found = try folder.read(name, limit: XMPDocument.maximumSize)
            else {
                outcome.problems.append("\(path) is not a regular file and is not overwritten")
                return
            }
            bytes = found
        } catch  where error.isInvalidFile || error.isPermissionDenied {
            outcome.problems.append("\(error); the sidecar is not overwritten")
            return
        }
        // An empty file is what some file systems leave of one after a power cut.
        switch Sidecar.updating(bytes.isEmpty ? nil : bytes, to: fields) {
        case .upToDate: break
        case .changed(let new):
            try input.store.checkFreeSpace(for: new.count + 1, at: path)
            // A photo manager may have written it meanwhile: then again. What it writes in the moment between this check
            // and the rename is lost.
            guard try folder.status(name) == before else {
                return try update(name, in: folder, to: fields, &outcome)
            }
            try input.store.publishAlways(new, in: folder, as: name)
            outcome.changedPaths.append("\(folderPath)/\(name)")
        case .unreadable:
            outcome.problems.append(
                "\(path) is not readable XMP, or has more than about \(XMPDocument.maximumNodes) elements and attributes, and is"
                    + " not overwritten; move it away, and the mirror writes its own")
        }
    }
}
