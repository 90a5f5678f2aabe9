internal import CLinux
internal import Glibc

/// Renames files and links within a directory and to other directories; no method follows a symbolic link.
extension Directory {
    /// Renames `name` to `newName` in `other`, and replaces an existing file of that name.
    package func rename(
        _ name: some PathBytes, to other: Directory, as newName: some PathBytes
    ) throws(SystemError) {
        try unsafe systemCall("rename", name, to: other, as: newName) {
            unsafe renameat($0, $1, $2, $3)
        }
    }

    /// Renames `name` to `newName` in `other`, and flushes the directory of the new name, and then that of the old one.
    ///
    /// - Throws: ``SystemError``; `EEXIST` if `newName` exists.
    package func renameDurably(
        _ name: some PathBytes, to other: Directory, as newName: some PathBytes
    ) throws(SystemError) {
        try renameExclusive(name, to: other, as: newName)
        try other.parent(of: newName).flush()
        try parent(of: name).flush()
    }

    /// Renames a new file of this directory into `other`, and removes it, to find out whether renames between the two work.
    ///
    /// The file is hidden in `other`, and the next attempt replaces what a killed process left there.
    ///
    /// - Throws: ``SystemError``; `EXDEV` with the path of `other` if no file can be renamed from here to there.
    package func tryRename(to other: Directory, prefix: String) throws(SystemError) {
        let name = AtomicFile.uniqueName(prefix)
        let waiting = Self.waitingPath(for: prefix)
        _ = try open(name, O_WRONLY | O_CREAT | O_EXCL)
        do throws(SystemError) {
            try rename(name, to: other, as: waiting)
        } catch {
            try? remove(name)
            throw SystemError(error.call, path: other.path, code: error.code)
        }
        try other.remove(waiting)
    }

    // MARK: Without replacing a file

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
        try unsafe systemCall("rename", name, to: other, as: newName) {
            unsafe clinux_rename_noreplace($0, $1, $2, $3)
        }
    }
}

extension SystemError {
    /// Whether the file system may lack the call, so that another way may succeed: it answers `EINVAL`, `EPERM` or `EIO`.
    fileprivate var mayMeanUnsupported: Bool {
        code != EEXIST && cause != .absent && cause != .shortage
    }
}
