internal import Glibc

/// A feature of file systems that this program uses when it publishes a file, but can do without.
///
/// exFAT by FUSE, network shares, and disks that are mounted for another user lack some of them. `doctor` reports which.
package enum DiskFeature: CaseIterable, Sendable {
    /// A rename that replaces nothing, by RENAME_NOREPLACE of renameat2(2).
    case exclusiveRename
    /// A second name for a file; see link(2).
    case hardLink
    /// That this user can set the modification time of a file.
    case modificationTime
    /// That this user can set the mode of a file.
    case mode
    /// fsync(2) of a directory.
    case directoryFlush
}

extension Directory {
    /// Tries `feature` with files in this directory, whose names begin with `prefix`, and removes them.
    ///
    /// Any error means that the feature is missing, because one file system answers EPERM and another EIO.
    ///
    /// - Throws: ``SystemError`` if not even a file can be made, so that nothing is known about the feature.
    package func supports(
        _ feature: DiskFeature, prefix: String
    ) throws(SystemError) -> Bool {
        let name = AtomicFile.uniqueName(prefix)
        let other = AtomicFile.uniqueName(prefix)
        let file = try open(name, O_RDWR | O_CREAT | O_EXCL)
        defer { for name in [name, other] { try? remove(name) } }
        do throws(SystemError) {
            switch feature {
            case .exclusiveRename: try renameByFlag(name, to: self, as: other)
            case .hardLink: try link(name, to: self, as: other)
            case .modificationTime:
                // The time is read again, because some file systems ignore it. It is even, because FAT stores no odd seconds.
                let evenTime = 1_000_000_000
                file.setModified(evenTime)
                return try status(name)?.modified == evenTime
            case .mode: try file.setMode(0o600, path: pathOf(name))
            case .directoryFlush: try descriptor.requireFlush(path: path)
            }
            return true
        } catch {
            return false
        }
    }
}
