internal import Glibc

/// What publishing uses if the disk has it, and does without otherwise.
///
/// exFAT by FUSE, shares, and disks that are mounted for another user lack some of these features.
package enum DiskFeature: CaseIterable, Sendable {
    /// A rename that replaces nothing, by RENAME_NOREPLACE of renameat2(2).
    case exclusiveRename
    case hardLink
    /// A modification time that this program chooses.
    case modificationTime
    /// A mode that this program chooses.
    case mode
    /// fsync(2) of a directory.
    case directoryFlush
}

extension Directory {
    /// Tries `feature` in this directory, with files whose names begin with `prefix`; they are removed at once.
    ///
    /// Any failure counts as a refusal, because one disk answers EPERM and another EIO.
    ///
    /// - Throws: ``SystemError`` if not even the file can be made, because the disk fails.
    package func supports(
        _ feature: DiskFeature, prefix: String
    ) throws(SystemError) -> Bool {
        let (name, other) = (AtomicFile.uniqueName(prefix), AtomicFile.uniqueName(prefix))
        let file = try open(name, O_RDWR | O_CREAT | O_EXCL)
        defer { for name in [name, other] { try? remove(name) } }
        do throws(SystemError) {
            switch feature {
            case .exclusiveRename: try renameByFlag(name, to: self, as: other)
            case .hardLink: try link(name, to: self, as: other)
            case .modificationTime:
                // Some file systems accept a time and ignore it. The time is even, because FAT has only even seconds.
                let time = 1_000_000_000
                file.setModified(time)
                return try status(name)?.modified == time
            case .mode: try file.setMode(0o600, path: pathOf(name))
            case .directoryFlush: try descriptor.requireFlush(path: path)
            }
            return true
        } catch {
            return false
        }
    }
}
