internal import Glibc

/// A file under way: nobody sees it under its final name before it is whole and on the disk.
///
/// A draft that is let go without ``publish(in:as:)`` is removed.
package struct Draft: ~Copyable, Sendable {
    /// Where the bytes go.
    package let file: FileDescriptor
    private let folder: Folder
    private let name: String

    /// Starts the empty draft `name` in `folder`, on the file system where it is to be published.
    package init(_ name: String, in folder: Folder, mode: UInt32 = 0o644) throws(SystemError) {
        file = try folder.open(name, O_RDWR | O_CREAT | O_TRUNC, mode: mode)
        self.folder = folder
        self.name = name
    }

    deinit {
        try? folder.remove(name)
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
    package consuming func publish(in destination: Folder, as finalName: String) throws(SystemError)
    {
        try file.synchronize(path: path)
        try folder.rename(name, to: destination, as: finalName)
        try destination.synchronize()
    }

    /// Writes a whole small file: `name` in `destination` holds `bytes` once this returns.
    ///
    /// - Parameters:
    ///   - bytes: The contents.
    ///   - destination: Where the file is to be.
    ///   - name: Its final name.
    ///   - incoming: Where drafts lie, on the same file system.
    /// - Throws: ``SystemError``; what had the name before still stands then.
    package static func publish(
        _ bytes: [UInt8], in destination: Folder, as name: String, through incoming: Folder
    ) throws(SystemError) {
        let draft = try Draft("\(name).part", in: incoming)
        try draft.write(bytes)
        try draft.publish(in: destination, as: name)
    }
}
