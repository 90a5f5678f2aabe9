internal import CLinux
internal import Glibc

/// Examines, flushes and removes files by their names in a directory, and creates directories.
///
/// A `name` may be a path beneath the directory. No method follows a symbolic link, neither one in the path nor the last name.
/// What a method changes survives a power cut only if its comment says that it flushes, see fsync(2). If such a flush fails,
/// the change was made, but may be lost. Other files have the methods for links, for renaming, and for reading.
extension Directory {
    // MARK: Examining

    /// The status of the file `name`; if that is a link, the status of the link itself.
    ///
    /// - Returns: `nil` if there is nothing of that name, see ``nilForENOENT(_:)``.
    package func status(_ name: some PathBytes) throws(SystemError) -> FileStatus? {
        try nilForENOENT(statusOfExisting(name.pathBytes))
    }

    /// The status of `name`; fails with `ENOENT` if there is nothing of that name.
    private func statusOfExisting(_ name: [UInt8]) throws(SystemError) -> FileStatus {
        let (parent, last) = try split(name, for: "stat")
        var status = stat()
        try retryingInterrupts("stat", path: pathOf(name)) {
            unsafe last.withCString {
                unsafe clinux_status(
                    parent.descriptor.rawValue, $0, &status, parent.entersMounts ? 1 : 0)
            }
        }
        return FileStatus(status)
    }

    /// Whether there is nothing of that `name`; `false` if that cannot be found out.
    package func isCertainlyMissing(_ name: some PathBytes) -> Bool {
        do { return try status(name) == nil } catch { return false }
    }

    // MARK: Creating

    /// Creates the directory `name` and flushes its parent; fails with `EEXIST` if it exists.
    package func createDirectory(
        _ name: some PathBytes, mode: UInt32 = 0o755
    ) throws(SystemError) -> Directory {
        try unsafe systemCall("mkdir", name) { unsafe mkdirat($0, $1, mode) }
        try parent(of: name).flush()
        return try openDirectory(name)
    }

    // MARK: Times and flushes

    /// Sets the times of access and modification of `name` to now, for which it is enough that this user may write to the file.
    package func setModifiedNow(of name: some PathBytes) throws(SystemError) {
        try unsafe systemCall("utimensat", name) {
            unsafe utimensat($0, $1, nil, AT_SYMLINK_NOFOLLOW)
        }
    }

    /// Sets the times of access and modification of `name` to `seconds` since 1970, for which this user must own the file.
    package func setModified(_ seconds: Int, of name: some PathBytes) throws(SystemError) {
        let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        try unsafe systemCall("utimensat", name) {
            unsafe utimensat($0, $1, times, AT_SYMLINK_NOFOLLOW)
        }
    }

    /// Flushes the file `name`, and then its directory.
    ///
    /// It leaves out what does not exist, a file that this process may not read, and all but regular files.
    package func flush(_ name: some PathBytes) throws(SystemError) {
        if try status(name)?.kind == .file, let file = try openIfPermitted(name) {
            // mutation test: moved-file-sync (see Tests/Mutants)
            try file.flush(path: pathOf(name))
        }
        try ifPresent(parent(of: name).flush())
    }

    /// Opens the file `name` for reading; `nil` if this process may not read it.
    private func openIfPermitted(
        _ name: some PathBytes
    ) throws(SystemError) -> FileDescriptor? {
        do {
            return try openToRead(name)
        } catch  where error.cause == .denied {
            return nil
        }
    }

    // MARK: Removing

    /// Removes the file or link `name`; succeeds if it does not exist.
    package func remove(_ name: some PathBytes) throws(SystemError) {
        _ = try ifPresent(unsafe systemCall("unlink", name) { unsafe unlinkat($0, $1, 0) })
    }

    /// Removes the file or link `name`, and flushes its directory, so that it does not return after a power cut.
    package func removeDurably(_ name: some PathBytes) throws(SystemError) {
        try remove(name)
        // mutation test: removal-sync
        try ifPresent(parent(of: name).flush())
    }

    /// Removes the empty directory `name`.
    package func removeDirectory(_ name: some PathBytes) throws(SystemError) {
        try unsafe systemCall("rmdir", name) { unsafe unlinkat($0, $1, AT_REMOVEDIR) }
    }
}
