package import APOD
internal import FoundationEssentials
package import Platform

/// What is written into the tree, and how: aside first, onto the disk, under its final name, the record
/// of the day last.
package struct Store: Sendable {
    package let tree: Tree
    /// Where files under way lie; in a tree that is only read, the root, and nothing is ever put there.
    private let incoming: Folder
    /// Bytes of the disk that are kept clear.
    private let minimumFree: Int

    package init(tree: Tree, minimumFree: Int) throws(SystemError) {
        self.tree = tree
        self.minimumFree = minimumFree
        incoming = try tree.root.makeFolder(Layout.incoming)
    }

    /// A store to read from.
    package init(reading tree: Tree) {
        self.tree = tree
        minimumFree = 0
        incoming = tree.root
    }

    /// The bytes that may be written before the disk counts as full.
    package func room() throws(SystemError) -> Int {
        max(0, try tree.root.freeBytes() - minimumFree)
    }

    /// Starts a file that is to be published later.
    package func draft(_ name: String) throws(SystemError) -> Draft {
        try Draft(name, in: incoming)
    }

    /// Writes a whole small file of ours: ``Draft/publish(_:in:as:through:)``.
    package func publish(
        _ bytes: [UInt8], in folder: Folder, as name: String
    ) throws(SystemError) {
        try Draft.publish(bytes, in: folder, as: name, through: incoming)
    }

    // MARK: The record of a day

    /// What the tree knows of `day`, `nil` where it knows nothing or the record is damaged.
    package func record(of day: Day) throws(SystemError) -> DayRecord? {
        guard
            let bytes = try tree.root.read(
                "\(Layout.folder(Layout.metadata, of: day))/\(Layout.record(of: day))")
        else { return nil }
        return (try? JSON(parsing: bytes)).flatMap { DayRecord($0) }
    }

    /// Publishes `record`; one of an earlier revision is kept in `previous/`.
    func publish(_ record: DayRecord, after earlier: DayRecord?) throws(SystemError) {
        let day = record.entry.day
        let folder = try tree.root.makeFolder(Layout.folder(Layout.metadata, of: day))
        let name = Layout.record(of: day)
        if let earlier, earlier.revision < record.revision {
            try keepPrevious(name, in: folder, as: "\(day) r\(earlier.revision).json")
        }
        try Draft.publish(record.json.document, in: folder, as: name, through: incoming)
    }

    // MARK: Pictures and videos

    /// Publishes `draft` as the picture or video of an entry.
    ///
    /// - Parameters:
    ///   - draft: The whole file, checked.
    ///   - type: What it is by its bytes.
    ///   - origin: The address it came from.
    ///   - entry: The entry it belongs to; its title makes the name where there is none yet.
    ///   - earlier: The path of the file that it replaces: a published path never changes, so this
    ///     one is kept, and what stood there goes to `previous/`.
    ///   - revision: The revision of the record that named `earlier`.
    /// - Returns: Its path, relative to the root.
    /// - Throws: ``SystemError``; what stood there before still stands.
    func publish(
        _ draft: consuming Draft, as type: MediaType, from origin: String, of entry: Entry,
        replacing earlier: String?, revision: Int
    ) throws(SystemError) -> String {
        label(draft.file, origin: origin, entry: entry)
        try draft.file.setModified(entry.day.noon, path: draft.path)
        let path = Self.path(of: entry, type, replacing: earlier)
        let (folderPath, name) = Layout.split(path)
        let folder = try tree.root.makeFolder(folderPath)
        if let earlier {
            let earlierName = Layout.split(earlier).name
            try keepPrevious(
                earlierName, in: folder,
                as: FileName.previous(earlierName, day: entry.day, revision: revision))
        }
        try draft.publish(in: folder, as: name)
        if let earlier, earlier != path { try leaveLink(at: earlier, to: name, in: folder) }
        return path
    }

    private func label(_ file: borrowing FileDescriptor, origin: String, entry: Entry) {
        file.setAttribute("user.xdg.origin.url", origin)
        if let permalink = entry.permalink {
            file.setAttribute("user.xdg.referrer.url", permalink)
        }
        file.setAttribute("user.xdg.comment", entry.title)
    }

    private static func path(
        of entry: Entry, _ type: MediaType, replacing earlier: String?
    ) -> String {
        if let earlier, let dot = earlier.lastIndex(of: ".") {
            return "\(earlier[..<dot]).\(type.fileExtension)"
        }
        let stem = FileName.stem(of: entry.day, title: entry.title)
        return "\(Layout.folder(Layout.pictures, of: entry.day))/\(stem).\(type.fileExtension)"
    }

    /// Gives what stands under `name` a second name in `previous/`, as far as it stands.
    private func keepPrevious(
        _ name: String, in folder: Folder, as kept: String
    ) throws(SystemError) {
        guard try folder.status(name)?.kind == .file else { return }
        let previous = try tree.root.makeFolder(Layout.previous)
        try previous.remove(kept)
        do {
            try folder.link(name, to: previous, as: kept)
        } catch {
            // A file system without hard links: for a moment the name is free.
            try folder.rename(name, to: previous, as: kept)
        }
        try previous.synchronize()
    }

    /// Puts a link in the place of a file whose successor is of another type: links to it keep working.
    private func leaveLink(
        at path: String, to target: String, in folder: Folder
    ) throws(SystemError) {
        // A file system without links keeps the old file where it is.
        _ = try? Draft.publishLink(
            to: target, in: folder, as: Layout.split(path).name, through: incoming)
    }

    // MARK: latest.*

    /// Points `latest.*` at the picture at `path`; exactly one such name is left.
    package func pointLatest(at path: String) throws(SystemError) {
        guard let dot = path.lastIndex(of: ".") else { return }
        let name = "latest\(path[dot...])"
        if tree.root.target(of: name) != path {
            let isMade = try Draft.publishLink(
                to: path, in: tree.root, as: name, through: incoming)
            // A file system without links, such as exFAT, goes without.
            guard isMade else { return }
        }
        for other in MediaType.allCases.map({ "latest.\($0.fileExtension)" }) where other != name {
            if tree.root.target(of: other)?.hasPrefix(Layout.pictures) == true {
                try tree.root.remove(other)
            }
        }
    }

    // MARK: state.json

    /// What was remembered; nothing where the file is gone or damaged.
    package func state() throws(SystemError) -> SyncState {
        guard let bytes = try tree.root.read(Layout.state),
            let json = try? JSON(parsing: bytes)
        else { return SyncState() }
        return SyncState(json)
    }

    package func save(_ state: SyncState) throws(SystemError) {
        try write(state.json, to: Layout.state)
    }

    /// Writes a small file of ours, whole or not at all.
    package func write(_ json: JSON, to path: String) throws(SystemError) {
        let (folder, name) = Layout.split(path)
        try Draft.publish(
            json.document, in: try tree.root.makeFolder(folder), as: name, through: incoming)
    }
}
