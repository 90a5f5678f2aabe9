internal import Glibc
package import Platform

/// The open directory of a mirror, known by its marker `.apod-mirror/mirror.json`; see ``reading(_:known:)`` and
/// ``writing(_:known:as:)``.
///
/// A tree opened for writing holds the lock during its life: there is one writer at a time. ``Store`` reads and
/// writes its files.
package final class Tree: Sendable {
    package let root: Directory
    /// The random identifier in the marker, which stays the same when the mirror is moved to another path.
    package let id: String
    /// The names of foreign items that this process moved from `incoming/` to `aside/` when it opened the tree for writing.
    package let movedAside: [String]
    /// Empty until the first sync.
    let unfinishedDownloads = SharedValue(UnfinishedDownloads())
    /// `nil` in a tree that is open for reading.
    private let lock: FileLock?

    init(
        root: Directory, id: String, movedAside: [String] = [], lock: consuming FileLock? = nil
    ) {
        self.root = root
        self.id = id
        self.movedAside = movedAside
        self.lock = lock
    }

    // MARK: Identity

    /// Checks that the open directory and the held lock are still those at the path of the mirror.
    ///
    /// If a disk failed and returned, or somebody exchanged the directory, nobody else sees the open directory: what this
    /// process writes is lost, and another process gets the lock.
    func checkIsInPlace() throws(TreeError) {
        // mutation test: replaced-tree
        guard isInPlace else { throw .replaced(root.path) }
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

    /// The ID of the process that writes the mirror, this one or another; `nil` as for ``writer(in:)``.
    package var writer: Int32? { Self.writer(in: root)?.process }

    /// The process that holds the lock of the mirror in `root`; `nil` if there is none, or this user may not know.
    package static func writer(in root: Directory) -> FileLock.Holder? {
        guard let internalFolder = try? root.folder(Layout.own) else { return nil }
        return try? FileLock.holder(Layout.lockNames, in: internalFolder)
    }

    // MARK: Files

    /// Whether there is a file at `path`, relative to the root.
    package func exists(_ path: String) throws(SystemError) -> Bool { try fileSize(path) != nil }

    /// Whether there is a file of the recorded size at the path of `file`; its contents are verified once a month.
    package func hasFile(_ file: RecordedFile) throws(SystemError) -> Bool {
        try fileSize(file.path) == file.bytes
    }

    /// The size of the file at `path`; `nil` if there is none, or only something else, such as a directory.
    package func fileSize(_ path: String) throws(SystemError) -> Int? {
        let status = try ifValid(root.status(path))
        return status?.kind == .file ? status?.size : nil
    }
}

extension SystemError {
    /// Whether the error of examining a path means that something else is there now, or nothing.
    ///
    /// Another error, such as a lack of descriptors, proves nothing.
    var provesReplacement: Bool { code == ENOENT || isNotDirectory || code == ESTALE }
}
