internal import CLinux
internal import Glibc

/// A lock that lets one process at a time write to a mirror; it ends with this value or with the process; see flock(2).
///
/// There are two files. The first one is locked. Only its owner may open it, because every user who may open a file may lock it. The
/// second one, the notice, says which process has the lock, and all users may read it. Neither file is ever removed, because
/// a lock on a removed file excludes nobody.
///
/// Another process cannot ask whether a file has a lock of flock(2). So both files have a second kind of lock, the open file
/// description lock, for which it can ask; see F_OFD_GETLK in fcntl(2).
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

        /// ``process`` if there is such a process of this program; else `nil`, because the number may be wrong.
        ///
        /// A restore may have written into the files while they were locked, or the process is in a container, which has
        /// numbers of its own.
        package var knownProcess: Int32? {
            guard let ownName = OtherProcess.name(of: getpid()) else { return nil }
            return OtherProcess.name(of: process) == ownName ? process : nil
        }

        /// `process 812`, or if it runs as another user, `process 812 of apod-mirror`; `nil` without ``knownProcess``.
        package var text: String? {
            guard let process = knownProcess else { return nil }
            let user = OtherProcess.user(of: process)
            let otherUser = user.flatMap { $0 == Account.effectiveUserID ? nil : $0 }
            return "process \(process)"
                + (otherUser.map { " of \(Account.name(ofUser: $0))" } ?? "")
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
    /// The descriptor of the notice; `nil` if the notice could not be made, so that other users cannot learn of the lock.
    private let notice: CInt?

    deinit {
        // Closing the files is not enough: a child process that another thread is starting has copies of the descriptors,
        // which would keep the locks. The lock of flock(2) ends last: when another process gets it, it sets the other locks
        // at once.
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
                // mutation test: lock (see Tests/Mutants)
                flock(file.rawValue, LOCK_EX | LOCK_NB)
            }
        } catch  where error.code == EWOULDBLOCK {
            return nil
        }
        // A program that copied the mirror may have changed the mode. Some file systems have no modes, so that errors are
        // ignored.
        try? file.setMode(0o600, path: path)
        try Self.show(role, in: file, path: path)
        return FileLock(file: file, notice: Self.makeNotice(names, in: folder, of: role))
    }

    /// Makes the notice; `nil` if that fails, without which the lock works all the same.
    private static func makeNotice(_ names: Names, in folder: Directory, of role: Role) -> CInt? {
        let name = names.notice
        // A program that links files with equal contents has made one file of both, which other users may not read.
        if let status = try? folder.status(name),
            status.identity == (try? folder.status(names.lock))?.identity
        {
            try? folder.remove(name)
        }
        guard let file = try? folder.openFile(name, O_RDWR | O_CREAT) else { return nil }
        try? show(role, in: file, path: folder.pathOf(name))
        return file.release()
    }

    /// Writes into `file` who has the lock, and sets the lock for which other processes can ask.
    private static func show(
        _ role: Role, in file: borrowing FileDescriptor, path: String
    ) throws(SystemError) {
        // After an error, the write fails, too, or it leaves the rest of a longer text behind its line feed, which nobody
        // reads.
        ftruncate(file.rawValue, 0)
        try file.write(Array("\(getpid()) \(role.rawValue)\n".utf8), path: path)
        // This fails on a file system without such locks, on which other processes cannot learn of the lock.
        _ = clinux_lock_visibly(file.rawValue)
    }

    /// The identity of the locked file; if another file has got its name, the lock no longer protects the mirror.
    package func identity() throws(SystemError) -> FileIdentity {
        try file.status(path: "the lock").identity
    }

    /// The process that has the lock; `nil` if none has it, or if the file system cannot tell.
    package static func holder(
        _ names: Names, in folder: Directory
    ) throws(SystemError) -> Holder? {
        guard let file = try openToAsk(names, in: folder),
            clinux_is_locked_visibly(file.rawValue) == 1
        else { return nil }
        let bytes = try file.readToEnd(limit: 64, path: "the lock")
        let words = String(decoding: bytes, as: UTF8.self).prefix { $0 != "\n" }.split(
            separator: " ")
        guard let process = words.first.flatMap({ pid_t($0) }) else { return nil }
        return Holder(
            process: process, role: words.last.flatMap { Role(rawValue: "\($0)") } ?? .daemon)
    }

    /// Whether certainly no process has the lock: the file system can tell, and this user may ask.
    package static func isFree(_ names: Names, in folder: Directory) -> Bool {
        guard let file = try? openToAsk(names, in: folder) else { return false }
        return clinux_is_locked_visibly(file.rawValue) == 0
    }

    /// Opens the file of which this user may ask whether it is locked, which never prevents a process from acquiring the lock.
    ///
    /// - Returns: The notice if this user may not open the lock; `nil` if the file is missing.
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

extension Directory {
    /// Waits for the lock of the directory, at most for `limit`, and takes it until this object is released; see flock(2).
    ///
    /// The processes of this program go on without the lock, too. It cannot be taken on a file system that does not lock
    /// directories, such as NFS, or while another process has it: every user who may read the directory may also lock it.
    package func lock(within limit: Duration) {
        let end = ContinuousClock.now + limit
        while flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0,
            [EINTR, EWOULDBLOCK].contains(errno), .now < end
        {
            usleep(10_000)
        }
    }
}
