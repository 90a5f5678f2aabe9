internal import CLinux
internal import Glibc

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
