internal import CLinux
internal import Glibc

/// Operations on names of any bytes but zero.
///
/// None of them follows a link, neither in the path nor as the name itself.
extension Directory {
    /// Opens the directory `name`; returns `nil` if it does not exist.
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
        Heartbeat.current?.signal()
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

    /// Opens the file `name` for reading; a fifo or a device does not block.
    package func openToRead(bytes name: [UInt8]) throws(SystemError) -> FileDescriptor {
        try open(bytes: name, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    }

    /// The status of `name`, of a link itself; `nil` if it does not exist.
    package func status(bytes name: [UInt8]) throws(SystemError) -> FileStatus? {
        var status = stat()
        do {
            try unsafe call("stat", name) { unsafe fstatat($0, $1, &status, AT_SYMLINK_NOFOLLOW) }
        } catch  where error.code == ENOENT {
            return nil
        }
        return FileStatus(status)
    }

    /// The target of the symbolic link `name`, unchanged; `nil` if it is not a link.
    package func target(bytes name: [UInt8]) -> [UInt8]? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try? unsafe call("readlink", name) {
            unsafe readlinkat($0, $1, &buffer, buffer.count)
        }
        return count.map { buffer[..<$0].map { UInt8(bitPattern: $0) } }
    }

    /// Creates the symbolic link `name`; fails with `EEXIST` if it exists.
    package func symlink(bytes name: [UInt8], to target: [UInt8]) throws(SystemError) {
        try unsafe call("symlink", name) { folder, name in
            unsafe target.withCString { unsafe symlinkat($0, folder, name) }
        }
    }

    /// Renames `name` to `newName` in `other`; replaces an existing file.
    package func rename(
        _ name: String, to other: Directory, bytes newName: [UInt8]
    ) throws(SystemError) {
        try unsafe call("rename", Array(name.utf8), other, newName) {
            unsafe renameat($0, $1, $2, $3)
        }
    }

    /// Renames `name` to `newName` in `other`; fails with `EEXIST` if that exists.
    package func renameExclusive(
        _ name: String, to other: Directory, as newName: String
    ) throws(SystemError) {
        try unsafe call("rename", Array(name.utf8), other, Array(newName.utf8)) {
            unsafe clinux_rename_noreplace($0, $1, $2, $3)
        }
    }

    /// Renames `name`, any name without a slash, into `other`; fails with `EEXIST` if `newName` exists.
    package func renameExclusive(
        bytes name: [UInt8], to other: Directory, as newName: [UInt8]? = nil
    ) throws(SystemError) {
        let newName = newName ?? name
        do {
            try unsafe move(name, to: other, as: newName, "rename") {
                unsafe clinux_rename_noreplace($0, $1, $2, $3)
            }
        } catch  where error.code == EINVAL {
            // Not every file system supports it, see renameat2(2): the file has two names for a moment.
            try unsafe move(name, to: other, as: newName, "link") {
                unsafe linkat($0, $1, $2, $3, 0)
            }
            try remove(bytes: name)
        }
    }

    /// Renames `name`, any name without a slash, into `other`; replaces an existing file.
    package func rename(bytes name: [UInt8], to other: Directory) throws(SystemError) {
        try unsafe move(name, to: other, as: name, "rename") { unsafe renameat($0, $1, $2, $3) }
    }

    /// Exchanges the files `name`, any name without a slash, here and in `other` atomically.
    ///
    /// - Throws: ``SystemError``; `ENOENT` if one does not exist, `EINVAL` if the file system does not
    ///   support it.
    package func exchange(bytes name: [UInt8], with other: Directory) throws(SystemError) {
        try unsafe move(name, to: other, as: name, "exchange") {
            unsafe clinux_exchange($0, $1, $2, $3)
        }
    }

