internal import Glibc
package import Platform

/// The open directory of a mirror, which has the marker `.apod-mirror/mirror.json`.
///
/// ``reading(_:known:)`` and ``writing(_:known:as:)`` open it. A tree that is open for writing holds the lock of the mirror
/// as long as it exists, so that one process at a time writes. ``Store`` reads and writes the files in the tree.
package final class Tree: Sendable {
    package let root: Directory
    /// The random identifier in the marker, which stays the same when the mirror is moved to another path.
    package let id: String
    /// The downloads during which earlier processes ended; empty until the first sync reads them.
    let unfinishedDownloads = SharedValue(UnfinishedDownloads())
    /// The moves that nobody has reported yet, in their order.
    let movedItems: SharedValue<[MovedItem]>
    /// `nil` in a tree that is open for reading.
    private let lock: FileLock?
    /// The list of the mirrors that this user has opened; `nil` in a tree that is open for reading.
    private let known: KnownMirrors?

    init(
        root: Directory, id: String, movedItems: [MovedItem] = [], lock: consuming FileLock? = nil,
        known: KnownMirrors? = nil
    ) {
        self.root = root
        self.id = id
        self.movedItems = SharedValue(movedItems)
        self.lock = lock
        self.known = known
    }

    // MARK: Identity

    /// Checks that the open directory and the held lock are still those at the path of the mirror.
    ///
    /// If the disk failed and was mounted again, or if somebody replaced the directory, only this process sees the directory
    /// that it has opened. What it writes there would be lost, and another process may get the lock.
    package func checkIsInPlace() throws(TreeError) {
        // mutation test: replaced-tree (see Tests/Mutants)
        guard isInPlace else { throw isGone ? .gone(root.path) : .replaced(root.path) }
    }

    /// Whether there is certainly no mirror with this ``id`` at the path: neither this one nor one restored from its copy.
    private var isGone: Bool {
        do throws(TreeError) {
            return try Marker(in: Self.open(root.path))?.id != id
        } catch {
            return error == .notAMirror(root.path) || error == .notADirectory(root.path)
        }
    }

    private var isInPlace: Bool {
        do throws(SystemError) {
            let found = try Directory(opening: root.path)
            let foundRoot = try found.status().identity
            let openRoot = try root.status().identity
            let foundLock = try found.status(Layout.lock)?.identity
            let heldLock = try lock?.identity()
            return foundRoot == openRoot && foundLock == heldLock
        } catch {
            return !error.provesReplacement
        }
    }

    /// Adds this mirror to the list of known ones if it is not there, so that a later process notices if its disk is away.
    package func addToKnownMirrors() {
        guard let device = try? root.status().identity.device else { return }
        known?.addIfMissing(root.path, on: UInt(device))
    }

    /// The process that holds the lock of the mirror in `root`, perhaps this one; `nil` if there is none, or this user may not
    /// know.
    package static func writer(in root: Directory) -> FileLock.Holder? {
        guard let internalFolder = try? root.folder(Layout.own) else { return nil }
        return try? FileLock.holder(Layout.lockNames, in: internalFolder)
    }

    /// Whether certainly no process has the lock of the mirror that is now at the path of this one.
    package var isUnlocked: Bool {
        guard let internalFolder = try? root.folder(Layout.own) else { return false }
        return FileLock.isFree(Layout.lockNames, in: internalFolder)
    }

    // MARK: Files

    /// Returns what this process has moved out of the way of the mirror's files since the last call; the caller reports it.
    ///
    /// Not only syncs move items: opening the tree for writing, and the start of a ``Store``, do so, too.
    package func takeMovedItems() -> [MovedItem] {
        movedItems.withLock { items in
            defer { items = [] }
            return items
        }
    }

    /// Whether there is a file at `path`, relative to the root.
    package func exists(_ path: String) throws(SystemError) -> Bool { try fileSize(path) != nil }

    /// Whether there is a file of the recorded size at the path of `file`; the daily verification checks its contents.
    package func hasFile(_ file: RecordedFile) throws(SystemError) -> Bool {
        try fileSize(file.path) == file.bytes
    }

    /// Whether the picture or video at `path`, which the record of a day names, is gone, so that nobody can open it there.
    ///
    /// Whatever shows a day asks this before it names the file. A file that cannot be examined is not gone. `files` is the
    /// listing of the day, if the caller has one: a file in it is not looked up on the disk.
    package func hasLost(_ path: String, listedIn files: TreeSnapshot.DayFiles? = nil) -> Bool {
        files?.listedFile(at: path) == nil && root.isCertainlyMissing(path)
    }

    /// The size of the file at `path`; `nil` if there is none, or only something else, such as a directory.
    package func fileSize(_ path: String) throws(SystemError) -> Int? {
        let status = try ifValid(root.status(path))
        return status?.kind == .file ? status?.size : nil
    }
}

extension SystemError {
    /// Whether the error of examining a path proves that the item is gone, or that another one is there.
    ///
    /// Any other error, such as a lack of descriptors, proves nothing about the path.
    var provesReplacement: Bool { code == ENOENT || isNotDirectory || code == ESTALE }
}
