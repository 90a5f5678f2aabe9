internal import Glibc

/// A file under way: nobody sees it under its final name before it is whole and on the disk.
///
/// A draft that is let go without ``publish(in:as:)`` is removed.
package struct AtomicFile: ~Copyable, Sendable {
    /// Where the bytes go.
    package let file: FileDescriptor
    private let folder: Directory
    private let name: String

    /// Starts an empty draft in `folder`, on the file system where it is to be published.
    ///
    /// Its name begins with `hint`; the rest is chosen so that no two drafts share a file.
    package init(_ hint: String, in folder: Directory, mode: UInt32 = 0o644) throws(SystemError) {
        let name = Self.uniqueName(hint)
        file = try folder.open(name, O_RDWR | O_CREAT | O_EXCL, mode: mode)
        self.folder = folder
        self.name = name
    }

    deinit {
        try? folder.remove(name)
    }

    /// A name that nothing has yet: `hint`, as far as there is room for it, and 64 random bits.
    static func uniqueName(_ hint: String) -> String {
        let number = String(UInt64.random(in: .min ... .max), radix: 16)
        return "\(String(decoding: hint.utf8.prefix(200), as: UTF8.self)) \(number)"
    }

    /// Adds `bytes` at the end.
    package func write(_ bytes: [UInt8]) throws(SystemError) {
        try file.write(bytes, path: path)
    }

    /// What the draft is called in errors.
    package var path: String { "\(folder.path)/\(name)" }

    /// Gives the file its final name, once its bytes are on the disk; then that name is, too.
    ///
    /// Whatever has the name is replaced in one step. After an error the draft is gone and what was
    /// there stands: the bytes must be fetched again, because a second fsync(2) would lie.
    package consuming func publish(
        in destination: Directory, as finalName: String
    ) throws(SystemError) {
        try file.synchronize(path: path)
        try folder.rename(name, to: destination, as: finalName)
        try destination.synchronize()
    }

    /// Moves the file to `newName` in `destination`, where it is not removed any more, and forces its bytes
    /// onto the disk.
    package func stage(in destination: Directory, as newName: String) throws(SystemError) {
        try folder.rename(name, to: destination, as: newName)
        try file.synchronize(path: "\(destination.path)/\(newName)")
    }

    /// Writes a whole small file: `name` in `destination` holds `bytes` once this returns.
    ///
    /// - Parameters:
    ///   - bytes: The contents.
    ///   - destination: Where the file is to be.
    ///   - name: Its final name.
    ///   - incoming: Where drafts lie, on the same file system.
    ///   - mode: Its permissions, as far as the umask leaves them.
    /// - Throws: ``SystemError``; what had the name before still stands then.
    package static func publish(
        _ bytes: [UInt8], in destination: Directory, as name: String, through incoming: Directory,
        mode: UInt32 = 0o644
    ) throws(SystemError) {
        let draft = try AtomicFile("\(name).part", in: incoming, mode: mode)
        try draft.write(bytes)
        try draft.publish(in: destination, as: name)
    }

    /// Makes `name` in `destination` a symbolic link, in the place of whatever has the name.
    ///
    /// It answers `false` where the file system has no symbolic links, such as exFAT. After an error what
    /// had the name before still stands.
    package static func publishLink(
        to target: String, in destination: Directory, as name: String, through incoming: Directory
    ) throws(SystemError) -> Bool {
        let draft = uniqueName(name)
        do {
            try incoming.symlink(draft, to: target)
        } catch  where [EPERM, EOPNOTSUPP, ENOSYS].contains(error.code) {
            return false
        }
        do {
            try incoming.rename(draft, to: destination, as: name)
        } catch {
            try? incoming.remove(draft)
            throw error
        }
        try destination.synchronize()
        return true
    }
}
