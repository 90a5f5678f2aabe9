internal import Glibc

/// Checks whether this process may change the names in a directory.
extension Directory {
    /// Throws unless this process may create and remove files in the directory at `relative`, by default this one.
    package func checkWritable(_ relative: String = ".") throws(SystemError) {
        try retryingInterrupts("write", path: pathOf(relative)) {
            // With the dot, a file in place of the directory causes the error `ENOTDIR`.
            unsafe faccessat(descriptor.rawValue, relative + "/.", W_OK | X_OK, AT_EACCESS)
        }
    }

    /// Throws unless this process may remove the file or link `name`, or there is none.
    ///
    /// - Throws: ``SystemError``; ``SystemError/isOfStickyDirectory`` for a file of another user, see unlink(2).
    package func checkRemovable(_ name: [UInt8]) throws(SystemError) {
        try checkWritable()
        let stickyBit: UInt32 = 0o1000
        guard try permissions().mode & stickyBit != 0, let file = try status(name) else { return }
        let owners = [file.owner, try status().owner]
        guard geteuid() == 0 || owners.contains(geteuid()) else {
            throw SystemError("unlink", path: pathOf(name), code: EACCES)
        }
    }
}

extension SystemError {
    /// Whether this error of ``Directory/checkRemovable(_:)`` comes only from the sticky bit of the directory.
    package var isOfStickyDirectory: Bool { call == "unlink" && code == EACCES }
}
