internal import Glibc

/// A temporary file that gets its final name once all of it is written and flushed; this program writes all files like this.
///
/// After a crash or a power cut, the final name leads to the whole old file or to the whole new one. ``publish(in:as:isVisible:)``
/// replaces a file, and ``publishNew(in:as:)`` does not. ``stage(in:as:)`` leaves the last step to the caller. If none of them
/// has renamed the temporary file, it is removed with this value.
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
    /// Creates an empty temporary file in `folder`, on the file system where it is to be published.
    ///
    /// Its unique name begins with `prefix`.
    package init(_ prefix: String, in folder: Directory) throws(SystemError) {
        let name = Self.uniqueName(prefix)
        let file = try folder.open(name, O_RDWR | O_CREAT | O_EXCL)
        self.init(file: file, folder: folder, name: name)
    }

    /// Throws unless there is space for `bytes` more.
    package typealias SpaceCheck = (_ bytes: Int) throws(SystemError) -> Void

    /// Creates a temporary file with the contents of `original`: a hard link, or else a copy.
    ///
    /// - Throws: ``SystemError``, for a copy as ``copy(_:limit:reserve:)`` does.
    package static func duplicate(
        of original: String, in source: Directory, as prefix: String, in folder: Directory,
        limit: Int, reserve: SpaceCheck
    ) throws(SystemError) -> AtomicFile {
        let name = uniqueName(prefix)
        if (try? source.link(original, to: folder, as: name)) != nil {
            do throws(SystemError) {
                // This user may lack permission to write to the original.
                let file = try folder.openFile(name, O_RDONLY)
                return AtomicFile(file: file, folder: folder, name: name)
            } catch {
                try? folder.remove(name)
                throw error
            }
        }
        let contents = try source.openFile(original, O_RDONLY)
        let copy = try AtomicFile(prefix, in: folder)
        try copy.copy(contents, limit: limit, reserve: reserve)
        return copy
    }

    /// Fills this empty file with the contents of `source`, whose blocks it shares if the file system can.
    ///
    /// `reserve` checks the space for a copy; shared blocks need none.
    ///
    /// - Throws: ``SystemError``, as ``FileDescriptor/sha256(path:limit:)`` does.
    package func copy(
        _ source: borrowing FileDescriptor, limit: Int, reserve: SpaceCheck
    ) throws(SystemError) {
        let size = try source.status(path: path).size
        guard size <= limit else { throw SystemError("read", path: path, code: EFBIG) }
        guard !file.reflink(from: source) else { return }
        // mutation test: copy-space
        try reserve(size)
        try file.copy(from: source, path: path, limit: limit)
    }

    // MARK: Unique names

    /// The hexadecimal digits of a number of 64 bits.
    private static let uniqueDigits = 16
    /// The length of what ``uniqueName(_:)`` appends: a blank and the digits.
    package static let uniqueSuffixLength = 1 + uniqueDigits

    /// The maximum length of a prefix, so that the name has less than 143 bytes, the maximum of eCryptfs.
    private static let prefixLimit = 120

    /// Returns `NAME.part 0123456789abcdef`: the beginning of `prefix` and a random number of 64 bits.
    package static func uniqueName(
        _ prefix: String, _ number: UInt64 = .random(in: .min ... .max)
    ) -> String {
        let prefix = String(decoding: prefix.utf8.prefix(prefixLimit), as: UTF8.self)
        let digits = String(number, radix: 16)
        let zeros = String(repeating: "0", count: uniqueDigits - digits.utf8.count)
        return "\(prefix) \(zeros)\(digits)"
    }

    /// The path `path`, at whose end is a name that ``uniqueName(_:)`` made, without the number.
    static func withoutNumber(_ path: String) -> String {
        String(decoding: path.utf8.dropLast(uniqueSuffixLength), as: UTF8.self)
    }

    /// Whether ``uniqueName(_:)`` made `name`; no person chooses such a name.
    package static func isUniqueName(_ name: String) -> Bool {
        let number = name.utf8.suffix(uniqueDigits)
        return name.utf8.count > uniqueSuffixLength
            && name.utf8.dropLast(uniqueDigits).last == UInt8(ascii: " ")
            && number.allSatisfy("0123456789abcdef".utf8.contains)
    }

    // MARK: Publishing

    package func write(_ bytes: [UInt8]) throws(SystemError) {
        try file.write(bytes, path: path)
    }

    /// The path of the temporary file, for errors.
    package var path: String { folder.pathOf(name) }

    /// Flushes the file, renames it, and flushes the directory.
    ///
    /// A file of that name is replaced atomically; `isVisible` says that people see the directory, see
    /// ``Directory/renameVisibly(_:to:as:)``. After an error, the bytes must be written again, because a second fsync(2) does
    /// not report the bytes that the first one lost.
    package consuming func publish(
        in destination: Directory, as finalName: String, isVisible: Bool = false
    ) throws(SystemError) {
        // mutation test: file-sync
        try file.flush(path: path)
        try isVisible
            ? folder.renameVisibly(name, to: destination, as: finalName)
            : folder.rename(name, to: destination, as: finalName)
        // mutation test: name-sync
        try destination.flush()
    }

    /// Publishes as ``publish(in:as:isVisible:)``, and replaces nothing: fails with `EEXIST` if anything has the name.
    package consuming func publishNew(
        in destination: Directory, as finalName: String
    ) throws(SystemError) {
        try file.flush(path: path)
        try folder.renameExclusive(name, to: destination, as: finalName)
        try destination.flush()
    }

    /// Flushes the file and renames it to `newName` in `destination`, from where DayPublisher publishes it later.
    ///
    /// The caller flushes `destination`. After a power cut, the name is there only if the bytes are on the disk. This value
    /// keeps the file open.
    package func stage(in destination: Directory, as newName: String) throws(SystemError) {
        // mutation test: staged-file-sync
        try file.flush(path: path)
        try folder.rename(name, to: destination, as: newName)
    }

    /// Publishes a file with the contents `bytes` by a temporary one in `incoming`, on the same file system.
    ///
    /// - Throws: ``SystemError``; an existing file of that name stays.
    package static func publish(
        _ bytes: [UInt8], in destination: Directory, as name: String, through incoming: Directory
    ) throws(SystemError) {
        let file = try AtomicFile("\(name).part", in: incoming)
        try file.write(bytes)
        try file.publish(in: destination, as: name)
    }

    /// Creates or replaces the symbolic link `name` in `destination`, which people see, through a temporary one in `incoming`.
    ///
    /// - Returns: `false` if the file system, such as exFAT, has no symbolic links.
    /// - Throws: ``SystemError``; an existing file stays.
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
    /// Creates the symbolic link `name`; returns `false` if the file system, such as exFAT, has none.
    func symlinkIfSupported(
        _ name: String, to target: String
    ) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try symlink(name, to: target)
            return true
        } catch {
            // If a second attempt succeeds, the error does not come from the file system.
            guard (try? symlink(name, to: target)) == nil else { return true }
            try checkTakesFile(after: error)
            return false
        }
    }

    /// Throws unless a file can be made in the directory; then `error`, about a symbolic link, means that it can have none.
    ///
    /// exFAT answers EPERM, rclone EIO, a share of VirtualBox EPROTO or EROFS. On a disk that fails, no file can be made, either.
    package func checkTakesFile(after error: SystemError) throws(SystemError) {
        guard [.denied, .transient].contains(error.cause),
            ![EEXIST, ENAMETOOLONG].contains(error.code)
        else { throw error }
        _ = try AtomicFile(".apod-mirror", in: self)
    }
}
