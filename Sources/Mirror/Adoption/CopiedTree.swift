internal import APOD
internal import FoundationEssentials
internal import Glibc
internal import Platform

/// Recovers what a copy of a mirror lost: places and times of pictures, attributes.
///
/// A copy is noticed by the identity of its directories, once.
struct CopiedTree {
    let store: Store

    /// Identifies this tree; a copy has another identity.
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

    /// Stands for the identity of a copy without `mirror.json` until it is recovered.
    static let unmarked = ""

    /// Recovers all files; pictures may be named by date alone if `mirror.json` is missing in the copy.
    ///
    /// `report` gets a line for each picture that is moved.
    ///
    /// - Returns: The days with a damaged record, or with files that do not have their recorded size.
    /// - Throws: ``SystemError`` if the tree cannot be read or written; it can be repeated.
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
    /// Sets the modification times and attributes of the files of `record` where they differ.
    ///
    /// A file of another user keeps its own.
    func setMissingAttributes(of record: DayRecord) {
        let day = record.entry.day
        let files: [(String, String?)?] = [
            record.picture.map { ($0.path, $0.origin) },
            record.video.flatMap { video in video.path.map { ($0, video.url) } },
            // The page and the thumbnail have no attributes.
            record.page.map { ($0, nil) },
            (Layout.thumbnail(of: day), nil),
        ]
        for (path, address) in files.compactMap(\.self) {
            guard let file = try? tree.root.openFile(path, O_RDONLY) else { continue }
            if let address, file.attribute("user.xdg.comment") == nil {
                file.setAttributes(of: record, from: address)
            }
            if (try? file.status(path: path).modified) != day.noon {
                try? file.setModified(day.noon, path: path)
            }
        }
    }
}
