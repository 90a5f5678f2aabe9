package import APOD
package import Mirror
internal import Platform

/// The XMP sidecars beside the pictures: `NAME.jpg.xmp`, from records and favorites.
///
/// Only months whose directories changed are read. A sidecar is replaced atomically, and only if its contents
/// change.
package actor Sidecars {
    private let store: Store
    private var state: SidecarState?
    private var problems: [String] = []

    private var root: Directory { store.tree.root }

    /// - Parameter store: The store of a tree that is open for writing.
    package init(store: Store) {
        self.store = store
    }

    /// Makes all sidecars that are missing or not up to date; returns what is in the way, as sentences.
    ///
    /// - Throws: ``SystemError`` or `CancellationError`; what was written stays.
    package func refresh(favorites: Set<Day>) async throws -> [String] {
        problems = []
        let earlier = try state ?? SidecarState(in: root)
        var state = earlier
        defer { self.state = state }
        let favoritesOfMonths = Dictionary(grouping: favorites) { "\($0)".prefix(7) }
        do {
            for name in try store.snapshots.current().months.reversed() {
                try Task.checkCancellation()
                let month = SidecarMonth(name: name)
                let favorites = Set(favoritesOfMonths[name[...]] ?? [])
                let stamp = try month.stamp(in: root, favorites)
                if stamp != nil, stamp == state.stamps[name] { continue }
                let earlierProblems = problems.count
                try refresh(month, favorites)
                // Solving a problem need not change a directory: the month is read again until then.
                state.stamps[name] = problems.count == earlierProblems ? stamp : nil
                await Task.yield()
            }
        } catch {
            try? save(state, after: earlier)
            throw error
        }
        try save(state, after: earlier)
        return problems
    }

    private func save(_ state: SidecarState, after earlier: SidecarState) throws(SystemError) {
        if state != earlier { try store.write(state.json, to: SidecarState.path) }
    }

    // MARK: A month

    private func refresh(_ month: SidecarMonth, _ favorites: Set<Day>) throws(SystemError) {
        guard let folder = try root.folder(month.pictures) else { return }
        let names = Set(try folder.textNames())
        var new: [(name: String, bytes: [UInt8])] = []
        for name in try root.textNames(in: month.metadata).sorted().reversed() {
            guard let day = FileName.day(of: name), name == Layout.record(of: day),
                let record = readRecord(of: day), let picture = record.picture,
                Layout.isPath(picture.path, inPicturesOf: day)
            else { continue }
            let file = Layout.split(picture.path).name
            let sidecar = file + Layout.sidecarExtension
            if record.removed != nil {
                // Written while the picture was being removed.
                if names.contains(sidecar) { try store.moveToTrash(record) }
                continue
            }
            guard names.contains(file) else { continue }
            let fields = SidecarFields(record, isFavorite: favorites.contains(day))
            if !names.contains(sidecar), let old = oldSidecar(of: file, in: folder, names) {
                try folder.renameExclusive(old, to: folder, as: sidecar)
                try folder.synchronize()
                try update(sidecar, in: folder, to: fields)
            } else if names.contains(sidecar) {
                try update(sidecar, in: folder, to: fields)
            } else if case .changed(let bytes) = Sidecar.updating(nil, to: fields) {
                new.append((sidecar, bytes))
            }
        }
        try publish(new, in: folder)
    }

    /// The record of `day`; one that the disk cannot read now is a problem, so that its month is read again.
    private func readRecord(of day: Day) -> DayRecord? {
        do {
            return try store.readRecord(of: day)
        } catch {
            problems.append("\(error)")
            return nil
        }
    }

    /// The sidecar of the picture that `file`, which has another extension, replaced.
    private func oldSidecar(
        of file: String, in folder: Directory, _ names: Set<String>
    ) -> String? {
        guard let dot = file.lastIndex(of: ".") else { return nil }
        return names.first { name in
            guard name.hasPrefix(file[...dot]), name.hasSuffix(Layout.sidecarExtension) else {
                return false
            }
            return folder.target(of: String(name.dropLast(Layout.sidecarExtension.count))) == file
        }
    }

    /// Brings the sidecar `name` up to date.
    private func update(
        _ name: String, in folder: Directory, to fields: SidecarFields
    ) throws(SystemError) {
        let path = "\(folder.path)/\(name)"
        let before = try folder.status(name)
        let bytes: [UInt8]
        do {
            guard before?.kind == .file,
                let found = try folder.read(name, limit: XMPDocument.largest)
            else { return problems.append("\(path) is not a regular file and is not overwritten") }
            bytes = found
        } catch  where error.isInvalidFile || error.isPermissionDenied {
            return problems.append("\(error); the sidecar is not overwritten")
        }
        let contents: [UInt8]
        switch Sidecar.updating(bytes.isEmpty ? nil : bytes, to: fields) {
        case .upToDate: return
        case .changed(let new): contents = new
        case .unreadable:
            return problems.append(
                "\(path) is not readable XMP, or has more than about \(XMPDocument.mostNodes) elements and attributes, and is"
                    + " not overwritten; move it away, and the mirror writes its own"
            )
        }
        try store.checkFreeSpace(for: contents.count + 1, at: path)
        // A photo manager may have written it meanwhile.
        guard try folder.status(name) == before else {
            return try update(name, in: folder, to: fields)
        }
        try store.publish(contents, in: folder, as: name)
    }

    /// Publishes sidecars that did not exist, synced together; one that another program created meanwhile
    /// stays.
    private func publish(
        _ new: [(name: String, bytes: [UInt8])], in folder: Directory
    ) throws(SystemError) {
        guard !new.isEmpty else { return }
        try store.checkFreeSpace(for: new.reduce(1) { $0 + $1.bytes.count }, at: folder.path)
        var batch = AtomicFileBatch(new.count, in: try root.makeDirectory(Layout.incoming))
        for (name, bytes) in new { try batch.add(bytes, as: name, prefix: "sidecar") }
        try batch.publish(in: folder, replacing: false)
        try folder.synchronize()
    }
}
