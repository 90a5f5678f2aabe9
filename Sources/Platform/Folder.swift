internal import CLinux
internal import Glibc

/// An open directory, and what can be done with the names in it.
///
/// Every path is resolved beneath the directory and through no symbolic link: a link that somebody
/// put in the way makes a call fail with `ELOOP` and never leads it elsewhere. See openat2(2).
package final class Folder: Sendable {
    /// What the directory is called in errors.
    package let path: String
    let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens the directory at `path`, which the user chose: links in it are followed.
    package convenience init(opening path: String) throws(SystemError) {
        self.init(try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY), path: path)
    }

    /// The directory at `relative`, `nil` where there is none.
    package func folder(_ relative: String) throws(SystemError) -> Folder? {
        do {
            return Folder(
                try open(relative, O_RDONLY | O_DIRECTORY), path: pathOf(relative))
        } catch  where error.code == ENOENT {
            return nil
        }
    }

    /// The directory at `relative`, made with all above it where missing.
    ///
    /// Each new directory is on the disk, name and all, before this returns.
    package func makeFolder(_ relative: String, mode: UInt32 = 0o755) throws(SystemError) -> Folder
    {
        if let folder = try folder(relative) { return folder }
        let (above, name) = Self.split(relative)
        let parent =
            try above.map { above throws(SystemError) in try makeFolder(above, mode: mode) } ?? self
        do {
            try retryingInterrupts("mkdir", path: pathOf(relative)) {
                unsafe mkdirat(parent.descriptor.rawValue, name, mode)
            }
        } catch  where error.code == EEXIST {
            // Somebody else made it just now, or something else has the name: opening tells.
        }
        try parent.synchronize()
        return Folder(try open(relative, O_RDONLY | O_DIRECTORY), path: pathOf(relative))
    }

    /// Opens the file at `relative` as openat2(2) does.
    package func open(
        _ relative: String, _ flags: CInt, mode: UInt32 = 0o644
    ) throws(SystemError) -> FileDescriptor {
        Pulse.current?.beat()
        return FileDescriptor(
            owning: try retryingInterrupts("open", path: pathOf(relative)) {
                unsafe clinux_open_beneath(descriptor.rawValue, relative, flags, mode)
            })
    }

    /// The bytes of the file at `relative`, `nil` where there is none.
    ///
    /// - Throws: ``SystemError``; `EFBIG` where the file is longer than `limit` bytes.
    package func read(_ relative: String, limit: Int = 64 << 20) throws(SystemError) -> [UInt8]? {
        do {
            // Never waits for a writer where somebody put a fifo: see fifo(7).
            let file = try open(relative, O_RDONLY | O_NONBLOCK | O_NOCTTY)
            return try file.readToEnd(limit: limit, path: pathOf(relative))
        } catch  where error.code == ENOENT {
            return nil
        }
    }

    /// The names in the directory as bytes, without `.` and `..`, in no order.
    package func names() throws(SystemError) -> [[UInt8]] {
        var reader = try DirectoryReader(beneath: self)
        return try reader.names()
    }

    /// The same of the directory at `relative`, any bytes; `nil` where there is none.
    package func names(in relative: [UInt8]) throws(SystemError) -> [[UInt8]]? {
        do {
            var reader = try DirectoryReader(opening: relative, beneath: self)
            return try reader.names()
        } catch  where error.code == ENOENT {
            return nil
        }
    }

    /// The names in the directory that are UTF-8: ours are, the others are somebody else's.
    package func textNames() throws(SystemError) -> [String] {
        try names().compactMap { String(validating: $0, as: UTF8.self) }
    }

    /// What `name` stands for, a link itself and not what it leads to; `nil` where there is nothing.
    package func status(_ name: String) throws(SystemError) -> FileStatus? {
        let (above, name) = Self.split(name)
        guard let parent = try above.map({ above throws(SystemError) in try folder(above) }) ?? self
        else { return nil }
        var status = stat()
        do {
            try retryingInterrupts("stat", path: parent.pathOf(name)) {
                unsafe fstatat(parent.descriptor.rawValue, name, &status, AT_SYMLINK_NOFOLLOW)
            }
        } catch  where error.code == ENOENT {
            return nil
        }
        return FileStatus(status)
    }

    /// What the directory itself is.
    package func status() throws(SystemError) -> FileStatus {
        try descriptor.status(path: path)
    }

    /// Renames `name` into `other`, replacing what has that name there.
    package func rename(_ name: String, to other: Folder, as newName: String) throws(SystemError) {
        try retryingInterrupts("rename", path: other.pathOf(newName)) {
            unsafe renameat(
                descriptor.rawValue, name, other.descriptor.rawValue, newName)
        }
    }

    /// Gives the file `name` a second name.
    package func link(_ name: String, to other: Folder, as newName: String) throws(SystemError) {
        try retryingInterrupts("link", path: other.pathOf(newName)) {
            unsafe linkat(descriptor.rawValue, name, other.descriptor.rawValue, newName, 0)
        }
    }

    /// Makes the symbolic link `name`.
    package func symlink(_ name: String, to target: String) throws(SystemError) {
        try retryingInterrupts("symlink", path: pathOf(name)) {
            unsafe symlinkat(target, descriptor.rawValue, name)
        }
    }

    /// Where the symbolic link `name` leads, as it was written; `nil` where it is no link.
    package func target(of name: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe buffer.withUnsafeMutableBytes { buffer in
            unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                guard let start = text.baseAddress else { return 0 }
                return unsafe readlinkat(descriptor.rawValue, name, start, text.count)
            }
        }
        return count < 0 ? nil : String(validating: buffer[..<count], as: UTF8.self)
    }

    /// Removes the file or link `name`; that it is gone already is no error.
    package func remove(_ name: String) throws(SystemError) {
        do {
            try retryingInterrupts("unlink", path: pathOf(name)) {
                unsafe unlinkat(descriptor.rawValue, name, 0)
            }
        } catch  where error.code == ENOENT {
            // Gone is what was asked for.
        }
    }

    /// Forces the names in the directory onto the disk.
    package func synchronize() throws(SystemError) {
        try descriptor.synchronize(path: path)
    }

    /// Forces all that was written to the file system of the directory onto the disk.
    ///
    /// A failure since the directory was opened is told of; see syncfs(2).
    package func synchronizeFileSystem() throws(SystemError) {
        try retryingInterrupts("syncfs", path: path) { clinux_syncfs(descriptor.rawValue) }
    }

    /// The bytes that this user may still write on the file system.
    package func freeBytes() throws(SystemError) -> Int {
        var status = statvfs()
        try retryingInterrupts("statvfs", path: path) {
            unsafe fstatvfs(descriptor.rawValue, &status)
        }
        return Int(status.f_bavail) * Int(status.f_frsize)
    }

    /// The number of the open directory, good as long as this object lives.
    var rawDescriptor: CInt { descriptor.rawValue }

    private func pathOf(_ relative: String) -> String {
        relative == "." ? path : "\(path)/\(relative)"
    }

    private static func split(_ relative: String) -> (above: String?, name: String) {
        guard let slash = relative.lastIndex(of: "/") else { return (nil, relative) }
        return (String(relative[..<slash]), String(relative[relative.index(after: slash)...]))
    }
}
