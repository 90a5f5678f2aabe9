internal import CLinux
internal import Glibc

/// What can be done with names that somebody else chose: any bytes but a zero.
///
/// None of these calls follows a link, whether it is the name itself or lies on the way to it.
extension Directory {
    /// The directory `name`, `nil` where there is none.
    package func folder(bytes name: [UInt8]) throws(SystemError) -> Directory? {
        do {
            let descriptor = try open(bytes: name, O_RDONLY | O_DIRECTORY)
            return Directory(descriptor, path: pathOf(bytes: name))
        } catch  where error.code == ENOENT {
            return nil
        }
    }

    /// Opens the file `name` as openat2(2) does.
    package func open(
        bytes name: [UInt8], _ flags: CInt, mode: UInt32 = 0
    ) throws(SystemError) -> FileDescriptor {
        Heartbeat.current?.beat()
        guard !name.contains(0) else {
            throw SystemError("open", path: pathOf(bytes: name), code: EINVAL)
        }
        return FileDescriptor(
            owning: try retryingInterrupts("open", path: pathOf(bytes: name)) {
                unsafe name.withCString {
                    unsafe clinux_open_beneath(descriptor.rawValue, $0, flags, mode)
                }
            })
    }

    /// Opens the file `name` to read, without waiting for anything a fifo or a device waits for.
    package func openToRead(bytes name: [UInt8]) throws(SystemError) -> FileDescriptor {
        try open(bytes: name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    }

    /// What `name` stands for, a link itself; `nil` where there is nothing.
    package func status(bytes name: [UInt8]) throws(SystemError) -> FileStatus? {
        var status = stat()
        do {
            try unsafe call("stat", name) { unsafe fstatat($0, $1, &status, AT_SYMLINK_NOFOLLOW) }
        } catch  where error.code == ENOENT {
            return nil
        }
        return FileStatus(status)
    }

    /// Where the symbolic link `name` leads, as it was written; `nil` where it is no link.
    package func target(bytes name: [UInt8]) -> [UInt8]? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try? unsafe call("readlink", name) {
            unsafe readlinkat($0, $1, &buffer, buffer.count)
        }
        return count.map { buffer[..<$0].map { UInt8(bitPattern: $0) } }
    }

    /// Makes the symbolic link `name`; fails with `EEXIST` where something has the name.
    package func symlink(bytes name: [UInt8], to target: [UInt8]) throws(SystemError) {
        try unsafe call("symlink", name) { folder, name in
            unsafe target.withCString { unsafe symlinkat($0, folder, name) }
        }
    }

    /// Renames `name`, which is ours, into `other`, replacing what has that name there.
    package func rename(
        _ name: String, to other: Directory, bytes newName: [UInt8]
    ) throws(SystemError) {
        try unsafe call("rename", Array(name.utf8), other, newName) {
            unsafe renameat($0, $1, $2, $3)
        }
    }

    /// Renames `name` into `other`; fails with `EEXIST` rather than replace.
    package func renameExclusive(
        _ name: String, to other: Directory, as newName: String
    ) throws(SystemError) {
        try unsafe call("rename", Array(name.utf8), other, Array(newName.utf8)) {
            unsafe clinux_rename_noreplace($0, $1, $2, $3)
        }
    }

    /// Renames `name`, any bytes, into `other`; fails with `EEXIST` rather than replace.
    package func renameExclusive(
        bytes name: [UInt8], to other: Directory, as newName: String
    ) throws(SystemError) {
        try retryingInterrupts("rename", path: "\(other.path)/\(newName)") {
            unsafe name.withCString {
                unsafe clinux_rename_noreplace(
                    descriptor.rawValue, $0, other.descriptor.rawValue, newName)
            }
        }
    }

    /// Gives `name`, which is ours, and `newName` in `other` what the other had, in one step.
    ///
    /// - Throws: ``SystemError``; `ENOENT` where there is no `newName`, `EINVAL` where the file system
    ///   cannot do it.
    package func exchange(
        _ name: String, with other: Directory, bytes newName: [UInt8]
    ) throws(SystemError) {
        try unsafe call("exchange", Array(name.utf8), other, newName) {
            unsafe clinux_exchange($0, $1, $2, $3)
        }
    }

