internal import Glibc

/// Temporary files that get their final names, one after the other, once all of them are flushed.
///
/// A few files are flushed one by one, many with one syncfs(2). After a crash, some may have their final names and others
/// not, but each is whole. Without ``publish(in:)``, the temporary files are removed with this value.
package struct AtomicFileBatch: ~Copyable, Sendable {
    /// From this number on, one syncfs(2) takes about half the time, although it flushes the files of other programs, too.
    private static let syncfsThreshold = 16

    private let folder: Directory
    private let place: Place
    private var names: [Names] = []

    /// Where in its folder a temporary file is.
    private enum Place { case folder, besideFinalName }

    /// What a file may replace.
    package enum Replaced: Sendable {
        /// Any file of its name; people do not see the folder.
        case any
        /// The file with this status, or for `nil` none. Any other file stays, and the new one is dropped.
        case only(FileStatus?)
    }

    private struct Names {
        let temporary: String
        let final: String
        /// A symbolic link is not flushed, because it is a part of its directory.
        let isLink: Bool
        let replaced: Replaced
    }

    /// `folder` is the directory of the temporary files, on the file system where they are to be published.
    package init(in folder: Directory) { (self.folder, place) = (folder, .folder) }

    /// The temporary files are hidden beside their final names in `destination`, each at its ``Directory/waitingPath(for:)``.
    ///
    /// So each is on the file system of its final name, even if something is mounted in `destination`.
    package init(besideFinalNamesIn destination: Directory) {
        (folder, place) = (destination, .besideFinalName)
    }

    deinit {
        for name in names { try? folder.remove(name.temporary) }
    }

    /// Writes one temporary file, whose final name is `name`; after an error the batch must not be published.
    ///
    /// `modified` is the modification time in seconds since 1970, if the disk lets this user set it; `nil` for the time of
    /// writing. An existing file is replaced atomically when the batch is published.
    ///
    /// - Returns: The status of the file, whose inode and times stay the same when it gets its final name.
    /// - Throws: ``SystemError``.
    @discardableResult
    package mutating func add(
        _ bytes: [UInt8], as name: String, prefix: String, modified: Int? = nil,
        replacing replaced: Replaced = .any
    ) throws(SystemError) -> FileStatus {
        let temporary = try temporaryName(prefix, for: name)
        let path = folder.pathOf(temporary)
        let file = try folder.open(temporary, O_WRONLY | O_CREAT | O_EXCL)
        names.append(
            Names(temporary: temporary, final: name, isLink: false, replaced: replaced))
        try file.write(bytes, path: path)
        if let modified { file.setModified(modified) }
        // The disk writes this file while the next ones are made.
        file.startWriting()
        return try file.status(path: path)
    }

    /// Makes a symbolic link to `target`, whose final name is `name`, as ``add(_:as:prefix:modified:replacing:)`` a file.
    ///
    /// - Returns: `false` if the file system, such as exFAT, has no symbolic links.
    package mutating func addLink(
        to target: String, as name: String, replacing replaced: Replaced
    ) throws(SystemError) -> Bool {
        let temporary = try temporaryName("link", for: name)
        guard try folder.symlinkIfSupported(temporary, to: target) else { return false }
        names.append(
            Names(temporary: temporary, final: name, isLink: true, replaced: replaced))
        return true
    }

    private func temporaryName(
        _ prefix: String, for name: String
    ) throws(SystemError) -> String {
        switch place {
        case .folder: return AtomicFile.uniqueName(prefix)
        case .besideFinalName:
            let name = String(decoding: Directory.waitingPath(for: name), as: UTF8.self)
            // A killed process may have left one.
            try folder.remove(name)
            return name
        }
    }

    /// Flushes all files, then renames them.
    ///
    /// The final names are paths in `destination`; the caller flushes their directories. After an error, the remaining temporary
    /// files are removed, and must be written again, because a second fsync(2) does not report the bytes that the first one
    /// lost.
    ///
    /// - Returns: The final names whose new files were dropped.
    @discardableResult
    package consuming func publish(in destination: Directory) throws(SystemError) -> [String] {
        let files = names.filter { !$0.isLink }
        var areFlushed = false
        if files.count >= Self.syncfsThreshold {
            // mutation test: batch-disk-sync
            areFlushed = try folder.flushFileSystem()
        }
        if !areFlushed {
            for name in files {
                // An error of writing that nobody has seen is reported to this descriptor, too. With CIFS, the server flushes
                // only files that are open for writing.
                let file = try folder.open(name.temporary, O_WRONLY)
                // mutation test: batch-file-sync
                try file.flush(path: folder.pathOf(name.temporary))
            }
        }
        var dropped: [String] = []
        while let name = names.last {
            if try !rename(name, in: destination) {
                try folder.remove(name.temporary)
                dropped.append(name.final)
            }
            names.removeLast()
        }
        return dropped
    }

    /// Gives a temporary file its final name; returns `false` if the file of that name stays.
    private func rename(_ name: Names, in destination: Directory) throws(SystemError) -> Bool {
        switch name.replaced {
        case .any:
            try folder.rename(name.temporary, to: destination, as: name.final)
        case .only(let replaced?):
            // mutation test: changed-file
            if try destination.status(name.final) != replaced { return false }
            try folder.replace(name.final, in: destination, by: name.temporary)
        case .only(nil):
            do throws(SystemError) {
                try folder.renameExclusive(name.temporary, to: destination, as: name.final)
            } catch  where error.code == EEXIST {
                return false
            }
        }
        return true
    }
}
