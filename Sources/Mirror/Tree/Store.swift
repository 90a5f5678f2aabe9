package import APOD
internal import Glibc
internal import JSON
package import Platform
internal import Transfer

/// Reads and writes the files of a tree; every file is written to `incoming/`, flushed and renamed.
package struct Store: Sendable {
    package let tree: Tree
    /// The directory of unpublished files; in a tree opened for reading the root, and never written.
    let incoming: Directory
    /// The snapshot of the tree; the store records there which days it changes.
    package let snapshots: SnapshotOwner
    /// The space of the downloads under way.
    let space: SpaceReservations

    private init(_ tree: Tree, minimumFree: Int, incoming: Directory) {
        self.tree = tree
        self.incoming = incoming
        snapshots = SnapshotOwner(of: tree.root)
        space = SpaceReservations { () throws(SystemError) in
            max(0, try tree.root.freeBytes() - minimumFree)
        }
    }

    /// A store that writes; it first finishes interrupted publications.
    package init(tree: Tree, minimumFree: Int) throws(SystemError) {
        self.init(
            tree, minimumFree: minimumFree,
            incoming: try tree.root.makeDirectory(Layout.incoming))
        resumePublications()
        removePublishedFromAdopted()
    }

    package init(reading tree: Tree) {
        self.init(tree, minimumFree: 0, incoming: tree.root)
    }

    /// The bytes that can be written before the disk counts as full.
    package func availableBytes() throws(SystemError) -> Int { try space.available() }

    /// The space for records and state, in bytes; with less, the disk counts as full.
    package static let minimumSpace = 64 << 10

    /// - Throws: ``SystemError``; `ENOSPC` if fewer than `bytes` can be written.
    package func checkFreeSpace(for bytes: Int = Self.minimumSpace) throws(SystemError) {
        try checkFreeSpace(for: bytes, at: tree.root.path)
    }

    /// - Throws: ``SystemError`` of `path`; `ENOSPC` if fewer than `bytes` can be written.
    package func checkFreeSpace(for bytes: Int, at path: String) throws(SystemError) {
        guard try availableBytes() >= bytes else {
            throw SystemError("write", path: path, code: ENOSPC)
        }
    }

    /// Fills the empty file `draft` with the contents of `source`, at most ``Layout/largestFile``.
    ///
    /// - Throws: ``SystemError``; `ENOSPC` if the disk counts as full.
    package func copy(
        _ source: borrowing FileDescriptor, into draft: borrowing AtomicFile
    ) throws(SystemError) {
        try draft.copy(source, limit: Layout.largestFile) { bytes throws(SystemError) in
            try checkFreeSpace(for: bytes + 1)
        }
    }

    /// Checks that the open tree and the open `incoming/` are those at the path of the mirror.
    ///
    /// - Throws: ``TreeError/replaced(_:)``, as ``Tree/checkIsInPlace()`` does.
    func checkIsInPlace() throws(TreeError) {
        try tree.checkIsInPlace()
        let found = (try? tree.root.status(Layout.incoming)) ?? nil
        guard let found, found.identity == (try? incoming.status())?.identity else {
            throw .replaced("\(tree.root.path)/\(Layout.incoming)")
        }
    }

    /// Throws unless a small file, which is removed, can be written.
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
    /// Anything else with that name is replaced, also a symbolic link; a missing directory is created.
    ///
    /// - Returns: Whether the file was written; then it is durable.
    /// - Throws: ``SystemError``, and the earlier file is unchanged; `ENOSPC` if the disk counts as full.
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

    /// Publishes a file of `day` at `path`, with the time of that day; anything of that name is replaced.
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
    package func validRecord(of day: Day) throws(SystemError) -> DayRecord? {
        guard let json = try recordJSON(of: day),
            DayRecord.violations(of: json, day: day).isEmpty
        else { return nil }
        return DayRecord(json, of: day)
    }

    /// The keys that a user added to the record of `day`, also to one that breaks a rule of the schema.
    func unknownKeys(of day: Day) -> [JSON.Member] {
        (try? recordJSON(of: day)).flatMap(\.self).map(DayRecord.unknownKeys) ?? []
    }

    /// The record of `day`; `nil` if there is none or it is damaged.
    ///
    /// - Throws: ``SystemError`` also if the disk returns an error, which may pass: what is made from the
    ///   record would be made without it, and not again before the record changes.
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

    /// The path for a new file of `entry` that replaces the file at `earlier`: with a number where a user's
    /// own file has the name.
    ///
    /// Of a day without a record, a file of that name counts as the mirror's.
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
        while try isUsersFile(free, of: entry.day) {
            number += 1
            free = "\(folder)/\(FileName.numbered(name, number))\(ending)"
        }
        return free
    }

    /// Whether there is a file at `path` that the mirror did not publish.
    private func isUsersFile(_ path: String, of day: Day) throws(SystemError) -> Bool {
        guard try tree.root.status(path)?.kind == .file else { return false }
        // mutation test: free-name
        return try !tree.isPublished(Array(path.utf8), of: day)
    }

    /// Finishes or rolls back interrupted publications; after a failure, the next sync of the day does.
    private func resumePublications() {
        let names = (try? incoming.textNames()) ?? []
        for day in Set(names.filter(DayPublisher.isStaged).compactMap { FileName.day(of: $0) }) {
            try? DayPublisher(store: self, day: day).resume()
        }
    }

    // MARK: State files

    /// The stored state; empty if `state.json` is missing, damaged or no file.
    ///
    /// - Throws: ``SystemError`` if descriptors or memory are exhausted.
    package func state() throws(SystemError) -> SyncState {
        try tree.state(at: Layout.state) ?? SyncState()
    }

    package func save(_ state: SyncState) throws(SystemError) {
        try write(state, to: Layout.state)
    }

    /// Writes a state atomically; a directory in its place is moved into `damaged/`.
    package func write(_ state: some Encodable, to path: String) throws(SystemError) {
        let (folder, name) = Layout.split(path)
        if try tree.root.status(path)?.kind == .directory { try moveDamaged(path) }
        try publish(state.stateDocument, in: try tree.root.makeDirectory(folder), as: name)
    }
}

extension Tree {
    /// Checks that this user may read `state.json`, which ``Store/state()`` would take for missing.
    package func checkStateIsReadable() throws(SystemError) {
        do throws(SystemError) {
            _ = try root.read(Layout.state)
        } catch  where error.isPermissionDenied {
            throw error
        } catch {}
    }
}
