internal import Glibc

/// A temporary file that gets its final name when all of it is written and flushed.
///
/// This program writes the files of a mirror like this, and several at once by ``AtomicFileBatch``. After a crash or a power
/// cut, the final name leads to the whole old file or to the whole new one, if the file system can flush files.
///
/// ``publish(in:as:isVisible:)`` replaces an existing file, ``publishNew(in:as:)`` does not, and ``stage(in:as:)`` leaves the
/// last step to the caller. A temporary file that none of them has renamed is removed with this value.
package struct AtomicFile: ~Copyable, Sendable {
    package let file: FileDescriptor
    private let folder: Directory
    private let name: String

    deinit {
        // If this fails, the next start removes the file, as it removes the files of killed processes.
        try? folder.remove(name)
    }
}

extension AtomicFile {
    /// Creates an empty temporary file in `folder`, on the file system where it is to be published; its name begins with `prefix`.
    package init(_ prefix: String, in folder: Directory) throws(SystemError) {
        let name = Self.uniqueName(prefix)
        let file = try folder.open(name, O_RDWR | O_CREAT | O_EXCL)
        self.init(file: file, folder: folder, name: name)
    }

    /// Throws unless the disk has space for so many bytes.
    package typealias SpaceCheck = (_ bytes: Int) throws(SystemError) -> Void

    /// Creates a temporary file with the contents of the file `original` in `source`: a reflink, a hard link, or else a copy.
    ///
    /// - Throws: ``SystemError``, for a copy as ``copy(_:limit:reserve:)`` does.
    package static func duplicate(
        of original: String, in source: Directory, as prefix: String, in folder: Directory,
        limit: Int, reserve: SpaceCheck
    ) throws(SystemError) -> AtomicFile {
        let contents = try source.openFile(original, O_RDONLY)
        // Unlike a hard link, a reflink stays as it is if somebody edits the original in place. If the disk has no room for
        // another file, a link is still possible.
        if let draft = try? AtomicFile(prefix, in: folder), draft.file.reflink(from: contents) {
            return draft
        }
        let name = uniqueName(prefix)
        guard (try? source.link(original, to: folder, as: name)) != nil else {
            let copy = try AtomicFile(prefix, in: folder)
            try copy.copy(contents, limit: limit, reserve: reserve)
            return copy
        }
        do throws(SystemError) {
            // It is opened for reading only, because this user may lack permission to write to the original.
            let file = try folder.openFile(name, O_RDONLY)
            return AtomicFile(file: file, folder: folder, name: name)
        } catch {
            try? folder.remove(name)
            throw error
        }
    }

    /// Fills this empty file with the contents of `source`.
    ///
    /// If the file system can, the two share their blocks, which needs no space; otherwise `reserve` checks the space first.
    ///
    /// - Throws: ``SystemError``, as ``FileDescriptor/sha256(path:limit:)`` does.
    package func copy(
        _ source: borrowing FileDescriptor, limit: Int, reserve: SpaceCheck
    ) throws(SystemError) {
        let size = try source.status(path: path).size
        guard size <= limit else { throw SystemError("read", path: path, code: EFBIG) }
        guard !file.reflink(from: source) else { return }
        // mutation test: copy-space (see Tests/Mutants)
        try reserve(size)
        try file.copy(from: source, path: path, limit: limit)
    }

    // MARK: Publishing

    package func write(_ bytes: [UInt8]) throws(SystemError) {
        try file.write(bytes, path: path)
    }

    /// The path of the temporary file, for errors.
    package var path: String { folder.pathOf(name) }

    /// Flushes the file, renames it, and flushes the directory.
    ///
    /// An existing file of that name is replaced atomically. `isVisible` says that people see the directory, in which file
    /// managers must notice the change, see ``Directory/renameVisibly(_:to:as:)``.
    ///
    /// - Throws: ``SystemError``. If the last flush failed, the file has its name, but a power cut may undo that. The bytes
    ///   must be written again, because a second fsync(2) would not report the bytes that the first one lost.
    package consuming func publish(
        in destination: Directory, as finalName: String, isVisible: Bool = false
    ) throws(SystemError) {
        // mutation test: file-sync
        try file.flush(path: path)
        if isVisible {
            try folder.renameVisibly(name, to: destination, as: finalName)
        } else {
            try folder.rename(name, to: destination, as: finalName)
        }
        // mutation test: name-sync
        try destination.flush()
    }

    /// Publishes as ``publish(in:as:isVisible:)`` does, but replaces nothing: fails with `EEXIST` if anything has the name.
    package consuming func publishNew(
        in destination: Directory, as finalName: String
    ) throws(SystemError) {
        try file.flush(path: path)
        try folder.renameExclusive(name, to: destination, as: finalName)
        try destination.flush()
    }

    /// Flushes the file and renames it to `newName` in `destination`, from where `DayPublisher` publishes it later.
    ///
    /// The caller flushes `destination`. The bytes are on the disk before the name is, so that after a power cut a name in
    /// `destination` proves that its file is whole. The file stays open.
    package func stage(in destination: Directory, as newName: String) throws(SystemError) {
        // mutation test: staged-file-sync
        try file.flush(path: path)
        try folder.rename(name, to: destination, as: newName)
    }

    /// Publishes a file with the contents `bytes`, through a temporary file in `incoming`, which is on the same file system.
    ///
    /// - Throws: ``SystemError``. An existing file of that name then stays, unless the flush of the directory failed.
    package static func publish(
        _ bytes: [UInt8], in destination: Directory, as name: String, through incoming: Directory
    ) throws(SystemError) {
        let file = try AtomicFile("\(name).part", in: incoming)
        try file.write(bytes)
        try file.publish(in: destination, as: name)
    }
}