    /// Exchanges `name` and `newName` in `other` atomically.
    ///
    /// - Throws: ``SystemError``; `ENOENT` if one does not exist, `EINVAL` if the file system does not
    ///   support it.
    package func exchange(
        _ name: String, with other: Directory, bytes newName: [UInt8]
    ) throws(SystemError) {
        try unsafe call("exchange", Array(name.utf8), other, newName) {
            unsafe clinux_exchange($0, $1, $2, $3)
        }
    }

    /// Creates the directory `name` and syncs its parent.
    package func makeDirectory(
        bytes name: [UInt8], mode: UInt32 = 0o755
    ) throws(SystemError) -> Directory {
        try unsafe call("mkdir", name) { unsafe mkdirat($0, $1, mode) }
        try (above(name) ?? self).synchronize()
        let descriptor = try open(bytes: name, O_RDONLY | O_DIRECTORY)
        return Directory(descriptor, path: pathOf(bytes: name))
    }

    /// Creates a hard link to the file `name`; fails with `EEXIST` if `newName` exists.
    package func link(
        bytes name: [UInt8], to other: Directory, as newName: String
    ) throws(SystemError) {
        try unsafe call("link", name, other, Array(newName.utf8)) {
            unsafe linkat($0, $1, $2, $3, 0)
        }
    }

    /// Removes the file or link `name`; succeeds if it does not exist.
    package func remove(bytes name: [UInt8]) throws(SystemError) {
        do {
            try unsafe call("unlink", name) { unsafe unlinkat($0, $1, 0) }
        } catch  where error.code == ENOENT {
            // Already removed.
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
    /// A system call with a directory and a name in it.
    private typealias Call<Result> = (CInt, UnsafePointer<CChar>) -> Result

    /// Makes a system call with the last name of `path`.
    ///
    /// - Throws: ``SystemError``; `EINVAL` if `path` does not end with a name.
    @discardableResult
    private func call<Result: FixedWidthInteger>(
        _ call: String, _ path: [UInt8], _ body: Call<Result>
    ) throws(SystemError) -> Result {
        let (above, name) = try split(path, for: call)
        return try retryingInterrupts(call, path: pathOf(bytes: path)) {
            unsafe name.withCString { unsafe body(above.descriptor.rawValue, $0) }
        }
    }

    /// Makes a system call with two names; errors name the second one, which is in `other`.
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

    /// Splits `path` into the directory of its last name and that name.
    private func split(
        _ path: [UInt8], for call: String
    ) throws(SystemError) -> (above: Directory, name: [UInt8]) {
        let slash = path.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { Array(path[($0 + 1)...]) } ?? path
        // "." and ".." are not names of their own.
        let isName = ![[], [0x2e], [0x2e, 0x2e]].contains(name) && !path.contains(0)
        guard isName, slash != path.startIndex else {
            throw SystemError(call, path: pathOf(bytes: path), code: EINVAL)
        }
        return (try above(path) ?? self, name)
    }

    /// Opens the directory of the last name of `path`; returns `nil` for this directory.
    private func above(_ path: [UInt8]) throws(SystemError) -> Directory? {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let above = Array(path[..<slash])
        return Directory(try open(bytes: above, O_RDONLY | O_DIRECTORY), path: pathOf(bytes: above))
    }
}

extension Directory {
    /// Makes a system call with a name here and a name in `other`; neither name is resolved.
    private func move(
        _ name: [UInt8], to other: Directory, as newName: [UInt8], _ call: String,
        _ body: (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>) -> CInt
    ) throws(SystemError) {
        try retryingInterrupts(call, path: other.pathOf(bytes: newName)) {
            unsafe name.withCString { name in
                unsafe newName.withCString {
                    unsafe body(rawDescriptor, name, other.rawDescriptor, $0)
                }
            }
        }
    }
}

extension [UInt8] {
    /// Runs `body` with these bytes and a zero as a C string.
    fileprivate func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        let characters = map { CChar(bitPattern: $0) } + [0]
        return unsafe characters.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { fatalError("the buffer has a zero") }
            return unsafe body(start)
        }
    }
}
