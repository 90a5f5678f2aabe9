internal import Glibc

/// Temporary files that get their final names, one after the other, once all of them are flushed.
///
/// A few files are flushed one by one, many with one syncfs(2). After a crash, some files may have their final names and
/// others not, but each that has its final name is whole. The temporary files that were not published are removed with this
/// value.
package struct AtomicFileBatch: ~Copyable, Sendable {
    /// From this number on, one syncfs(2) takes about half the time, although it also flushes the files of other programs.
    private static let syncfsThreshold = 16

    private let folder: Directory
    private let place: Place
    /// The temporary files that do not have their final names yet.
    private var unpublished: [UnpublishedFile] = []

    /// Where the temporary files are: in ``folder`` under unique names, or beneath it, each beside its final name.
    private enum Place { case inFolder, besideFinalName }

    /// What a new file may replace.
    package enum Replaced: Sendable {
        /// Any file of its name, in a folder that people do not see.
        case any
        /// Only the file with this status, or for `nil` nothing. Any other file stays, and the new one is dropped.
        case only(FileStatus?)
    }

    private struct UnpublishedFile {
        let temporaryName: String
        let finalName: String
        /// Whether it is a symbolic link, which is not flushed, because it is a part of its directory.
        let isLink: Bool
        let replaced: Replaced
    }

    /// The temporary files are in `folder`, which must be on the file system where they are to be published.
    package init(in folder: Directory) {
        self.folder = folder
        place = .inFolder
    }

    /// The temporary files are hidden beside their final names in `destination`, each at its ``Directory/waitingPath(for:)``.
    ///
    /// So each is on the file system of its final name, even if a file system is mounted in `destination`.
    package init(besideFinalNamesIn destination: Directory) {
        folder = destination
        place = .besideFinalName
    }

    deinit {
        for file in unpublished { try? folder.remove(file.temporaryName) }
    }

    /// Writes one temporary file, which gets the final name `name` when the batch is published.
    ///
    /// `prefix` is the beginning of the temporary name. `modified` is the modification time in seconds since 1970, if the file
    /// system lets this user set it; `nil` is the time of writing.
    ///
    /// - Returns: The status of the file, whose inode and times stay the same when it gets its final name.
    /// - Throws: ``SystemError``. The batch must not be published after an error.
    @discardableResult
    package mutating func add(
        _ bytes: [UInt8], as name: String, prefix: String, modified: Int? = nil,
        replacing replaced: Replaced = .any
    ) throws(SystemError) -> FileStatus {
        let temporary = try temporaryName(prefix, for: name)
        let path = folder.pathOf(temporary)
        let file = try folder.open(temporary, O_WRONLY | O_CREAT | O_EXCL)
        unpublished.append(
            UnpublishedFile(
                temporaryName: temporary, finalName: name, isLink: false, replaced: replaced))
        try file.write(bytes, path: path)
        if let modified { file.setModified(modified) }
        // The disk begins to write this file while the next ones are made.
        file.startWriting()
        return try file.status(path: path)
    }

    /// Makes a temporary symbolic link to `target`, which gets the final name `name` when the batch is published.
    ///
    /// - Returns: `false` if the file system, such as exFAT, has no symbolic links.
    package mutating func addLink(
        to target: String, as name: String, replacing replaced: Replaced
    ) throws(SystemError) -> Bool {
        let temporary = try temporaryName("link", for: name)
        guard try folder.symlinkIfSupported(temporary, to: target) else { return false }
        unpublished.append(
            UnpublishedFile(
                temporaryName: temporary, finalName: name, isLink: true, replaced: replaced))
        return true
    }

    private func temporaryName(
        _ prefix: String, for name: String
    ) throws(SystemError) -> String {
        switch place {
        case .inFolder: return AtomicFile.uniqueName(prefix)
        case .besideFinalName:
            let path = String(decoding: Directory.waitingPath(for: name), as: UTF8.self)
            // A killed process may have left a file there.
            try folder.remove(path)
            return path
        }
    }

    /// Flushes all files, and then gives them their final names, which are paths in `destination`.
    ///
    /// The caller flushes the directories of the final names. After an error, the remaining temporary files are removed. They
    /// must be written again, because a second fsync(2) would not report the bytes that the first one lost.
    ///
    /// If a file cannot get its final name, `leaveOut` gets that name and the error. It throws the error to end the
    /// publication; otherwise the new file is removed, and the other files get their names.
    ///
    /// - Returns: The final names of new files that were dropped, because something else had the name.
    @discardableResult
    package consuming func publish(
        in destination: Directory,
        orLeaveOut leaveOut: (String, SystemError) throws(SystemError) -> Void = {
            (_, error) throws(SystemError) in throw error
        }
    ) throws(SystemError) -> [String] {
        try flushFiles()
        var dropped: [String] = []
        while let file = unpublished.last {
            do throws(SystemError) {
                if try !rename(file, in: destination) {
                    try folder.remove(file.temporaryName)
                    dropped.append(file.finalName)
                }
            } catch {
                try leaveOut(file.finalName, error)
                try? folder.remove(file.temporaryName)
            }
            unpublished.removeLast()
        }
        return dropped
    }

    /// Flushes all files, many of them with one system call; a symbolic link is flushed with its directory.
    private func flushFiles() throws(SystemError) {
        let files = unpublished.filter { !$0.isLink }
        var areFlushed = false
        if files.count >= Self.syncfsThreshold {
            // mutation test: batch-disk-sync (see Tests/Mutants)
            areFlushed = try folder.flushFileSystem()
        }
        guard !areFlushed else { return }
        for file in files {
            // The file was closed after it was written. The kernel nevertheless reports an error of that writing to this new
            // descriptor. It is opened for writing, because the server of a CIFS share flushes no other files.
            let descriptor = try folder.open(file.temporaryName, O_WRONLY)
            // mutation test: batch-file-sync
            try descriptor.flush(path: folder.pathOf(file.temporaryName))
        }
    }

    /// Gives a temporary file its final name; returns `false` if something else has that name, and stays.
    private func rename(
        _ file: UnpublishedFile, in destination: Directory
    ) throws(SystemError) -> Bool {
        switch file.replaced {
        case .any:
            try folder.rename(file.temporaryName, to: destination, as: file.finalName)
        case .only(let replaced?):
            // mutation test: changed-file
            if try destination.status(file.finalName) != replaced { return false }
            try folder.replace(file.finalName, in: destination, by: file.temporaryName)
        case .only(nil):
            do throws(SystemError) {
                try folder.renameExclusive(
                    file.temporaryName, to: destination, as: file.finalName)
            } catch  where error.code == EEXIST {
                return false
            }
        }
        return true
    }
}
