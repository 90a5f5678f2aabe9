internal import Glibc

/// Publishes symbolic links, where the file system has them.
extension AtomicFile {
    /// Creates or replaces the symbolic link `name` in `destination`, which people see, through a temporary one in `incoming`.
    ///
    /// - Returns: `false` if the file system, such as exFAT, has no symbolic links.
    /// - Throws: ``SystemError``. An existing file of that name then stays, unless the flush of the directory failed.
    package static func publishLink(
        to target: String, in destination: Directory, as name: String, through incoming: Directory
    ) throws(SystemError) -> Bool {
        let temporary = uniqueName(name)
        guard try incoming.symlinkIfSupported(temporary, to: target) else { return false }
        do {
            try incoming.renameVisibly(temporary, to: destination, as: name)
        } catch {
            try? incoming.remove(temporary)
            throw error
        }
        try destination.flush()
        return true
    }
}

extension Directory {
    /// Creates the symbolic link `name`; returns `false` if the file system, such as exFAT, has no symbolic links.
    ///
    /// A link counts only if it can be read: sshfs of Debian makes links with `..`, but refuses to read them.
    package func symlinkIfSupported(
        _ name: some PathBytes, to target: some PathBytes
    ) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try symlink(name, to: target)
        } catch let firstError {
            do throws(SystemError) {
                // If this succeeds, the file system has links, and the first error had another reason.
                try symlink(name, to: target)
            } catch {
                try requireNoSymlinks(after: firstError)
                return false
            }
        }
        return try keepIfReadable(name)
    }

    /// Removes the new link `name` if the file system refuses to read it; returns whether it stays.
    private func keepIfReadable(_ name: some PathBytes) throws(SystemError) -> Bool {
        do throws(SystemError) {
            _ = try readLink(name)
            return true
        } catch {
            // After any other error, the link may be readable later.
            guard error.isOfUnreadableLink else { return true }
            try remove(name)
            return false
        }
    }

    /// Throws, unless the `error` of making a symbolic link in this directory means that the file system has no such links.
    ///
    /// exFAT answers EPERM, rclone EIO, a share of VirtualBox EPROTO or EROFS. But on these, a file can be made.
    private func requireNoSymlinks(after error: SystemError) throws(SystemError) {
        guard [.denied, .transient].contains(error.cause),
            ![EEXIST, ENAMETOOLONG].contains(error.code)
        else { throw error }
        do throws(SystemError) {
            _ = try AtomicFile(".apod-mirror", in: self)
        } catch let failure {
            // If both fail alike, as without permission, the error with the name of the link is thrown.
            throw failure.code == error.code ? error : failure
        }
    }
}
