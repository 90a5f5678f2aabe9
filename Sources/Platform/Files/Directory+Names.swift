internal import CLinux
internal import Glibc

/// Examines, creates, renames and removes files and links by their names in a directory.
///
/// A `name` may be a path beneath the directory. No method follows a symbolic link, neither one in the path nor the last name.
/// The effect of a method survives a power cut only if its comment says that it flushes, see fsync(2).
extension Directory {
    // MARK: Examining

    /// The status of the file `name`; if that is a link, the status of the link itself.
    ///
    /// - Returns: `nil` if there is nothing of that name, see ``nilForENOENT(_:)``.
    package func status(_ name: some PathBytes) throws(SystemError) -> FileStatus? {
        guard let (above, last) = try nilForENOENT(split(name.pathBytes, for: "stat")) else {
            return nil
        }
        var status = stat()
        let code = try nilForENOENT(
            retryingInterrupts("stat", path: pathOf(name)) {
                unsafe last.withCString {
                    unsafe clinux_status(
                        above.descriptor.rawValue, $0, &status, above.entersMounts ? 1 : 0)
                }
            })
        return code.map { _ in FileStatus(status) }
    }

    /// Whether there is nothing of that `name`; `false` if that cannot be found out.
    package func isCertainlyMissing(_ name: some PathBytes) -> Bool {
        do { return try status(name) == nil } catch { return false }
    }

    /// The text of the symbolic link `name`.
    ///
    /// - Throws: ``SystemError``: `EINVAL` if it is not a link.
    private func readLink(_ name: some PathBytes) throws(SystemError) -> [UInt8] {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try unsafe systemCall("readlink", name) {
            unsafe readlinkat($0, $1, &buffer, buffer.count)
        }
        return buffer[..<count].map { UInt8(bitPattern: $0) }
    }

    /// The text of the symbolic link `name`; `nil` if it is not a link, or cannot be read.
    ///
    /// Where it makes a difference that a link cannot be read, ``readTarget(of:)`` is used instead.
    package func target(bytes name: some PathBytes) -> [UInt8]? { try? readLink(name) }

    /// The text of the symbolic link `name`; `nil` if it is absent, is not a link, or is not UTF-8.
    ///
    /// - Throws: ``SystemError`` if the link cannot be read, because nothing is known about its target.
    package func readTarget(of name: String) throws(SystemError) -> String? {
        do throws(SystemError) {
            let bytes = try readLink(name)
            return String(validating: bytes, as: UTF8.self)
        } catch {
            guard error.code == EINVAL || error.cause == .absent else { throw error }
            return nil
        }
    }

    /// The text of the symbolic link `name`; `nil` if it is not a link, cannot be read, or is not UTF-8.
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

    /// Sets the times of access and modification of `name` to now, for which it is enough that this user may write to the file.
    package func setModifiedNow(of name: some PathBytes) throws(SystemError) {
        try unsafe systemCall("utimensat", name) {
            unsafe utimensat($0, $1, nil, AT_SYMLINK_NOFOLLOW)
        }
    }

    /// Sets the times of access and modification of `name` to `seconds` since 1970, for which this user must own the file.
    package func setModified(_ seconds: Int, of name: some PathBytes) throws(SystemError) {
        let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
        try unsafe systemCall("utimensat", name) {
            unsafe utimensat($0, $1, times, AT_SYMLINK_NOFOLLOW)
        }
    }

    /// Flushes the file `name`, and then its directory; leaves out what does not exist, and a file that it may not read.
    package func flush(_ name: some PathBytes) throws(SystemError) {
        if try status(name)?.kind == .file, let file = try openIfPermitted(name) {
            // mutation test: moved-file-sync (see Tests/Mutants)
            try file.flush(path: pathOf(name))
        }
        try ifPresent(above(name.pathBytes).flush())
    }

    /// Opens the file `name` for reading; `nil` if this process may not read it.
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

    /// Renames `name` to `newName` in `other`, and replaces an existing file of that name.
    package func rename(
        _ name: some PathBytes, to other: Directory, as newName: some PathBytes
    ) throws(SystemError) {
        try unsafe systemCall("rename", name, other, newName) { unsafe renameat($0, $1, $2, $3) }
    }

    /// Renames `name` to `newName` in `other`; fails with `EEXIST` if that exists.
    ///
    /// It tries three ways, because no file system can do all of them:
    /// 1. RENAME_NOREPLACE of renameat2(2);
    /// 2. a hard link with the new name, after which the old name is removed;
    /// 3. a check that there is no `newName`, and then a rename. If somebody creates `newName` in between, it is replaced.
    package func renameExclusive(
        _ name: some PathBytes, to other: Directory, as newName: some PathBytes
    ) throws(SystemError) {
        do throws(SystemError) {
            return try renameByFlag(name, to: other, as: newName)
        } catch  where error.mayMeanUnsupported {
            // The second way follows. If it was the disk that failed, that way fails, too.
        }
        do throws(SystemError) {
            // The file has two names for a moment. A directory cannot have two, see link(2).
            try link(name, to: other, as: newName)
        } catch  where error.mayMeanUnsupported {
            guard try other.status(newName) == nil else {
                throw SystemError("rename", path: other.pathOf(newName), code: EEXIST)
            }
            return try rename(name, to: other, as: newName)
        }
        do throws(SystemError) {
            try remove(name)
        } catch {
            // If the file certainly still has its old name, the new one is removed, so that attempts leave no names behind.
            if error.cause == .denied { try? other.remove(newName) }
            throw error
        }
    }

    /// Renames by RENAME_NOREPLACE of renameat2(2), which some file systems lack; fails with `EEXIST` if `newName` exists.
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

// MARK: System calls

/// A system call must not follow a link in a path. So it gets the descriptor of the directory that contains the file, which was
/// opened without following links, and the last name of the path.
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

    /// Opens the directory that contains the file at `path`, and returns it with the name of the file.
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

    /// Opens the directory that contains the file at `path`; if the path has no slash, that is this directory.
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
    /// Whether the file system may lack the call, so that another way may succeed: it answers `EINVAL`, `EPERM` or `EIO`.
    fileprivate var mayMeanUnsupported: Bool {
        code != EEXIST && cause != .absent && cause != .shortage
    }
}
