internal import CLinux
internal import Glibc

/// Examines, links, renames and removes names in a directory; no method follows a link, in the path or as the last name.
///
/// A method whose effect outlasts a power cut says that it flushes, see fsync(2).
extension Directory {
    // MARK: Examining

    /// The status of `name`, for a link of the link itself; `nil` if it does not exist, see ``ifExists(_:)``.
    package func status(_ name: some PathBytes) throws(SystemError) -> FileStatus? {
        guard let (above, last) = try ifExists(split(name.pathBytes, for: "stat")) else {
            return nil
        }
        var status = stat()
        let code = try ifExists(
            retryingInterrupts("stat", path: pathOf(name)) {
                unsafe last.withCString {
                    unsafe clinux_status(
                        above.descriptor.rawValue, $0, &status, above.entersMounts ? 1 : 0)
                }
            })
        return code.map { _ in FileStatus(status) }
    }

    /// Whether there is no item `name`; `false` if that is not known.
    package func isCertainlyMissing(_ name: some PathBytes) -> Bool {
        do { return try status(name) == nil } catch { return false }
    }

    /// The target of the symbolic link `name`, unchanged; `nil` if it is no link or cannot be read.
    package func target(bytes name: some PathBytes) -> [UInt8]? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try? unsafe systemCall("readlink", name) {
            unsafe readlinkat($0, $1, &buffer, buffer.count)
        }
        return count.map { buffer[..<$0].map { UInt8(bitPattern: $0) } }
    }

    /// The target of the symbolic link `name` as text; `nil` also if it is not UTF-8.
    package func target(of name: String) -> String? {
        target(bytes: name).flatMap { String(validating: $0, as: UTF8.self) }
    }

    // MARK: Creating

    /// Creates the directory `name` and flushes its parent; fails with `EEXIST` if it exists.
    package func createDirectory(
        _ name: some PathBytes, mode: UInt32 = 0o755
    ) throws(SystemError) -> Directory {
        try unsafe systemCall("mkdir", name) { unsafe mkdirat($0, $1, mode) }
        try above(name.pathBytes).flush()
        return try openDirectory(name)
    }

    /// Creates the symbolic link `name`; fails with `EEXIST` if it exists.
    package func symlink(_ name: some PathBytes, to target: some PathBytes) throws(SystemError) {
        try unsafe systemCall("symlink", name) { folder, name in
            unsafe target.pathBytes.withCString { unsafe symlinkat($0, folder, name) }
        }
    }

    /// Creates a hard link to the file `name`; fails with `EEXIST` if `newName` exists.
    package func link(
        _ name: some PathBytes, to other: Directory, as newName: some PathBytes
    ) throws(SystemError) {
        try unsafe systemCall("link", name, other, newName) { unsafe linkat($0, $1, $2, $3, 0) }
    }

    // MARK: Times and flushes

    /// Sets the times of access and modification of `name` to now; every user who may write to the file can do that.
    package func setModifiedNow(of name: some PathBytes) throws(SystemError) {
        try unsafe systemCall("utimensat", name) {
            unsafe utimensat($0, $1, nil, AT_SYMLINK_NOFOLLOW)
        }
    }

    /// Sets the times of access and modification of `name`, of a link itself, in seconds since 1970.
    package func setModified(_ seconds: Int, of name: some PathBytes) throws(SystemError) {
        let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        try unsafe systemCall("utimensat", name) {
            unsafe utimensat($0, $1, times, AT_SYMLINK_NOFOLLOW)
        }
    }

    /// Flushes `name`, if it is a regular file that this process may read, then its directory; succeeds without them.
    package func flush(_ name: some PathBytes) throws(SystemError) {
        if try status(name)?.kind == .file, let file = try openIfPermitted(name) {
            // mutation test: moved-file-sync
            try file.flush(path: pathOf(name))
        }
        try ifPresent(above(name.pathBytes).flush())
    }

    private func openIfPermitted(
        _ name: some PathBytes
    ) throws(SystemError) -> FileDescriptor? {
        do {
            return try openToRead(name)
        } catch  where error.cause == .denied {
            return nil
        }
    }

    // MARK: Renaming

    /// Renames `name` to `newName` in `other`; replaces an existing file.
    package func rename(
        _ name: some PathBytes, to other: Directory, as newName: some PathBytes
    ) throws(SystemError) {
        try unsafe systemCall("rename", name, other, newName) { unsafe renameat($0, $1, $2, $3) }
    }

    /// Renames `name` to `newName` in `other`; fails with `EEXIST` if that exists.
    ///
    /// It tries three ways, because no disk has all: RENAME_NOREPLACE; a hard link, whose old name is then removed; a rename
    /// after a check that `newName` does not exist. Only the last way replaces a file that somebody creates in between.
    package func renameExclusive(
        _ name: some PathBytes, to other: Directory, as newName: some PathBytes
    ) throws(SystemError) {
        // Disks refuse what they lack by EINVAL, EPERM or EIO. A disk that really fails does not rename in another way, either.
        do throws(SystemError) {
            return try renameByFlag(name, to: other, as: newName)
        } catch  where error.mayBeOfDisk {}
        do throws(SystemError) {
            // The file has two names for a moment. A directory cannot have two, see link(2).
            try link(name, to: other, as: newName)
        } catch  where error.mayBeOfDisk {
            guard try other.status(newName) == nil else {
                throw SystemError("rename", path: other.pathOf(newName), code: EEXIST)
            }
            return try rename(name, to: other, as: newName)
        }
        do throws(SystemError) {
            try remove(name)
        } catch {
            // The new name is removed, because each attempt would leave one more. After another error than this, the old name
            // may be gone.
            if error.cause == .denied { try? other.remove(newName) }
            throw error
        }
    }

    /// The rename that the kernel itself makes exclusive, if the disk can do that.
    func renameByFlag(
        _ name: some PathBytes, to other: Directory, as newName: some PathBytes
    ) throws(SystemError) {
        try unsafe systemCall("rename", name, other, newName) {
            unsafe clinux_rename_noreplace($0, $1, $2, $3)
        }
    }

    /// Renames `name` to `newName` in `other`, then flushes the directory of the new name, then that of the old one.
    ///
    /// - Throws: ``SystemError``; `EEXIST` if `newName` exists.
    package func renameDurably(
        _ name: some PathBytes, to other: Directory, as newName: some PathBytes
    ) throws(SystemError) {
        try renameExclusive(name, to: other, as: newName)
        try other.above(newName.pathBytes).flush()
        try above(name.pathBytes).flush()
    }

    // MARK: Removing

    /// Removes the file or link `name`; succeeds if it does not exist.
    package func remove(_ name: some PathBytes) throws(SystemError) {
        _ = try ifPresent(unsafe systemCall("unlink", name) { unsafe unlinkat($0, $1, 0) })
    }

    /// Removes the file or link `name`, then flushes its directory, so that it does not return after a power cut.
    package func removeDurably(_ name: some PathBytes) throws(SystemError) {
        try remove(name)
        // mutation test: removal-sync
        try ifPresent(above(name.pathBytes).flush())
    }

    /// Removes the empty directory `name`.
    package func removeFolder(_ name: some PathBytes) throws(SystemError) {
        try unsafe systemCall("rmdir", name) { unsafe unlinkat($0, $1, AT_REMOVEDIR) }
    }
}

