internal import Glibc

/// Small files under way together: none has its final name before all of them are on the disk.
///
/// Few are forced there one by one, many at once. Those that are let go without ``publish(in:)`` are
/// removed.
package struct AtomicFileBatch: ~Copyable {
    /// From so many on it is faster to write out all that the file system has.
    private static let many = 16

    private let folder: Directory
    private let isMany: Bool
    private var names: [(draft: String, name: String)] = []

    /// Starts `count` drafts in `folder`, on the file system where they are to be published.
    package init(_ count: Int, in folder: Directory) {
        self.folder = folder
        isMany = count >= Self.many
    }

    deinit {
        for name in names { try? folder.remove(name.draft) }
    }

    /// Writes one draft, whose name begins with `draft` until it is called `name`.
    package mutating func add(
        _ bytes: [UInt8], as name: String, draft: String
    ) throws(SystemError) {
        let draft = AtomicFile.uniqueName(draft)
        let path = "\(folder.path)/\(draft)"
        let file = try folder.open(draft, O_WRONLY | O_CREAT | O_EXCL)
        names.append((draft, name))
        try file.write(bytes, path: path)
        if !isMany { try file.synchronize(path: path) }
    }

    /// Gives the files their final names, once the bytes of all are on the disk.
    ///
    /// Whatever has a name is replaced in one step. The names are on the disk when `destination` is
    /// synchronized. After an error what is left of the drafts is gone: see ``AtomicFile/publish(in:as:)``.
    package consuming func publish(in destination: Directory) throws(SystemError) {
        if isMany { try folder.synchronizeFileSystem() }
        while let name = names.last {
            try folder.rename(name.draft, to: destination, as: name.name)
            names.removeLast()
        }
    }
}
