internal import CLinux
internal import Glibc

/// An open directory, by which this program reads and changes everything beneath it.
///
/// Every path is resolved beneath the directory and without following symbolic links: a link in a path
/// fails with `ELOOP`, see openat2(2). Operations on a name, such as ``remove(_:)``, open its parent in the
/// same way. A path has one slash between two names, and no `.` or `..` among them; `.` alone is the directory.
package final class Directory: Sendable {
    /// The path of the directory in errors.
    package let path: String
    /// Open as long as this object exists.
    let descriptor: FileDescriptor
    private let mountRule: MountRule

    /// Which mounts beneath a directory can be entered; entering another one fails with `EXDEV`.
    private enum MountRule {
        case entersAll
        case entersNone
        /// Enters no mount beneath the folder of this name in the directory; the folder may be a mount itself.
        case entersNoneIn(folder: [UInt8])
    }

    private init(_ descriptor: consuming FileDescriptor, path: String, _ mountRule: MountRule) {
        self.descriptor = descriptor
        self.path = path
        self.mountRule = mountRule
    }

    /// Opens the directory at `path`, a user's choice: links in it are followed.
    ///
    /// No mount beneath the folder called `folder` in the directory is entered: a network disk that is mounted
    /// there may not answer. The folder itself may be a mount.
    package init(
        opening path: String, enteringNoMountsIn folder: String? = nil
    ) throws(SystemError) {
        precondition(folder?.utf8.contains(UInt8(ascii: "/")) != true, "a name, not a path")
        descriptor = try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY)
        self.path = path
        mountRule = folder.map { .entersNoneIn(folder: $0.pathBytes) } ?? .entersAll
    }

    /// Opens the directory at `relative`, which must exist; it enters the same mounts.
    func openDirectory(
        _ relative: some PathBytes, _ flags: CInt = O_RDONLY
    ) throws(SystemError) -> Directory {
        let bytes = relative.pathBytes
        return Directory(
            try open(bytes, flags | O_DIRECTORY), path: pathOf(bytes), mountRule(at: bytes))
    }

    /// The rule of the directory at `relative`.
    private func mountRule(at relative: [UInt8]) -> MountRule {
        guard case .entersNoneIn(let folder) = mountRule, relative != [UInt8(ascii: ".")] else {
            return mountRule
        }
        let isInFolder = relative == folder || Self.path(relative, in: folder) != nil
        return isInFolder ? .entersNone : .entersAll
    }

    /// `relative` without `folder` at its beginning; `nil` if it does not lead into that folder.
    private static func path(_ relative: [UInt8], in folder: [UInt8]) -> [UInt8]? {
        guard relative.starts(with: folder),
            relative.dropFirst(folder.count).first == UInt8(ascii: "/")
        else { return nil }
        return Array(relative.dropFirst(folder.count + 1))
    }

    /// Whether mounts directly in this directory are entered.
    var entersMounts: Bool {
        if case .entersNone = mountRule { false } else { true }
    }

    /// `O_PATH` of open(2), which Swift's Glibc module lacks.
    private static let pathOnly: CInt = 0o10_000_000
    /// `O_TMPFILE` of open(2), which it lacks, too.
    private static let unnamedFile: CInt = 0o20_000_000 | O_DIRECTORY

    /// Opens the file at `relative` as openat2(2) does; the umask limits the `mode` of a new file.
    ///
    /// Fails with `EXDEV` for a mount that is not entered.
    package func open(
        _ relative: some PathBytes, _ flags: CInt, mode: UInt32 = 0o644
    ) throws(SystemError) -> FileDescriptor {
        let bytes = relative.pathBytes
        guard !bytes.contains(0) else {
            throw SystemError("open", path: pathOf(relative), code: EINVAL)
        }
        if case .entersNoneIn(let folder) = mountRule, let rest = Self.path(bytes, in: folder) {
            return try openDirectory(folder, Self.pathOnly).open(rest, flags, mode: mode)
        }
        return FileDescriptor(
            owning: try retryingInterrupts("open", path: pathOf(relative)) {
                unsafe bytes.withCString {
                    unsafe clinux_open_beneath(
                        descriptor.rawValue, $0, flags, mode, entersMounts ? 1 : 0)
                }
            })
    }

    /// Opens the directory at `relative`; creates it and its parents if they do not exist.
    ///
    /// The names of new directories are flushed before this returns.
    package func makeDirectory(
        _ relative: some PathBytes, mode: UInt32 = 0o755
    ) throws(SystemError) -> Directory {
        try makeDirectory(relative) { path, _ throws(SystemError) in
            try createDirectory(path, mode: mode)
        }
    }

    /// Opens the directory at `relative`; calls `create` for it and for each of its parents that does not exist.
    ///
    /// `create` gets the path beneath this directory, and the parent. It may fail with `EEXIST`.
    func makeDirectory(
        _ relative: some PathBytes,
        create: (_ path: [UInt8], _ parent: Directory) throws(SystemError) -> Directory
    ) throws(SystemError) -> Directory {
        if let folder = try folder(relative) { return folder }
        var parent = self
        let bytes = relative.pathBytes
        if let slash = bytes.lastIndex(of: UInt8(ascii: "/")) {
            parent = try makeDirectory(Array(bytes[..<slash]), create: create)
        }
        do {
            return try create(bytes, parent)
        } catch  where error.code == EEXIST {
            // Another process has just created the name, and may not have flushed it yet.
            try parent.flush()
            return try openDirectory(relative)
        }
    }

    /// Opens the regular file at `relative`.
    ///
    /// Opening a fifo would wait for a writer, see fifo(7), and a device has no end.
    ///
    /// - Throws: ``SystemError``; its ``SystemError/cause`` is `invalid` for other files.
    package func openFile(
        _ relative: String, _ flags: CInt, mode: UInt32 = 0o644
    ) throws(SystemError) -> FileDescriptor {
        let file = try open(relative, flags | O_NONBLOCK | O_NOCTTY, mode: mode)
        _ = try sizeOfRegularFile(file, relative)
        return file
    }

    /// The size of the open `file` at `relative`, in bytes.
    private func sizeOfRegularFile(
        _ file: borrowing FileDescriptor, _ relative: String
    ) throws(SystemError) -> Int {
        let status = try file.status(path: pathOf(relative))
        guard status.kind == .file else {
            throw SystemError("open", path: pathOf(relative), code: ENXIO)
        }
        return status.size
    }

    /// Reads the file at `relative`; `nil` if it does not exist; fails with `EFBIG` above `limit` bytes.
    package func read(_ relative: String, limit: Int = 64 << 20) throws(SystemError) -> [UInt8]? {
        guard let file = try ifPresent(openToRead(relative)) else {
            return nil
        }
        let size = try sizeOfRegularFile(file, relative)
        return try file.readToEnd(limit: limit, size: size, path: pathOf(relative))
    }

    /// Reads the names in the directory without `.` and `..`, unordered.
    package func names() throws(SystemError) -> [[UInt8]] {
        try DirectoryReader(beneath: self).names()
    }

    /// Reads the names in the directory at `relative`; returns `nil` if it does not exist, see ``ifExists(_:)``.
    ///
    /// Entries of the types `excluded` are left out; one whose type cannot be read is not.
    package func names(
        in relative: some PathBytes, except excluded: Set<FileStatus.FileType> = []
    ) throws(SystemError) -> [[UInt8]]? {
        try ifExists(
            DirectoryReader(opening: relative.pathBytes, beneath: self).names(except: excluded))
    }

    /// The items in the directory at `relative`, `nil` if it does not exist; those without a status are reported.
    package func items(
        in relative: String, reportingUnreadable report: (_ name: [UInt8], SystemError) -> Void
    ) throws(SystemError) -> [DirectoryItem]? {
        try ifExists(
            DirectoryReader(opening: relative.pathBytes, beneath: self)
                .items(reportingUnreadable: report))
    }

    /// Reads the names in the directory that are UTF-8, as all names of the mirror are.
    package func textNames() throws(SystemError) -> [String] {
        try names().compactMap { String(validating: $0, as: UTF8.self) }
    }

    /// Reads the names in the directory at `path`; none if it does not exist or is not a directory.
    package func textNames(in path: String) throws(SystemError) -> [String] {
        do {
            return try folder(path)?.textNames() ?? []
        } catch  where error.isNotDirectory {
            return []
        }
    }

    package func status() throws(SystemError) -> FileStatus {
        try descriptor.status(path: path)
    }

    /// Flushes the names in the directory, where its file system can do that.
    package func flush() throws(SystemError) { try descriptor.flush(path: path) }

    /// Flushes the file system; fails with any error of it since the directory was opened, see syncfs(2).
    ///
    /// - Returns: `false` if the file system lacks the call, or a sandbox refuses it: nothing was flushed then.
    package func flushFileSystem() throws(SystemError) -> Bool {
        do throws(SystemError) {
            try retryingInterrupts("syncfs", path: path) { clinux_syncfs(descriptor.rawValue) }
            return true
        } catch  where error.isUnsupported || error.code == EPERM {
            return false
        }
    }

    /// The free bytes of the file system that this user may use.
    package func freeBytes() throws(SystemError) -> Int {
        let status = try fileSystem()
        let (bytes, overflows) = status.f_bavail.multipliedReportingOverflow(
            by: UInt(status.f_frsize))
        return overflows ? .max : Int(clamping: bytes)
    }

    /// Whether files can be renamed from `other` to the directory `name` in this one: not to another file system or subvolume,
    /// nor to what is mounted there, even if it is the same file system.
    package func isReachable(
        _ name: String, byRenamesFrom other: Directory
    ) throws(SystemError) -> Bool {
        guard let status = try status(name) else { return true }
        guard unsafe clinux_is_mount(descriptor.rawValue, name) == 0 else { return false }
        return try status.identity.device == other.status().identity.device
    }

    /// Whether the file system takes no more files, whatever their size: it counts no free inode, and refuses an unnamed file.
    ///
    /// The count alone proves nothing: that of rclone's mounts is always 0. Another error than a lack of space counts as room:
    /// the first download shows what is there.
    package func isOutOfFiles() throws(SystemError) -> Bool {
        let status = try fileSystem()
        guard status.f_files > 0, status.f_favail == 0 else { return false }
        do throws(SystemError) {
            _ = try open(".", Self.unnamedFile | O_WRONLY)
            return false
        } catch {
            return error.isNoSpace
        }
    }

    private func fileSystem() throws(SystemError) -> statvfs {
        var status = statvfs()
        try retryingInterrupts("statvfs", path: path) {
            unsafe fstatvfs(descriptor.rawValue, &status)
        }
        return status
    }
}

