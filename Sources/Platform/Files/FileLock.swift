internal import CLinux
internal import Glibc

/// The right of one process at a time to write to a mirror; it ends when this value is released, or with the process.
///
/// It is a lock of flock(2) on a file that only its owner may open, because every user who may open a file may lock it. All users
/// may read a second file, the notice, which names the process that has the lock. Neither file is ever removed, because a lock on
/// a removed file excludes nobody.
///
/// No process can ask whether a file has a lock of flock(2). So both files also get a lock that is *visible*: other processes
/// can ask for it without taking it, see F_OFD_GETLK in fcntl(2).
package struct FileLock: ~Copyable, Sendable {
    /// The names of the two files in their directory.
    package struct Names: Sendable {
        let lock: String
        let notice: String

        package init(lock: String, notice: String) {
            (self.lock, self.notice) = (lock, notice)
        }
    }

    private let file: FileDescriptor
    /// `nil` if the notice could not be made, so that other users cannot learn of the lock.
    private let notice: FileDescriptor?

    deinit {
        // Closing the files is not enough: a child process that another thread is starting has copies of the descriptors,
        // which would keep the locks. The lock of flock(2) ends last, because the process that gets it next sets the visible
        // locks at once.
        if let notice = notice?.rawValue { _ = clinux_ofd_unlock(notice) }
        _ = clinux_ofd_unlock(file.rawValue)
        flock(file.rawValue, LOCK_UN)
    }

    /// The identity of the locked file; if another file has got its name, the lock no longer protects the mirror.
    package func identity() throws(SystemError) -> FileIdentity {
        try file.status(path: "the lock").identity
    }

    // MARK: Acquiring

    /// Acquires the lock, and writes the process ID and `role` into both files; `nil` if another process has the lock.
    package static func acquire(
        _ names: Names, in folder: Directory, as role: Role
    ) throws(SystemError) -> FileLock? {
        let path = folder.pathOf(names.lock)
        let file = try folder.openFile(names.lock, O_RDWR | O_CREAT, mode: 0o600)
        do {
            try retryingInterrupts("flock", path: path) {
                // mutation test: lock (see Tests/Mutants)
                flock(file.rawValue, LOCK_EX | LOCK_NB)
            }
        } catch  where error.code == EWOULDBLOCK {
            return nil
        }
        // A program that copied the mirror may have changed the mode. Errors are ignored, because some file systems have no
        // modes.
        try? file.setMode(0o600, path: path)
        let holder = Holder(process: getpid(), role: role)
        try show(holder, in: file, path: path)
        return FileLock(file: file, notice: makeNotice(names, in: folder, naming: holder))
    }

    /// Makes the notice; returns `nil` if that fails, because the lock works without it.
    private static func makeNotice(
        _ names: Names, in folder: Directory, naming holder: Holder
    ) -> FileDescriptor? {
        // A program that links files with equal contents may have made one file of both, which other users may not read.
        if let notice = try? folder.status(names.notice),
            let lock = try? folder.status(names.lock), notice.identity == lock.identity
        {
            try? folder.remove(names.notice)
        }
        guard let file = try? folder.openFile(names.notice, O_RDWR | O_CREAT) else { return nil }
        try? show(holder, in: file, path: folder.pathOf(names.notice))
        return file
    }

    /// Writes into `file` who has the lock, and makes the lock visible.
    private static func show(
        _ holder: Holder, in file: borrowing FileDescriptor, path: String
    ) throws(SystemError) {
        // If this fails, the write fails, too, or the end of a longer text stays behind the line feed, where nobody reads it.
        ftruncate(file.rawValue, 0)
        try file.write(holder.line, path: path)
        // This fails on a file system without such locks, on which other processes cannot learn of the lock.
        _ = clinux_ofd_lock(file.rawValue)
    }

    // MARK: Asking

    /// The process that has the lock; `nil` if none has it, or if the file system cannot tell.
    package static func holder(
        _ names: Names, in folder: Directory
    ) throws(SystemError) -> Holder? {
        guard let file = try openToAsk(names, in: folder),
            clinux_ofd_is_locked(file.rawValue) == 1
        else { return nil }
        return Holder(line: try file.readToEnd(limit: 64, path: "the lock"))
    }

    /// Whether certainly no process has the lock: the file system can tell, and this user may ask.
    package static func isFree(_ names: Names, in folder: Directory) -> Bool {
        guard let file = try? openToAsk(names, in: folder) else { return false }
        return clinux_ofd_is_locked(file.rawValue) == 0
    }

    /// Opens the lock, or if this user may not do that, the notice; asking never prevents a process from acquiring the lock.
    ///
    /// - Returns: `nil` if the file is missing.
    private static func openToAsk(
        _ names: Names, in folder: Directory
    ) throws(SystemError) -> FileDescriptor? {
        do throws(SystemError) {
            return try ifPresent(folder.openFile(names.lock, O_RDONLY))
        } catch  where error.cause == .denied {
            return try ifPresent(folder.openFile(names.notice, O_RDONLY))
        }
    }
}
