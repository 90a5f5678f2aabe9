internal import CLinux
internal import Glibc

/// The right to write, held as long as this value lives, however the process ends.
///
/// See flock(2). The file is never removed: a lock on a removed file locks nobody out. A second lock on
/// it, of fcntl(2), lets others see that it is held.
package struct FileLock: ~Copyable, Sendable {
    private let file: FileDescriptor

    /// Takes the lock, and writes the number of this process into the file for others to read.
    ///
    /// - Returns: `nil` where another process has it.
    package static func take(_ name: String, in folder: Directory) throws(SystemError) -> FileLock?
    {
        let file = try folder.openFile(name, O_RDWR | O_CREAT)
        do {
            try retryingInterrupts("flock", path: "\(folder.path)/\(name)") {
                flock(file.rawValue, LOCK_EX | LOCK_NB)
            }
        } catch  where error.code == EWOULDBLOCK {
            return nil
        }
        ftruncate(file.rawValue, 0)
        try file.write(Array("\(getpid())\n".utf8), path: "\(folder.path)/\(name)")
        // Where the file system has no such locks, nobody sees that it is held.
        _ = clinux_lock_visibly(file.rawValue)
        return FileLock(file: file)
    }

    private init(file: consuming FileDescriptor) {
        self.file = file
    }

    /// The process that has the lock, `nil` where nobody has.
    ///
    /// Asking takes no lock, so that it never gets in the way of one who wants to.
    package static func holder(_ name: String, in folder: Directory) throws(SystemError) -> Int32? {
        do {
            let file = try folder.openFile(name, O_RDONLY)
            guard clinux_is_locked_visibly(file.rawValue) == 1 else { return nil }
            let text = String(
                decoding: try file.readToEnd(limit: 64, path: "\(folder.path)/\(name)"),
                as: UTF8.self)
            return pid_t(text.prefix { $0 != "\n" })
        } catch  where error.code == ENOENT {
            return nil
        }
    }
}
