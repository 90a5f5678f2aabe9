internal import Glibc

/// The right to write, held as long as this value lives, however the process ends.
///
/// See flock(2). The file is never removed: a lock on a removed file locks nobody out.
package struct FileLock: ~Copyable, Sendable {
    private let file: FileDescriptor

    /// Takes the lock, and writes the number of this process into the file for others to read.
    ///
    /// - Returns: `nil` where another process has it.
    package static func take(_ name: String, in folder: Folder) throws(SystemError) -> FileLock? {
        let file = try folder.open(name, O_RDWR | O_CREAT)
        do {
            try retryingInterrupts("flock", path: "\(folder.path)/\(name)") {
                flock(file.rawValue, LOCK_EX | LOCK_NB)
            }
        } catch  where error.code == EWOULDBLOCK {
            return nil
        }
        ftruncate(file.rawValue, 0)
        try file.write(Array("\(getpid())\n".utf8), path: "\(folder.path)/\(name)")
        return FileLock(file: file)
    }

    private init(file: consuming FileDescriptor) {
        self.file = file
    }

    /// The process that has the lock, `nil` where nobody has.
    ///
    /// Asking takes no lock, so that it never gets in the way of one who wants to.
    package static func holder(_ name: String, in folder: Folder) throws(SystemError) -> Int32? {
        do {
            let file = try folder.open(name, O_RDONLY)
            let text = String(
                decoding: try file.readToEnd(limit: 64, path: "\(folder.path)/\(name)"),
                as: UTF8.self)
            guard let pid = pid_t(text.prefix { $0 != "\n" }) else { return nil }
            return try isLocked(file, by: pid) ? pid : nil
        } catch  where error.code == ENOENT {
            return nil
        }
    }
}

/// Whether /proc/locks, see proc(5), lists a flock(2) of `pid` on `file`.
private func isLocked(_ file: borrowing FileDescriptor, by pid: pid_t) throws(SystemError) -> Bool {
    let inode = try file.status(path: "lock").identity.inode
    let locks = try FileDescriptor(opening: "/proc/locks", O_RDONLY)
    let text = String(
        decoding: try locks.readToEnd(limit: 1 << 24, path: "/proc/locks"), as: UTF8.self)
    return text.split(separator: "\n").contains { line in
        // 1: FLOCK  ADVISORY  WRITE 1234 fe:00:567 0 EOF
        let fields = line.split(separator: " ")
        return fields.count > 5 && fields[1] == "FLOCK" && fields[4] == "\(pid)"
            && fields[5].hasSuffix(":\(inode)")
    }
}