/// A system call gets the last name of a path, and a descriptor of the directory in which that name is.
extension Directory {
    /// Makes a system call with the last name of `path`; fails with `EINVAL` if `path` does not end with a name.
    @discardableResult
    private func systemCall<Result: SignedInteger>(
        _ call: String, _ path: some PathBytes,
        _ body: (_ directory: CInt, _ name: UnsafePointer<CChar>) -> Result
    ) throws(SystemError) -> Result {
        let (above, name) = try split(path.pathBytes, for: call)
        return try retryingInterrupts(call, path: pathOf(path)) {
            unsafe name.withCString { unsafe body(above.descriptor.rawValue, $0) }
        }
    }

    /// Makes a system call with two names; errors name the second one, which is in `other`.
    private func systemCall(
        _ call: String, _ path: some PathBytes, _ other: Directory, _ newPath: some PathBytes,
        _ body: (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>) -> CInt
    ) throws(SystemError) {
        let (above, name) = try split(path.pathBytes, for: call)
        try unsafe other.systemCall(call, newPath) { newAbove, newName in
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
        let hasName = !name.isEmpty && name != Array(".".utf8) && name != Array("..".utf8)
        guard hasName, !path.contains(0), slash != path.startIndex else {
            throw SystemError(call, path: pathOf(path), code: EINVAL)
        }
        return (try above(path), name)
    }

    /// Opens the directory of the last name of `path`; without a slash, that is this directory.
    private func above(_ path: [UInt8]) throws(SystemError) -> Directory {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return self }
        return try openDirectory(Array(path[..<slash]))
    }

    /// The path of `name` for errors; bytes that are not UTF-8 are replaced.
    func pathOf(_ name: some PathBytes) -> String {
        let name = String(decoding: name.pathBytes, as: UTF8.self)
        return name == "." ? path : "\(path == "/" ? "" : path)/\(name)"
    }
}

extension SystemError {
    /// Whether the disk may lack the call, so that another way may succeed.
    fileprivate var mayBeOfDisk: Bool { code != EEXIST && cause != .absent && cause != .shortage }
}
