internal import CLinux
internal import Glibc

/// An open directory, and what can be done with the names in it.
///
/// Every path is resolved beneath the directory and through no symbolic link: a link that somebody
/// put in the way makes a call fail with `ELOOP` and never leads it elsewhere. See openat2(2).
/// A call about a name, such as ``remove(_:)``, opens what is above the name in the same way.
package final class Directory: Sendable {
    /// What the directory is called in errors.
    package let path: String
    let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens the directory at `path`, which the user chose: links in it are followed.
    package convenience init(opening path: String) throws(SystemError) {
        self.init(try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY), path: path)
    }

    /// The directory at `relative`, `nil` where there is none.
    package func folder(_ relative: String) throws(SystemError) -> Directory? {
        try folder(bytes: Array(relative.utf8))
    }

    /// The directory at `relative`, made with all above it where missing.
    ///
    /// Each new directory is on the disk, name and all, before this returns.
    package func makeDirectory(
        _ relative: String, mode: UInt32 = 0o755
    ) throws(SystemError) -> Directory {
        if let folder = try folder(relative) { return folder }
        let (above, name) = Self.split(relative)
        let parent =
            try above.map { above throws(SystemError) in try makeDirectory(above, mode: mode) }
            ?? self
        do {
            return try parent.makeDirectory(bytes: Array(name.utf8), mode: mode)
        } catch  where error.code == EEXIST {
            // Somebody else made it just now, or something else has the name: opening tells.
            try parent.synchronize()
            return Directory(try open(relative, O_RDONLY | O_DIRECTORY), path: pathOf(relative))
        }
    }

    /// Opens the file at `relative` as openat2(2) does.
    package func open(
        _ relative: String, _ flags: CInt, mode: UInt32 = 0o644
    ) throws(SystemError) -> FileDescriptor {
        try open(bytes: Array(relative.utf8), flags, mode: mode)
    }

    /// Opens the file at `relative`, and nothing else: a fifo would wait for a writer, see fifo(7), and a
    /// device has no end.
    ///
    /// - Throws: ``SystemError``; ``SystemError/isNoFile`` where it is something else.
    package func openFile(_ relative: String, _ flags: CInt) throws(SystemError) -> FileDescriptor {
        let file = try open(relative, flags | O_NONBLOCK | O_NOCTTY)
        guard try file.status(path: pathOf(relative)).kind == .file else {
            throw SystemError("open", path: pathOf(relative), code: ENXIO)
        }
        return file
    }

    /// The bytes of the file at `relative`, `nil` where there is none.
    ///
    /// - Throws: ``SystemError``; `EFBIG` where the file is longer than `limit` bytes.
    package func read(_ relative: String, limit: Int = 64 << 20) throws(SystemError) -> [UInt8]? {
        do {
            let file = try openFile(relative, O_RDONLY)
            return try file.readToEnd(limit: limit, path: pathOf(relative))
        } catch  where error.code == ENOENT {
            return nil
        }
    }

    /// The names in the directory as bytes, without `.` and `..`, in no order.
    package func names() throws(SystemError) -> [[UInt8]] {
        var reader = try DirectoryReader(beneath: self)
        return try reader.names()
    }

    /// The same of the directory at `relative`, any bytes; `nil` where there is none.
    package func names(in relative: [UInt8]) throws(SystemError) -> [[UInt8]]? {
        do {
            var reader = try DirectoryReader(opening: relative, beneath: self)
            return try reader.names()
        } catch  where error.code == ENOENT {
            return nil
        }
    }

    /// The names in the directory that are UTF-8: ours are, the others are somebody else's.
    package func textNames() throws(SystemError) -> [String] {
        try names().compactMap { String(validating: $0, as: UTF8.self) }
    }

    /// What `name` stands for, a link itself and not what it leads to; `nil` where there is nothing.
    package func status(_ name: String) throws(SystemError) -> FileStatus? {
        try status(bytes: Array(name.utf8))
    }

    /// What the directory itself is.
    package func status() throws(SystemError) -> FileStatus {
        try descriptor.status(path: path)
    }

    /// Renames `name` into `other`, replacing what has that name there.
    package func rename(_ name: String, to other: Directory, as newName: String) throws(SystemError)
    {
        try rename(name, to: other, bytes: Array(newName.utf8))
    }

    /// Gives the file `name` a second name; fails with `EEXIST` where something has that.
    package func link(_ name: String, to other: Directory, as newName: String) throws(SystemError) {
        try link(bytes: Array(name.utf8), to: other, as: newName)
    }

    /// Makes the symbolic link `name`; fails with `EEXIST` where something has the name.
    package func symlink(_ name: String, to target: String) throws(SystemError) {
        try symlink(bytes: Array(name.utf8), to: Array(target.utf8))
    }

    /// Where the symbolic link `name` leads, as it was written; `nil` where it is no link.
    package func target(of name: String) -> String? {
        target(bytes: Array(name.utf8)).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// Removes the file or link `name`; that it is gone already is no error.
    package func remove(_ name: String) throws(SystemError) {
        try remove(bytes: Array(name.utf8))
    }

    /// Forces the names in the directory onto the disk.
    package func synchronize() throws(SystemError) {
        try descriptor.synchronize(path: path)
    }

    /// Forces all that was written to the file system of the directory onto the disk.
    ///
    /// A failure since the directory was opened is told of; see syncfs(2).
    package func synchronizeFileSystem() throws(SystemError) {
        try retryingInterrupts("syncfs", path: path) { clinux_syncfs(descriptor.rawValue) }
    }

    /// The bytes that this user may still write on the file system.
    package func freeBytes() throws(SystemError) -> Int {
        var status = statvfs()
        try retryingInterrupts("statvfs", path: path) {
            unsafe fstatvfs(descriptor.rawValue, &status)
        }
        let (bytes, overflows) = status.f_bavail.multipliedReportingOverflow(
            by: UInt(status.f_frsize))
        return overflows ? .max : Int(clamping: bytes)
    }

    /// The number of the open directory, good as long as this object lives.
    var rawDescriptor: CInt { descriptor.rawValue }

    func pathOf(_ relative: String) -> String {
        relative == "." ? path : "\(path)/\(relative)"
    }

    private static func split(_ relative: String) -> (above: String?, name: String) {
        guard let slash = relative.lastIndex(of: "/") else { return (nil, relative) }
        return (String(relative[..<slash]), String(relative[relative.index(after: slash)...]))
    }
}

/// What can be asked of a directory and of the file system that it is on.
extension Directory {
    /// An empty file without a name, gone with its descriptor however the process ends.
    ///
    /// - Throws: ``SystemError``; `EOPNOTSUPP` where the file system has no such files.
    package func openUnnamed() throws(SystemError) -> FileDescriptor {
        FileDescriptor(
            owning: try retryingInterrupts("open", path: path) {
                clinux_open_unnamed(descriptor.rawValue)
            })
    }

    /// How many more files the file system has room for, `nil` where it has no such limit.
    package func freeFiles() throws(SystemError) -> Int? {
        var status = statvfs()
        try retryingInterrupts("statvfs", path: path) {
            unsafe fstatvfs(descriptor.rawValue, &status)
        }
        return status.f_files == 0 ? nil : Int(clamping: status.f_favail)
    }

    /// Who may do what with the directory.
    package func rights() throws(SystemError) -> DirectoryPermissions {
        var status = stat()
        try retryingInterrupts("fstat", path: path) { unsafe fstat(descriptor.rawValue, &status) }
        return DirectoryPermissions(
            owner: status.st_uid, group: status.st_gid, mode: status.st_mode & 0o7777,
            list: descriptor.attributeBytes("system.posix_acl_access"))
    }
}
