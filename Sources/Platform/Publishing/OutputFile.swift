internal import Glibc

/// A file outside of the mirror that a user named for what the program writes, such as that of a manifest.
///
/// It is replaced atomically, and readable by all users. A file that begins in another way than those that the
/// program writes is never replaced, nor is a link: a mistyped name costs no picture.
package struct OutputFile: Sendable {
    /// Why nothing is written to a path.
    package struct Refusal: Error, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    /// Absolute; its directory is without symbolic links.
    package let path: String
    private let folderPath: String
    private let name: String
    /// How each file of this kind begins.
    private let beginning: String

    /// Checks that the file at `path`, which need not exist, can be written.
    ///
    /// Throws ``Refusal`` if it is in the mirror at `root`, a resolved path, or begins with other bytes than
    /// `beginning`, which is not empty.
    package init(_ path: String, beginningWith beginning: String, outside root: String) throws {
        let (above, name) = path.splitAtLastSlash ?? (".", path[...])
        guard ![".", "..", ""].contains(name) else {
            throw Refusal("“\(path)” names a directory, not a file")
        }
        folderPath = resolvedPath(above.isEmpty ? "/" : String(above))
        self.name = String(name)
        self.beginning = beginning
        self.path = folderPath == "/" ? "/\(name)" : "\(folderPath)/\(name)"
        guard !folderPath.isPath(in: root) else {
            throw Refusal("\(self.path) is inside the mirror")
        }
        let folder = try openFolder()
        try checkBeginning(in: folder)
        // Released at once, which removes it.
        _ = try AtomicFile(temporaryPrefix, in: folder)
    }

    /// Replaces the contents, unless they are foreign ones meanwhile; see ``Refusal``.
    package func write(_ bytes: [UInt8]) throws {
        let folder = try openFolder()
        try checkBeginning(in: folder)
        let file = try AtomicFile(temporaryPrefix, in: folder)
        try file.write(bytes)
        // Whatever the umask of this process is.
        try file.file.setMode(0o644, path: file.path)
        try file.publish(in: folder, as: name)
    }

    private var temporaryPrefix: String { ".\(name).part" }

    private func openFolder() throws -> Directory {
        do {
            return try Directory(opening: folderPath)
        } catch {
            guard [ENOENT, ENOTDIR].contains(error.code) else { throw error }
            throw Refusal("\(folderPath) is not a directory")
        }
    }

    /// Checks that the file may be replaced, if there is one.
    private func checkBeginning(in folder: Directory) throws {
        guard let kind = try folder.status(name)?.kind else { return }
        guard kind == .file else { throw Refusal("\(path) is a directory, a link or a device") }
        let start = try folder.openFile(name, O_RDONLY)
            .readStart(limit: beginning.utf8.count, path: path)
        guard start.isEmpty || start.starts(with: beginning.utf8) else {
            throw Refusal("\(path) exists and contains something else")
        }
    }
}