/// The value that `body` returns; `nil` if its name does not exist.
///
/// Unlike ``ifPresent(_:)``, it throws `ENOTDIR`: a file in place of a directory is an obstruction, which a walk reports.
func ifExists<Value: ~Copyable>(
    _ body: @autoclosure () throws(SystemError) -> Value
) throws(SystemError) -> Value? {
    do {
        return try body()
    } catch  where error.code == ENOENT {
        return nil
    }
}

extension Directory {
    /// Checks that this process may create and remove files in the directory, or in the one at `relative`.
    package func checkWritable(_ relative: String = ".") throws(SystemError) {
        try retryingInterrupts("write", path: pathOf(relative)) {
            // The dot makes another file than a directory an error, `ENOTDIR`.
            unsafe faccessat(descriptor.rawValue, relative + "/.", W_OK | X_OK, AT_EACCESS)
        }
    }

    /// Checks that this process may remove the file or link `name`; a missing one may be removed.
    ///
    /// - Throws: ``SystemError``; `EACCES` for a file of another user in a sticky directory, see unlink(2).
    package func checkRemovable(_ name: [UInt8]) throws(SystemError) {
        try checkWritable()
        guard try permissions().mode & 0o1000 != 0, let file = try status(name) else { return }
        let owners = [file.owner, try status().owner]
        guard geteuid() == 0 || owners.contains(geteuid()) else {
            throw SystemError("unlink", path: pathOf(name), code: EACCES)
        }
    }
}
