internal import CLinux
internal import Glibc

/// An exclusive lock of a file, released with this value or the process; see flock(2).
///
/// It lets one process at a time write to a mirror. A user who may open a file may also lock it. So only its owner may open the
/// file that is locked, and all users may read a second file, the notice, which says who has the lock. Neither file is ever
/// removed, because a lock on a removed file excludes nobody.
///
/// Other processes cannot test a lock of flock(2), but only try to take it. So both files also have an open file description
/// lock, which can be tested; see F_OFD_GETLK in fcntl(2).
package struct FileLock: ~Copyable, Sendable {
    /// How long a process is likely to have the lock.
    package enum Role: String, Sendable {
        /// Until somebody stops it.
        case daemon
        /// Until its work is done.
        case command
    }

    /// The process that has a lock.
    package struct Holder: Hashable, Sendable {
        package let process: Int32
        package let role: Role

        package init(process: Int32, role: Role) {
            (self.process, self.role) = (process, role)
        }
    }

    /// The names of the two files in their directory.
    package struct Names: Sendable {
        let lock: String
        let notice: String

        package init(lock: String, notice: String) {
            (self.lock, self.notice) = (lock, notice)
        }
    }

    private let file: FileDescriptor
    /// The descriptor of the notice; `nil` if it could not be made, so that other users do not see the lock.
    private let notice: CInt?

    deinit {
        // Closing is not enough, because a child process that another thread is starting has a copy of the descriptor, which
        // keeps the lock. The lock of flock(2) ends last, because the next process sets the other locks once it has that.
        if let notice {
            _ = clinux_unlock_visibly(notice)
            close(notice)
        }
        _ = clinux_unlock_visibly(file.rawValue)
        flock(file.rawValue, LOCK_UN)
    }

    /// Acquires the lock, and writes the process ID and `role` into both files; `nil` if another process has the lock.
    package static func acquire(
        _ names: Names, in folder: Directory, as role: Role
    ) throws(SystemError) -> FileLock? {
        let path = folder.pathOf(names.lock)
        let file = try folder.openFile(names.lock, O_RDWR | O_CREAT, mode: 0o600)
        do {
            try retryingInterrupts("flock", path: path) {
                // mutation test: lock
                flock(file.rawValue, LOCK_EX | LOCK_NB)
            }
        } catch  where error.code == EWOULDBLOCK {
            return nil
        }
        // A program that copied the mirror may have changed the mode. Not every file system has modes.
        try? file.setMode(0o600, path: path)
        try Self.show(role, in: file, path: path)
        return FileLock(file: file, notice: Self.makeNotice(names.notice, in: folder, of: role))
    }

    /// Makes the notice; the lock works without it.
    private static func makeNotice(_ name: String, in folder: Directory, of role: Role) -> CInt? {
        guard let file = try? folder.openFile(name, O_RDWR | O_CREAT) else { return nil }
        try? show(role, in: file, path: folder.pathOf(name))
        return file.release()
    }

    /// Writes who has the lock, and lets other processes see that.
    private static func show(
        _ role: Role, in file: borrowing FileDescriptor, path: String
    ) throws(SystemError) {
        // If this fails, the write fails, too, or the rest of a longer text stays after the line feed, and is not read.
        ftruncate(file.rawValue, 0)
        try file.write(Array("\(getpid()) \(role.rawValue)\n".utf8), path: path)
        // Without support by the file system, other processes cannot test the lock.
        _ = clinux_lock_visibly(file.rawValue)
    }

    /// The identity of the locked file; another file of the same name would be another lock.
    package func identity() throws(SystemError) -> FileIdentity {
        try file.status(path: "the lock").identity
    }

    /// The process that has the lock; `nil` if it is free, or if the file system cannot test locks.
    ///
    /// The test never prevents another process from acquiring the lock. A user who may not open the locked file learns the
    /// holder from the notice.
    package static func holder(
        _ names: Names, in folder: Directory
    ) throws(SystemError) -> Holder? {
        do {
            return try holder(accordingTo: names.lock, in: folder)
        } catch  where error.cause == .denied {
            return try holder(accordingTo: names.notice, in: folder)
        }
    }

    private static func holder(
        accordingTo name: String, in folder: Directory
    ) throws(SystemError) -> Holder? {
        guard let file = try ifPresent(folder.openFile(name, O_RDONLY)),
            clinux_is_locked_visibly(file.rawValue) == 1
        else { return nil }
        let bytes = try file.readToEnd(limit: 64, path: folder.pathOf(name))
        let words = String(decoding: bytes, as: UTF8.self).prefix { $0 != "\n" }.split(
            separator: " ")
        guard let process = words.first.flatMap({ pid_t($0) }) else { return nil }
        return Holder(
            process: process, role: words.last.flatMap { Role(rawValue: "\($0)") } ?? .daemon)
    }
}

extension Directory {
    /// Locks the directory until this object is released; see flock(2).
    ///
    /// The directory stays unlocked on a file system that cannot lock a directory, such as NFS. It also does if another process
    /// has the lock for `limit`, because every user who may read the directory can lock it.
    package func lock(within limit: Duration) {
        let end = ContinuousClock.now + limit
        while flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0,
            [EINTR, EWOULDBLOCK].contains(errno), .now < end
        {
            usleep(10_000)
        }
    }
}