    /// Makes the directory `name`, on the disk before this returns.
    package func makeDirectory(
        bytes name: [UInt8], mode: UInt32 = 0o755
    ) throws(SystemError) -> Directory {
        try unsafe call("mkdir", name) { unsafe mkdirat($0, $1, mode) }
        try (above(name) ?? self).synchronize()
        let made = try open(bytes: name, O_RDONLY | O_DIRECTORY)
        return Directory(made, path: pathOf(bytes: name))
    }

    /// Gives the file `name` a second name; fails with `EEXIST` where something has that.
    package func link(
        bytes name: [UInt8], to other: Directory, as newName: String
    ) throws(SystemError) {
        try unsafe call("link", name, other, Array(newName.utf8)) {
            unsafe linkat($0, $1, $2, $3, 0)
        }
    }

    /// Removes the file or link `name`; that it is gone already is no error.
    package func remove(bytes name: [UInt8]) throws(SystemError) {
        do {
            try unsafe call("unlink", name) { unsafe unlinkat($0, $1, 0) }
        } catch  where error.code == ENOENT {
            // Gone is what was asked for.
        }
    }

    /// Removes the empty directory `name`.
    package func removeFolder(bytes name: [UInt8]) throws(SystemError) {
        try unsafe call("rmdir", name) { unsafe unlinkat($0, $1, AT_REMOVEDIR) }
    }

    func pathOf(bytes name: [UInt8]) -> String {
        pathOf(String(decoding: name, as: UTF8.self))
    }
}

extension Directory {
    /// A system call about one name, and the directory that it is in.
    private typealias Call<Result> = (CInt, UnsafePointer<CChar>) -> Result

    /// Makes a system call about the last name of `path`.
    ///
    /// - Throws: ``SystemError``; `EINVAL` where the last part of `path` is no name of anything.
    @discardableResult
    private func call<Result: FixedWidthInteger>(
        _ call: String, _ path: [UInt8], _ body: Call<Result>
    ) throws(SystemError) -> Result {
        let (above, name) = try split(path, for: call)
        return try retryingInterrupts(call, path: pathOf(bytes: path)) {
            unsafe name.withCString { unsafe body(above.descriptor.rawValue, $0) }
        }
    }

    /// The same about two names, the second of which is in `other`; errors are about that.
    private func call(
        _ call: String, _ path: [UInt8], _ other: Directory, _ newPath: [UInt8],
        _ body: (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>) -> CInt
    ) throws(SystemError) {
        let (above, name) = try split(path, for: call)
        try unsafe other.call(call, newPath) { newAbove, newName in
            unsafe name.withCString {
                unsafe body(above.descriptor.rawValue, $0, newAbove, newName)
            }
        }
    }

    /// The directory that the last name of `path` is in, and that name.
    private func split(
        _ path: [UInt8], for call: String
    ) throws(SystemError) -> (above: Directory, name: [UInt8]) {
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { Array(path[($0 + 1)...]) } ?? path
        // "." and ".." lead to a directory that this call is not about.
        let isName = ![[], [0x2e], [0x2e, 0x2e]].contains(name) && !path.contains(0)
        guard isName, slash != path.startIndex else {
            throw SystemError(call, path: pathOf(bytes: path), code: EINVAL)
        }
        return (try above(path) ?? self, name)
    }

    /// The directory that the last name of `path` is in, `nil` for this one.
    private func above(_ path: [UInt8]) throws(SystemError) -> Directory? {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let above = Array(path[..<slash])
        return Directory(try open(bytes: above, O_RDONLY | O_DIRECTORY), path: pathOf(bytes: above))
    }
}

extension [UInt8] {
    /// Runs `body` with these bytes as C has them, ended by a zero.
    fileprivate func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        let characters = map { CChar(bitPattern: $0) } + [0]
        return unsafe characters.withUnsafeBufferPointer { buffer in
            // The zero is always there.
            guard let start = buffer.baseAddress else { fatalError("a buffer without bytes") }
            return unsafe body(start)
        }
    }
}
