internal import APOD
internal import FoundationEssentials
internal import Glibc
internal import Platform

/// Recovers what a copy of a mirror lost: the places of pictures, the times and attributes of files.
struct CopiedTree {
    let store: Store

    /// The identity of the directories of `tree`, by which a copy is noticed.
    static func identity(of tree: Tree) throws(SystemError) -> String {
        var parts: [String] = []
        for name in [Layout.own, Layout.pictures]
        where try tree.root.status(name)?.kind == .directory {
            guard let folder = try tree.root.folder(name) else { continue }
            let identity = try folder.identityAcrossReboots()
            parts.append("\(identity.inode) \(identity.origin)")
        }
        return parts.joined(separator: ", ")
    }

    /// The stored identity of a copy without `mirror.json` until the copy is recovered.
    static let unmarked = ""

    /// Recovers all files; if `mirror.json` was missing, also pictures that are named by date alone.
    ///
    /// `report` gets a line for each picture that is moved.
    ///
    /// - Returns: The days with a damaged record, or with files that do not have their recorded size.
    /// - Throws: ``SystemError`` if the tree cannot be read or written; another call continues.
    func recover(
        isUnmarked: Bool, at now: Date, report: @escaping (String) -> Void
    ) throws -> Set<Day> {
        var adoption = try Adoption(
            of: store.tree.root, into: store, acceptsDatesAlone: isUnmarked, at: now
        ) {
            guard case .adopted(let path, let day, _, _) = $0 else { return }
            report("moved “\(path)” to its place: the picture of \(day)")
        }
        adoption.scan()
        try adoption.carryOut(in: store)
        let snapshot = try TreeSnapshot(of: store.tree.root)
        store.markPublished(snapshot)
        var damaged: Set<Day> = []
        for day in snapshot.complete.sorted() {
            guard let record = try store.record(of: day) else {
                damaged.insert(day)
                continue
            }
            store.setMissingAttributes(of: record)
            if try !hasAllFiles(record) { damaged.insert(day) }
        }
        return damaged
    }

    private func hasAllFiles(_ record: DayRecord) throws(SystemError) -> Bool {
        for file in record.files {
            guard try store.tree.isIntact(file, isRead: false) else { return false }
        }
        guard let page = record.page, record.removed == nil else { return true }
        return try store.tree.exists(page)
    }
}

extension Store {
    /// Sets the modification times of the files of `record`, and the attributes of its picture and video,
    /// where they are missing; those of another user's files stay.
    func setMissingAttributes(of record: DayRecord) {
        if let picture = record.picture {
            setMissingAttributes(of: record, at: picture.path, from: picture.origin)
        }
        if let video = record.video, let path = video.path {
            setMissingAttributes(of: record, at: path, from: video.url)
        }
        for path in [record.page, Layout.thumbnail(of: record.entry.day)] {
            if let path { setMissingAttributes(of: record, at: path, from: nil) }
        }
    }

    /// `address` is `nil` for a file without attributes.
    private func setMissingAttributes(
        of record: DayRecord, at path: String, from address: String?
    ) {
        guard let file = try? tree.root.openFile(path, O_RDONLY) else { return }
        if let address, file.attribute("user.xdg.comment") == nil {
            file.setAttributes(of: record, from: address)
        }
        let noon = record.entry.day.noon
        if (try? file.status(path: path).modified) != noon {
            try? file.setModified(noon, path: path)
        }
    }
}
