internal import APOD
internal import Glibc
package import Platform
internal import Transfer

/// The access of a process to the mirror, which all its services share: the open directories, and the means to write files.
///
/// A file is *published* in three steps, so that nobody sees a part of it: it is written as a draft in `incoming/`, flushed,
/// and renamed to its final name. Extensions in the files `Store+….swift` have one task each, such as publishing small files,
/// the records, or the trash.
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
    /// The state that a sync of this process saved last, or could not save; `nil` if there is none.
    let lastState = SharedValue(SyncState?.none)
    /// Locked while a file of a ``ViewTable`` is read and replaced.
    let viewTables = SharedValue(())
    /// The result of ``keepsTimes()``; `nil` before its first call.
    let knownToKeepTimes = SharedValue(Bool?.none)

    // MARK: Opening

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
    package init(reading tree: Tree) { self.init(tree, minimumFree: 0, incoming: nil) }

    // MARK: The open directories

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

    // MARK: Drafts

    /// Creates a file in `incoming/`, whose name begins with `name`, to be published later.
    package func makeDraft(_ name: String) throws(SystemError) -> AtomicFile {
        try AtomicFile(name, in: incoming)
    }

    /// Makes a file in `incoming/`, to be published later, with the contents of the file at `path`.
    ///
    /// It is a reflink or a hard link, or a copy where the disk has neither. The caller sets the modification time.
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
}
