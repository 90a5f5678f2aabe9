package import APOD
internal import Glibc
internal import JSON
internal import MediaFormat
package import Platform
internal import Synchronization
internal import Transfer

/// Reads and writes the files of a mirror; every file is written to `incoming/`, flushed and renamed.
///
/// The files named Store+… have what concerns days with files, free names, previous and damaged files, the trash, adopted
/// pictures, and redirect pages.
package struct Store: Sendable {
    package let tree: Tree
    /// The bytes that stay free on the disk: `--min-free`.
    let minimumFree: Int
    /// The open `incoming/`; `nil` in a store that only reads.
    private let writableIncoming: Directory?
    /// The snapshot of the tree, to which the store reports which days it changes.
    package let snapshots: SnapshotOwner
    package let claims = DayClaims()
    /// The space of the downloads under way.
    let space: SpaceReservations
    let checkedMonths = CheckedMonths()
    /// Locked while a ``ViewTable`` is replaced.
    let viewTables = SharedValue(())
    private let knownToKeepTimes = SharedValue(Bool?.none)

    private init(_ tree: Tree, minimumFree: Int, incoming: Directory?) {
        self.tree = tree
        self.minimumFree = minimumFree
        writableIncoming = incoming
        snapshots = SnapshotOwner(of: tree.root)
        space = SpaceReservations { () throws(SystemError) in
            max(0, try tree.root.freeBytes() - minimumFree)
        }
    }

    /// A store that writes, after it has finished the publications that a killed process left.
    package init(tree: Tree, minimumFree: Int) throws(SystemError) {
        self.init(
            tree, minimumFree: minimumFree,
            incoming: try tree.root.makeDirectory(Layout.incoming))
        resumePublications()
        removePublishedFromAdopted()
    }

    /// A store that writes small files beside the main store of a process, whose publications it leaves alone.
    package init(besideWriterOf tree: Tree, minimumFree: Int = 0) throws(SystemError) {
        self.init(
            tree, minimumFree: minimumFree, incoming: try tree.root.makeDirectory(Layout.incoming))
    }

    /// A store that only reads: a publication throws ``SystemError``, `EROFS`.
    package init(reading tree: Tree) {
        self.init(tree, minimumFree: 0, incoming: nil)
    }

    package var isWritable: Bool { writableIncoming != nil }

    /// The directory of unpublished files, through which all files are published.
    var incoming: Directory {
        get throws(SystemError) {
            guard let writableIncoming else {
                throw SystemError("open", path: "\(tree.root.path)/\(Layout.incoming)", code: EROFS)
            }
            return writableIncoming
        }
    }

    package func availableBytes() throws(SystemError) -> Int { try space.available() }

    /// The bytes for records and state: with less available, beyond ``minimumFree``, the disk counts as full.
    package static let spaceForRecords = 64 << 10

    /// - Throws: ``SystemError`` of `path`, by default the root; `ENOSPC` if fewer than `bytes` can be written.
    package func checkFreeSpace(
        for bytes: Int = Self.spaceForRecords, at path: String? = nil
    ) throws(SystemError) {
        guard try availableBytes() >= bytes else {
            throw SystemError("write", path: path ?? tree.root.path, code: ENOSPC)
        }
    }

    /// Checks that a file of `bytes` can be written; without space, an empty file is refused, too.
    @Sendable package func checkFreeSpace(forFileOf bytes: Int) throws(SystemError) {
        try checkFreeSpace(for: bytes + 1)
    }

    /// Fills the empty file `draft` with the contents of `source`.
    ///
    /// - Throws: ``SystemError``; `ENOSPC` if the disk counts as full, `EFBIG` above ``Layout/largestFile``.
    package func copy(
        _ source: borrowing FileDescriptor, into draft: borrowing AtomicFile
    ) throws(SystemError) {
        try draft.copy(
            source, limit: Layout.largestFile, reserve: checkFreeSpace(forFileOf:))
    }

    /// Checks that the open tree and the open `incoming/` are still the directories at the path of the mirror.
    func checkIsInPlace() throws(TreeError) {
        try tree.checkIsInPlace()
        let isSame: Bool
        do throws(SystemError) {
            let found = try tree.root.status(Layout.incoming)
            isSame = try found?.identity == incoming.status().identity
        } catch {
            isSame = !error.provesReplacement
        }
        guard isSame else { throw .replaced("\(tree.root.path)/\(Layout.incoming)") }
    }

    /// Throws unless a small file can be written.
    func testWrite() throws(SystemError) {
        // An unpublished draft is removed at its end.
        try draft("probe").write([UInt8](repeating: 0, count: Self.spaceForRecords))
    }

    /// Whether the disk keeps the modification times that files are given; tried once, at the first call.
    package func keepsTimes() throws(SystemError) -> Bool {
        try knownToKeepTimes.withLock { known throws(SystemError) in
            if let known { return known }
            let keepsTimes = try incoming.supports(.modificationTime, prefix: "trial")
            known = keepsTimes
            return keepsTimes
        }
    }

    /// Creates a file to be published later.
    package func draft(_ name: String) throws(SystemError) -> AtomicFile {
        try AtomicFile(name, in: incoming)
    }

    // MARK: Publishing small files

    /// Publishes a small file at `path`, in place of anything of its name, even if the disk counts as full.
    package func publish(_ bytes: [UInt8], at path: String) throws(SystemError) {
        let (folder, name) = Layout.split(path)
        try AtomicFile.publish(
            bytes, in: try tree.root.makeDirectory(folder), as: name, through: incoming)
    }

    /// Publishes a small file that belongs to the day of `record`, such as its redirect page, at `path`.
    ///
    /// It gets the modification time of a picture of `record`, and the snapshot reads the day again.
    func publishDayFile(
        _ bytes: [UInt8], of record: DayRecord, at path: String
    ) throws(SystemError) {
        let day = record.entry.day
        let (folder, name) = Layout.split(path)
        // Also after an error, because the file may have been renamed before.
        defer { snapshots.recordChange(of: day) }
        let draft = try draft("\(day).\(name).part")
        try draft.write(bytes)
        draft.file.setModified(record.fileTime)
        try draft.publish(in: try tree.root.makeDirectory(folder), as: name, isVisible: true)
    }

    // MARK: The record of a day

    /// The record of `day`; `nil` if there is none, or it is damaged, or it `mustBeValid` and breaks a rule of the schema.
    package func record(
        of day: Day, mustBeValid: Bool = false
    ) throws(SystemError) -> DayRecord? {
        guard let json = try recordJSON(of: day) else { return nil }
        if mustBeValid, !DayRecord.violations(of: json, day: day).isEmpty { return nil }
        return DayRecord(json, of: day)
    }

    /// The keys that a user added to the record of `day`, even if the record breaks a rule of the schema.
    func unknownKeys(of day: Day) throws(SystemError) -> [JSON.Member] {
        guard let json = try recordJSON(of: day) else { return [] }
        return DayRecord.unknownKeys(of: json)
    }

    /// The record of `day`; `nil` also if it cannot be read, for a list that leaves such a day out.
    ///
    /// - Throws: ``SystemError`` if memory or descriptors are used up, because all days would be left out.
    package func knownRecord(of day: Day) throws(SystemError) -> DayRecord? {
        do {
            return try record(of: day)
        } catch  where error.cause != .shortage {
            return nil
        }
    }

    private func recordJSON(of day: Day) throws(SystemError) -> JSON? {
        try ifValid(tree.root.read(Layout.recordPath(of: day))).flatMap { try? JSON(parsing: $0) }
    }

    // MARK: Pictures and videos

    /// Finishes or rolls back interrupted publications; after a failure, the next sync of the day does.
    private func resumePublications() {
        let names = (try? incoming.textNames()) ?? []
        for day in Set(names.filter(DayPublisher.isStaged).compactMap { FileName.day(of: $0) }) {
            try? DayPublisher(store: self, day: day).resume()
        }
    }

    /// A file to be published with the contents of the one at `path`: a hard link, else a copy, whose time the caller sets.
    func duplicate(_ path: String, as name: String) throws(SystemError) -> AtomicFile {
        try AtomicFile.duplicate(
            of: path, in: tree.root, as: name, in: incoming, limit: Layout.largestFile,
            reserve: checkFreeSpace(forFileOf:))
    }

    // MARK: State files

    /// The stored state; empty if `state.json` is missing or damaged.
    package func state() throws(SystemError) -> SyncState {
        try tree.state(at: Layout.state) ?? SyncState()
    }

    package func save(_ state: SyncState) throws(SystemError) {
        try write(state, to: Layout.state)
    }

    /// Writes a state atomically; a directory in its place is moved into `damaged/`.
    package func write(_ state: some Encodable, to path: String) throws(SystemError) {
        try writeState(state.stateDocument, to: path)
    }

    func writeState(_ document: [UInt8], to path: String) throws(SystemError) {
        if try tree.root.status(path)?.kind == .directory { try moveDamaged(path, of: nil) }
        try publish(document, at: path)
    }
}

/// The days whose files a task of this process changes or verifies: no other task touches them meanwhile.
///
/// A sync claims the days that it downloads or removes, a verification the day that it reads and repairs. A task that does
/// not get a day leaves it to its next turn, so that no task waits.
package final class DayClaims: Sendable {
    private let claimed = Mutex<Set<Day>>([])

    /// Claims `day`; returns `false` if another task has it.
    package func claim(_ day: Day) -> Bool { claimed.withLock { $0.insert(day).inserted } }

    package func release(_ day: Day) { claimed.withLock { _ = $0.remove(day) } }
}
