internal import CLinux
internal import Glibc

/// An exclusive lock of a file, released with this value or the process; see flock(2).
///
/// One process at a time writes to a mirror. The file is never removed: a lock on a removed file excludes nobody.
/// A lock of flock(2) can only be tried, so the owner also has an open file description lock, which other processes
/// can test; see F_OFD_GETLK in fcntl(2).
package struct FileLock: ~Copyable, Sendable {
    private let file: FileDescriptor

    deinit {
        // A child process that another thread is starting has a copy of the descriptor, which holds the lock, too.
        // The visible lock first: who acquires the other one acquires this, too.
        _ = clinux_unlock_visibly(file.rawValue)
        flock(file.rawValue, LOCK_UN)
    }

    /// Acquires the lock and writes the process ID into the file; `nil` if another process has the lock.
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
        // If this fails, the write fails, too, or a longer number stays behind the line feed.
        ftruncate(file.rawValue, 0)
        try file.write(Array("\(getpid())\n".utf8), path: folder.pathOf(name))
        // Without support by the file system, other processes cannot test the lock.
        _ = clinux_lock_visibly(file.rawValue)
        return FileLock(file: file)
    }

    /// The file that is locked; another file of its name would be another lock.
    package func identity() throws(SystemError) -> FileIdentity {
        try file.status(path: "the lock").identity
    }

    /// The ID of the process that has the lock; `nil` if it is free, or if the file system cannot test locks.
    ///
    /// The test acquires no lock, so that it never prevents another process from acquiring it.
    package static func holder(_ name: String, in folder: Directory) throws(SystemError) -> Int32? {
        guard let file = try ifPresent(folder.openFile(name, O_RDONLY)),
            clinux_is_locked_visibly(file.rawValue) == 1
        else { return nil }
        let bytes = try file.readToEnd(limit: 64, path: folder.pathOf(name))
        return pid_t(String(decoding: bytes, as: UTF8.self).prefix { $0 != "\n" })
    }
}

extension Directory {
    /// Locks the directory, once no other process has locked it, until this object is released; see flock(2).
    ///
    /// Nothing happens on a file system that cannot lock a directory.
    package func lock() throws(SystemError) {
        do {
            try retryingInterrupts("flock", path: path) { flock(descriptor.rawValue, LOCK_EX) }
        } catch  where [EBADF, EINVAL, ENOLCK, EOPNOTSUPP].contains(error.code) {
            // NFS fails with EBADF: it locks only files that are open for writing.
            return
        }
    }
}
