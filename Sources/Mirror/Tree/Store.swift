internal import APOD
internal import Glibc
package import Platform
internal import Transfer

/// The access of a process to the mirror: it knows the open directories, and publishes files.
///
/// A file is *published* in three steps, so that nobody sees a part of it: it is written as a draft in `incoming/`, flushed,
/// and renamed to its final name. A process that writes the mirror has one store, which its services share. Extensions in the
/// files `Store+….swift` have one task each, such as the records or the trash.
package struct Store: Sendable {
    package let tree: Tree
    /// The number of bytes that stay free on the disk: the setting `--min-free`.
    let minimumFree: Int
    /// The open directory `incoming/`; `nil` in a store that only reads.
    private let writableIncoming: SharedValue<Directory>?
    /// The snapshot of the tree that all services read; the store reports each day that it changes to it.
    package let snapshots: SnapshotOwner
    /// The days that one service changes or verifies at the moment.
    package let claims = DayClaims()
    /// The space on the disk that running downloads have reserved.
    let space: SpaceReservations
    let checkedMonths = CheckedMonths()
    /// Locked while a file of a ``ViewTable`` is read and replaced.
    let viewTables = SharedValue(())
    /// The result of ``keepsTimes()``; `nil` before its first call.
    private let knownToKeepTimes = SharedValue(Bool?.none)

    private init(_ tree: Tree, minimumFree: Int, incoming: Directory?) {
        self.tree = tree
        self.minimumFree = minimumFree
        writableIncoming = incoming.map { SharedValue($0) }
        snapshots = SnapshotOwner(of: tree.root)
        space = SpaceReservations { () throws(SystemError) in
            max(0, try tree.root.freeBytes() - minimumFree)
        }
    }

    /// Makes the main store of a process that writes.
    ///
    /// It finishes what a killed process left: publications, and the removal of published pictures from `adopted/`.
    package init(tree: Tree, minimumFree: Int) throws(SystemError) {
        try self.init(besideWriterOf: tree, minimumFree: minimumFree)
        resumePublications()
        clearPublishedDaysInAdopted()
    }

    /// Makes a store that writes small files beside the main store of a process, and leaves its publications alone.
    package init(besideWriterOf tree: Tree, minimumFree: Int = 0) throws(SystemError) {
        self.init(
            tree, minimumFree: minimumFree, incoming: try tree.root.makeDirectory(Layout.incoming))
    }

    /// Makes a store that only reads: all functions that write throw ``SystemError`` with `EROFS`.
    package init(reading tree: Tree) {
        self.init(tree, minimumFree: 0, incoming: nil)
    }

    /// Finishes or rolls back interrupted publications; if that fails, the next sync of the day tries again.
    private func resumePublications() {
        let names = (try? incoming.textNames()) ?? []
        let stagedNames = names.filter(DayPublisher.isStagedName)
        for day in Set(stagedNames.compactMap { FileName.day(of: $0) }) {
            try? DayPublisher(store: self, day: day).resume()
        }
    }

    package var isWritable: Bool { writableIncoming != nil }

    /// The directory in which all files are written before they are published.
    ///
    /// If it was deleted, as by a program that deletes empty folders, it is made again.
    var incoming: Directory {
        get throws(SystemError) {
            guard let writableIncoming else {
                throw SystemError("open", path: "\(tree.root.path)/\(Layout.incoming)", code: EROFS)
            }
            return try writableIncoming.withLock { incoming throws(SystemError) in
                // Without `.apod-mirror/`, there is no mirror any more.
                if try incoming.status().isDeleted, let own = try tree.root.folder(Layout.own) {
                    incoming = try own.makeDirectory(Layout.split(Layout.incoming).name)
                }
                return incoming
            }
        }
    }

    /// Checks that the open directories of the mirror and of `incoming/` are still those at their paths.
    func checkIsInPlace() throws(TreeError) {
        try tree.checkIsInPlace()
        let isSame: Bool
        do throws(SystemError) {
            let open = try incoming.status()
            isSame = try tree.root.status(Layout.incoming)?.identity == open.identity
        } catch {
            isSame = !error.provesReplacement
        }
        guard isSame else { throw .replaced("\(tree.root.path)/\(Layout.incoming)") }
    }

    // MARK: Space on the disk

    /// The free bytes beyond ``minimumFree`` that no running download has reserved.
    package func availableBytes() throws(SystemError) -> Int { try space.available() }

    /// The bytes that records and state files may need: if fewer are available, the disk counts as full.
    package static let spaceForRecords = 64 << 10

    /// Checks that `bytes` can be written without using the space that ``minimumFree`` keeps.
    ///
    /// - Throws: ``SystemError``: with `ENOSPC` and `path`, by default the root, if there is too little space.
    package func checkFreeSpace(
        for bytes: Int = Self.spaceForRecords, at path: String? = nil
    ) throws(SystemError) {
        guard try availableBytes() >= bytes else {
            throw SystemError("write", path: path ?? tree.root.path, code: ENOSPC)
        }
    }

    /// Checks that a file of `bytes` can be written; even for an empty file, one byte must be free.
    @Sendable package func checkFreeSpace(forFileOf bytes: Int) throws(SystemError) {
        try checkFreeSpace(for: bytes + 1)
    }

    /// Writes a small file and deletes it again, to find out whether the disk takes one.
    func testWrite() throws(SystemError) {
        // The draft is never published, and so deleted when it goes out of scope.
        try draft("probe").write([UInt8](repeating: 0, count: Self.spaceForRecords))
    }

    /// Whether the disk stores the modification times that the mirror gives to files; the first call tries it.
    package func keepsTimes() throws(SystemError) -> Bool {
        try knownToKeepTimes.withLock { known throws(SystemError) in
            if let known { return known }
            let keepsTimes = try incoming.supports(.modificationTime, prefix: "trial")
            known = keepsTimes
            return keepsTimes
        }
    }

    // MARK: Drafts

    /// Creates a file in `incoming/`, whose name begins with `name`, to be published later.
    package func draft(_ name: String) throws(SystemError) -> AtomicFile {
        try AtomicFile(name, in: incoming)
    }

    /// Makes a file in `incoming/`, to be published later, with the contents of the file at `path`.
    ///
    /// It is a hard link, or a copy where the disk has no hard links. The caller sets the modification time.
    func duplicate(_ path: String, as name: String) throws(SystemError) -> AtomicFile {
        try AtomicFile.duplicate(
            of: path, in: tree.root, as: name, in: incoming, limit: Layout.largestFile,
            reserve: checkFreeSpace(forFileOf:))
    }

    /// Fills the empty file `draft` with the contents of `source`.
    ///
    /// - Throws: ``SystemError``: `ENOSPC` if the disk counts as full, `EFBIG` for more than ``Layout/largestFile``.
    package func copy(
        _ source: borrowing FileDescriptor, into draft: borrowing AtomicFile
    ) throws(SystemError) {
        try draft.copy(source, limit: Layout.largestFile, reserve: checkFreeSpace(forFileOf:))
    }

    // MARK: Publishing small files

    /// Publishes a small file at `path` in place of what is there, even if the disk counts as full.
    package func publish(_ bytes: [UInt8], at path: String) throws(SystemError) {
        let (folder, name) = Layout.split(path)
        try AtomicFile.publish(
            bytes, in: try tree.root.makeDirectory(folder), as: name, through: incoming)
    }

    /// Publishes a small file of the day of `record`, such as its redirect page, at `path`.
    ///
    /// The file gets the modification time that a picture of `record` has. The snapshot reads the day again.
    func publishDayFile(
        _ bytes: [UInt8], of record: DayRecord, at path: String
    ) throws(SystemError) {
        let day = record.entry.day
        let (folder, name) = Layout.split(path)
        // After an error, too, because the file may have got its name before.
        defer { snapshots.recordChange(of: day) }
        let draft = try draft("\(day).\(name).part")
        try draft.write(bytes)
        draft.file.setModified(record.fileTime)
        try draft.publish(in: try tree.root.makeDirectory(folder), as: name, isVisible: true)
    }

    /// Publishes `state` as JSON at `path`; a directory at `path` is moved into `damaged/` before.
    package func write(_ state: some Encodable, to path: String) throws(SystemError) {
        try writeState(state.stateDocument, to: path)
    }

    /// Publishes a state file whose contents the caller has made, as ``write(_:to:)`` does.
    func writeState(_ document: [UInt8], to path: String) throws(SystemError) {
        if try tree.root.status(path)?.kind == .directory { try moveDamaged(path, of: nil) }
        try publish(document, at: path)
    }
}
