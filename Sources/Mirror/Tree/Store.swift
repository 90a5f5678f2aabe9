package import APOD
internal import FoundationEssentials
internal import Glibc
package import JSON
package import Platform

/// What is written into the tree, and how: aside first, onto the disk, under its final name.
package struct Store: Sendable {
    package let tree: Tree
    /// Where files under way lie; in a tree that is only read, the root, and nothing is ever put there.
    private let incoming: Directory
    /// Bytes of the disk that are kept clear.
    private let minimumFree: Int
    private let isReader: Bool

    package init(tree: Tree, minimumFree: Int) throws(SystemError) {
        self.tree = tree
        self.minimumFree = minimumFree
        isReader = false
        incoming = try tree.root.makeDirectory(Layout.incoming)
        resumePublications()
    }

    /// A store to read from.
    package init(reading tree: Tree) {
        self.tree = tree
        minimumFree = 0
        isReader = true
        incoming = tree.root
    }

    /// The bytes that may be written before the disk counts as full.
    package func room() throws(SystemError) -> Int {
        max(0, try tree.root.freeBytes() - minimumFree)
    }

    /// So many bytes are what the records and the state take: with less, the disk is full.
    private static let leastRoom = 64 << 10

    /// - Throws: ``SystemError``; `ENOSPC` where the disk counts as full.
    func checkRoom() throws(SystemError) {
        guard try room() >= Self.leastRoom else {
            throw SystemError("write", path: tree.root.path, code: ENOSPC)
        }
    }

    /// Writes a small file and removes it, to see whether that can be done.
    func probe() throws(SystemError) {
        try draft("probe").write([UInt8](repeating: 0, count: Self.leastRoom))
    }

    /// Starts a file that is to be published later.
    package func draft(_ name: String) throws(SystemError) -> AtomicFile {
        try AtomicFile(name, in: incoming)
    }

    /// Writes a whole small file of ours: ``AtomicFile/publish(_:in:as:through:)``.
    package func publish(
        _ bytes: [UInt8], in folder: Directory, as name: String
    ) throws(SystemError) {
        try AtomicFile.publish(bytes, in: folder, as: name, through: incoming)
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

    // MARK: Pictures and videos

    /// Where a picture or video of an entry is to be.
    ///
    /// - Parameters:
    ///   - entry: Its title makes the name where there is none yet.
    ///   - type: What it is by its bytes.
    ///   - earlier: The path of the file that it replaces: a published path never changes.
    /// - Returns: Its path, relative to the root.
    func path(of entry: Entry, _ type: MediaType, replacing earlier: String?) -> String {
        if let earlier, let dot = earlier.lastIndex(of: ".") {
            return "\(earlier[..<dot]).\(type.fileExtension)"
        }
        let stem = FileName.stem(of: entry.day, title: entry.title)
        return "\(Layout.folder(Layout.pictures, of: entry.day))/\(stem).\(type.fileExtension)"
    }

    /// Finishes or undoes each publication that was interrupted.
    ///
    /// What cannot be finished now waits for its day to be looked at again.
    private func resumePublications() {
        let names = (try? incoming.textNames()) ?? []
        for day in Set(names.filter(DayPublisher.isStaged).compactMap { FileName.day(of: $0) }) {
            try? DayPublisher(self, of: day).resume()
        }
    }

    // MARK: latest.*

    /// Points `latest.*` at the picture at `path`; exactly one such name is left.
    package func pointLatest(at path: String) throws(SystemError) {
        guard let dot = path.lastIndex(of: ".") else { return }
        let name = "latest\(path[dot...])"
        if tree.root.target(of: name) != path {
            let isMade = try AtomicFile.publishLink(
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

    /// What was remembered; nothing where the file is gone or damaged, or a reader may not read it.
    package func state() throws(SystemError) -> SyncState {
        if isReader, tree.hidesState { return SyncState() }
        guard let bytes = try tree.root.read(Layout.state),
            let json = try? JSON(parsing: bytes)
        else { return SyncState() }
        return SyncState(json)
    }

    package func save(_ state: SyncState) throws(SystemError) {
        // Its reasons are texts of servers: not everybody's business, unlike the pictures.
        try write(state.json, to: Layout.state, mode: 0o640)
    }

    /// Writes a small file of ours, whole or not at all.
    package func write(
        _ json: JSON, to path: String, mode: UInt32 = 0o644
    ) throws(SystemError) {
        let (folder, name) = Layout.split(path)
        try AtomicFile.publish(
            json.document, in: try tree.root.makeDirectory(folder), as: name, through: incoming,
            mode: mode)
    }
}

extension Tree {
    /// This user may read the pictures and not `state.json`.
    package var hidesState: Bool {
        do throws(SystemError) {
            _ = try root.read(Layout.state)
            return false
        } catch {
            return error.isForbidden
        }
    }
}
