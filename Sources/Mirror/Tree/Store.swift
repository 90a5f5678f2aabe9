package import APOD
internal import Glibc
package import JSON
package import Platform
internal import Transfer

/// Reads and writes the files of a tree; every file is written to `incoming/`, synced and renamed.
package struct Store: Sendable {
    package let tree: Tree
    /// The directory of incomplete files; in a tree opened for reading the root, and never written.
    let incoming: Directory
    private let isReader: Bool
    /// The snapshot of the tree; the store records there which days it changes.
    package let snapshots: SnapshotOwner
    /// The space of the downloads under way.
    let space: SpaceReservations

    private init(_ tree: Tree, minimumFree: Int, isReader: Bool, incoming: Directory) {
        self.tree = tree
        self.isReader = isReader
        self.incoming = incoming
        snapshots = SnapshotOwner(of: tree.root)
        space = SpaceReservations { () throws(SystemError) in
            max(0, try tree.root.freeBytes() - minimumFree)
        }
    }

    package init(tree: Tree, minimumFree: Int) throws(SystemError) {
        self.init(
            tree, minimumFree: minimumFree, isReader: false,
            incoming: try tree.root.makeDirectory(Layout.incoming))
        resumePublications()
        removePublishedFromAdopted()
    }

    /// A read-only store.
    package init(reading tree: Tree) {
        self.init(tree, minimumFree: 0, isReader: true, incoming: tree.root)
    }

    /// The bytes that can be written before the disk counts as full.
    package func availableBytes() throws(SystemError) -> Int { try space.available() }

    /// The space for records and state, in bytes; with less, the disk counts as full.
    private static let minimumSpace = 64 << 10

    /// - Throws: ``SystemError``; `ENOSPC` if fewer than `bytes` can be written.
    func checkFreeSpace(for bytes: Int = Self.minimumSpace) throws(SystemError) {
        try checkFreeSpace(for: bytes, at: tree.root.path)
    }

    /// - Throws: ``SystemError`` of `path`; `ENOSPC` if fewer than `bytes` can be written.
    package func checkFreeSpace(for bytes: Int, at path: String) throws(SystemError) {
        guard try availableBytes() >= bytes else {
            throw SystemError("write", path: path, code: ENOSPC)
        }
    }

    /// Fills the empty file `draft` with the contents of `source`, which is no larger than a file of the mirror.
    ///
    /// - Throws: ``SystemError``; `ENOSPC` if the disk counts as full.
    func copy(
        _ source: borrowing FileDescriptor, into draft: borrowing AtomicFile
    ) throws(SystemError) {
        try draft.copy(source, limit: Layout.largestFile) { bytes throws(SystemError) in
            try checkFreeSpace(for: bytes + 1)
        }
    }

    /// Checks that what is open for writing is what is at the path of the mirror: ``Tree/checkIsInPlace()``.
    func checkIsInPlace() throws(TreeError) {
        try tree.checkIsInPlace()
        let found = (try? tree.root.status(Layout.incoming)) ?? nil
        guard let found, found.identity == (try? incoming.status())?.identity else {
            throw .replaced("\(tree.root.path)/\(Layout.incoming)")
        }
    }

    /// Tests whether a small file can be written, and removes it.
    func testWrite() throws(SystemError) {
        try draft("probe").write([UInt8](repeating: 0, count: Self.minimumSpace))
    }

    /// Creates a file to be published later.
    package func draft(_ name: String) throws(SystemError) -> AtomicFile {
        try AtomicFile(name, in: incoming)
    }

    /// Writes and publishes a small file: ``AtomicFile/publish(_:in:as:through:)``.
    package func publish(
        _ bytes: [UInt8], in folder: Directory, as name: String
    ) throws(SystemError) {
        try AtomicFile.publish(bytes, in: folder, as: name, through: incoming)
    }

    /// Publishes `bytes` at `path`, relative to the root, unless the file already has these contents.
    ///
    /// Anything else with that name is replaced; a symbolic link is never followed. A missing directory is
    /// created.
    ///
    /// - Returns: Whether the file was written; then it is durable.
    /// - Throws: ``SystemError``; `ENOSPC` if the disk counts as full. The earlier file is unchanged
    ///   then.
    @discardableResult
    package func publish(_ bytes: [UInt8], at path: String) throws(SystemError) -> Bool {
        let (folderPath, name) = Layout.split(path)
        let folder = try tree.root.makeDirectory(folderPath)
        if let status = try folder.status(name), status.kind == .file, status.size == bytes.count,
            try folder.read(name) == bytes
        {
            return false
        }
        try checkFreeSpace(for: bytes.count + 1, at: "\(tree.root.path)/\(path)")
        try publish(bytes, in: folder, as: name)
        return true
    }

    /// Publishes a file of `day` at `path`, with the time of that day; it replaces anything of that name.
    package func publish(_ bytes: [UInt8], of day: Day, at path: String) throws(SystemError) {
        let (folder, name) = Layout.split(path)
        defer { snapshots.recordChange(of: day) }
        let draft = try draft("\(day).\(name).part")
        try draft.write(bytes)
        try draft.file.setModified(day.noon, path: draft.path)
        try draft.publish(in: try tree.root.makeDirectory(folder), as: name)
    }

    // MARK: The record of a day

    /// The record of `day`; `nil` if there is none or it is damaged.
    package func record(of day: Day) throws(SystemError) -> DayRecord? {
        try recordJSON(of: day).flatMap { DayRecord($0, of: day) }
    }

    /// The record of `day`; `nil` if there is none, or if it breaks a rule of the schema.
    func validRecord(of day: Day) throws(SystemError) -> DayRecord? {
        guard let json = try recordJSON(of: day),
            DayRecord.violations(of: json, day: day).isEmpty
        else { return nil }
        return DayRecord(json, of: day)
    }

    /// The keys that a user added to the record of `day`, which may break a rule of the schema.
    func unknownKeys(of day: Day) -> [JSON.Member] {
        (try? recordJSON(of: day)).flatMap(\.self).map(DayRecord.unknownKeys) ?? []
    }

    /// The record of `day`, for what is made from it and not made again before it changes.
    ///
    /// - Throws: ``SystemError`` if the disk returns an error, which may pass.
    package func readRecord(of day: Day) throws(SystemError) -> DayRecord? {
        do {
            let bytes = try tree.root.read(Layout.recordPath(of: day))
            return bytes.flatMap { try? JSON(parsing: $0) }.flatMap { DayRecord($0, of: day) }
        } catch  where error.isInvalidFile || error.isNotDirectory {
            return nil
        }
    }

    private func recordJSON(of day: Day) throws(SystemError) -> JSON? {
        // What cannot be read is damaged, whatever the reason.
        try ifReadable(tree.root.read(Layout.recordPath(of: day))).flatMap {
            try? JSON(parsing: $0)
        }
    }

    // MARK: Pictures and videos

    func path(of entry: Entry, _ type: MediaType, replacing earlier: String?) -> String {
        Layout.mediaPath(of: entry.day, title: entry.title, type.fileExtension, replacing: earlier)
    }

    /// The path for a new file of `entry` that replaces the `earlier` one: with a number where a user's own file
    /// has the name.
    ///
    /// Only a record tells them apart: without one, what has the name of a file of the mirror is taken for it.
    func freePath(
        of entry: Entry, _ type: MediaType, replacing earlier: String?, isRecorded: Bool
    ) throws(SystemError) -> String {
        let path = path(of: entry, type, replacing: earlier)
        guard isRecorded, path != earlier, let (stem, ending) = path.splitAtLastDot else {
            return path
        }
        let (folder, name) = Layout.split(String(stem))
        var free = path
        var number = 1
        while try isUsers(free, of: entry.day) {
            number += 1
            free = "\(folder)/\(FileName.numbered(name, number))\(ending)"
        }
        return free
    }

    /// Whether there is a file at `path` that the mirror did not publish.
    private func isUsers(_ path: String, of day: Day) throws(SystemError) -> Bool {
        guard try tree.root.status(path)?.kind == .file else { return false }
        // mutant: free-name
        return try !tree.isPublished(Array(path.utf8), of: day)
    }

    /// Completes or rolls back every interrupted publication.
    ///
    /// On failure the next sync of that day tries again.
    private func resumePublications() {
        let names = (try? incoming.textNames()) ?? []
        for day in Set(names.filter(DayPublisher.isStaged).compactMap { FileName.day(of: $0) }) {
            try? DayPublisher(store: self, day: day).resume()
        }
    }

    // MARK: State files

    /// The stored state; empty if it cannot be read, whatever is in its place.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are exhausted.
    package func state() throws(SystemError) -> SyncState {
        try tree.state(at: Layout.state) ?? SyncState()
    }

    package func save(_ state: SyncState) throws(SystemError) {
        try write(state, to: Layout.state)
    }

    /// Writes a small file atomically; a directory in its place is moved into `damaged/`.
    package func write(_ json: JSON, to path: String) throws(SystemError) {
        try replace(json.document, at: path)
    }

    /// Writes a state atomically; a directory in its place is moved into `damaged/`.
    package func write(_ state: some Encodable, to path: String) throws(SystemError) {
        try replace(state.stateDocument, at: path)
    }

    private func replace(_ bytes: [UInt8], at path: String) throws(SystemError) {
        let (folder, name) = Layout.split(path)
        if try tree.root.status(path)?.kind == .directory { try moveDamaged(path) }
        try publish(bytes, in: try tree.root.makeDirectory(folder), as: name)
    }
}

extension Tree {
    /// Checks that this user may read `state.json`: what it says must not be taken for unknown.
    package func checkStateIsReadable() throws(SystemError) {
        do throws(SystemError) {
            _ = try root.read(Layout.state)
        } catch  where error.isPermissionDenied {
            throw error
        } catch {}
    }
}
