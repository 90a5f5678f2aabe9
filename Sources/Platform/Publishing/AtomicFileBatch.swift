internal import Glibc

/// Temporary files that get their final names, one after the other, once all of them are flushed.
///
/// A few files are flushed one by one; many with one syncfs(2). After a crash, some may have their final names and
/// others not; each of them is whole. Without ``publish(in:replacing:)`` the temporary files are removed.
package struct AtomicFileBatch: ~Copyable {
    /// From this number on, one syncfs(2) takes about half the time, although it flushes the files of others, too.
    private static let syncfsThreshold = 16

    private let folder: Directory
    private let usesSyncfs: Bool
    private var names: [Names] = []

    private struct Names {
        let temporary: String
        let final: String
    }

    /// - Parameters:
    ///   - count: The expected number of files, which decides how they are flushed.
    ///   - folder: The directory of the temporary files, on the file system where they are to be published.
    package init(expecting count: Int, in folder: Directory) {
        self.folder = folder
        usesSyncfs = count >= Self.syncfsThreshold
    }

    deinit {
        for name in names { try? folder.remove(name.temporary) }
    }

    /// Writes one temporary file, whose final name is `name`; after an error the batch must not be published.
    ///
    /// `modified` is the modification time in seconds since 1970; `nil` for the time of writing.
    ///
    /// - Returns: The status of the file, whose inode and times stay the same when it gets its final name.
    /// - Throws: ``SystemError``.
    @discardableResult
    package mutating func add(
        _ bytes: [UInt8], as name: String, prefix: String, modified: Int? = nil
    ) throws(SystemError) -> FileStatus {
        let temporary = AtomicFile.uniqueName(prefix)
        let path = folder.pathOf(temporary)
        let file = try folder.open(temporary, O_WRONLY | O_CREAT | O_EXCL)
        names.append(Names(temporary: temporary, final: name))
        try file.write(bytes, path: path)
        if let modified { try file.setModified(modified, path: path) }
        // mutation test: batch-file-sync
        if !usesSyncfs { try file.flush(path: path) }
        return try file.status(path: path)
    }

    /// Flushes all files, then renames them.
    ///
    /// The caller flushes `destination`. An existing file is replaced atomically; if it must not be, it stays, and
    /// the new one of its name is dropped. After an error, the remaining temporary files are removed, and are to be
    /// written again: a second fsync(2) does not report the bytes that the first one lost.
    package consuming func publish(
        in destination: Directory, replacing isReplacing: Bool = true
    ) throws(SystemError) {
        // mutation test: batch-disk-sync
        if usesSyncfs { try folder.flushFileSystem() }
        while let name = names.last {
            do throws(SystemError) {
                try isReplacing
                    ? folder.rename(name.temporary, to: destination, as: name.final)
                    : folder.renameExclusive(name.temporary, to: destination, as: name.final)
            } catch  where error.code == EEXIST && !isReplacing {
                try folder.remove(name.temporary)
            }
            names.removeLast()
        }
    }
}
