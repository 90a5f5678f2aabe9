internal import CLinux
internal import Glibc

/// An exclusive lock, released with this value or the process; see flock(2).
///
/// The file is never removed: a lock on a removed file excludes nobody. A second lock of the file, by
/// fcntl(2), lets other processes test whether it is locked.
package struct FileLock: ~Copyable, Sendable {
    private let file: FileDescriptor

    /// Acquires the lock and writes the process ID into the file.
    ///
    /// - Returns: `nil` if another process has the lock.
    package static func acquire(
        _ name: String, in folder: Directory
    ) throws(SystemError) -> FileLock? {
        let file = try folder.openFile(name, O_RDWR | O_CREAT)
        do {
            try retryingInterrupts("flock", path: folder.pathOf(name)) {
                // mutation test: lock
                flock(file.rawValue, LOCK_EX | LOCK_NB)
            }
        } catch  where error.code == EWOULDBLOCK {
            return nil
        }
        ftruncate(file.rawValue, 0)
        try file.write(Array("\(getpid())\n".utf8), path: folder.pathOf(name))
        // Without support by the file system, other processes cannot test the lock.
        _ = clinux_lock_visibly(file.rawValue)
        return FileLock(file: file)
    }

    /// The file that is locked; another file of its name would be another lock.
    package func identity() throws(SystemError) -> FileIdentity {
        try file.status(path: "").identity
    }

    /// The ID of the process that has the lock; `nil` if it is free.
    ///
    /// The test acquires no lock, so that it never prevents another process from acquiring it.
    package static func holder(_ name: String, in folder: Directory) throws(SystemError) -> Int32? {
        guard let file = try ifExists(folder.openFile(name, O_RDONLY)),
            clinux_is_locked_visibly(file.rawValue) == 1
        else { return nil }
        let bytes = try file.readToEnd(limit: 64, path: folder.pathOf(name))
        return pid_t(String(decoding: bytes, as: UTF8.self).prefix { $0 != "\n" })
    }
}

extension Directory {
    /// Locks the directory against others that lock it, until this one is closed; see flock(2).
    ///
    /// Nothing happens on a file system that cannot lock a directory, such as NFS.
    package func waitForLock() throws(SystemError) {
        do {
            try retryingInterrupts("flock", path: path) { flock(descriptor.rawValue, LOCK_EX) }
        } catch  where [EBADF, EINVAL, ENOLCK, EOPNOTSUPP].contains(error.code) {
            return
        }
    }
}
