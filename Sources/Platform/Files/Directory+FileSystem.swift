internal import CLinux
internal import Glibc

/// Examines and flushes the directory and its file system: its status, mounts and free space.
extension Directory {
    /// The status of the directory itself.
    package func status() throws(SystemError) -> FileStatus {
        try descriptor.status(path: path)
    }

    /// Flushes the names in the directory to the disk, if its file system can do that, so that they survive a power cut.
    package func flush() throws(SystemError) { try descriptor.flush(path: path) }

    /// Flushes all files of the file system, see syncfs(2).
    ///
    /// - Returns: `false` if nothing was flushed, because the file system lacks the call or a sandbox refuses it.
    /// - Throws: Any error of writing that the file system has met since the directory was opened.
    package func flushFileSystem() throws(SystemError) -> Bool {
        do throws(SystemError) {
            try retryingInterrupts("syncfs", path: path) { clinux_syncfs(descriptor.rawValue) }
            return true
        } catch  where error.isUnsupported || error.code == EPERM {
            return false
        }
    }

    /// Whether files in `other` can be renamed into the directory `name` of this one; `true` if there is no such directory yet.
    ///
    /// Files cannot be renamed to another file system or subvolume, nor to a mount, even of the same file system.
    package func isReachable(
        _ name: String, byRenamesFrom other: Directory
    ) throws(SystemError) -> Bool {
        guard let status = try status(name) else { return true }
        guard unsafe clinux_is_mount(descriptor.rawValue, name) == 0 else { return false }
        return try status.identity.device == other.status().identity.device
    }

    // MARK: Space

    /// The free bytes of the file system that this user may use.
    package func freeBytes() throws(SystemError) -> Int {
        let status = try fileSystemStatus()
        let (bytes, overflows) = status.f_bavail.multipliedReportingOverflow(
            by: UInt(status.f_frsize))
        return overflows ? .max : Int(clamping: bytes)
    }

    /// Whether the file system can have no more files, however small: it counts no free inode, and refuses to make a file.
    ///
    /// The count alone proves nothing, because mounts of rclone always count 0. If making a file fails for another reason than
    /// space, the answer is `false`, and the first download shows what is wrong.
    package func isOutOfFiles() throws(SystemError) -> Bool {
        let status = try fileSystemStatus()
        guard status.f_files > 0, status.f_favail == 0 else { return false }
        do throws(SystemError) {
            _ = try open(".", Self.unnamedFile | O_WRONLY)
            return false
        } catch {
            return error.isNoSpace
        }
    }

    /// `O_TMPFILE` of open(2), which Swift's Glibc module lacks.
    private static let unnamedFile: CInt = 0o20_000_000 | O_DIRECTORY

    private func fileSystemStatus() throws(SystemError) -> statvfs {
        var status = statvfs()
        try retryingInterrupts("statvfs", path: path) {
            unsafe fstatvfs(descriptor.rawValue, &status)
        }
        return status
    }
}
