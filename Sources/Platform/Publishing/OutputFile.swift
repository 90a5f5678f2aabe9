internal import Glibc

/// A file that a user named for what the program writes, such as that of the metrics.
///
/// It is replaced atomically, and readable by all users. A file that begins in another way than those that the
/// program writes is never replaced: a mistyped name costs no picture.
package struct OutputFile: Sendable {
    /// Why nothing is written to a path.
    package struct Refusal: Error, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    /// Absolute and without symbolic links.
    package let path: String
    private let folderPath: String
    private let name: String
    /// How each file of this kind begins.
    private let beginning: String

    /// The maximum size of the part of an existing file that ``open()`` reads.
    private static let startLength = 32 << 10

    /// Takes the file at `path`, which need not exist; the mirror is at `root`.
    ///
    /// - Throws: ``Refusal`` or ``SystemError``, also if it cannot be written now.
    package init(_ path: String, beginningWith beginning: String, outside root: String) throws {
        let (folder, name) = path.splitAtLastSlash ?? (".", path[...])
        guard ![".", "..", ""].contains(name) else {
            throw Refusal("“\(path)” names a directory, not a file")
        }
        folderPath = resolvedPath(folder.isEmpty ? "/" : String(folder))
        self.name = String(name)
        self.beginning = beginning
        self.path = folderPath == "/" ? "/\(name)" : "\(folderPath)/\(name)"
        guard !folderPath.isPath(in: root) else {
            throw Refusal("\(self.path) is inside the mirror")
        }
        try checkWritable()
    }

    /// Tries to make a temporary file, and removes those of killed processes.
    private func checkWritable() throws {
        let folder = try open().folder
        for name in try folder.textNames() where name.hasPrefix(part) {
            try? folder.remove(name)
        }
        _ = try AtomicFile(part, in: folder)
    }

    package func write(_ bytes: [UInt8]) throws {
        let folder = try open().folder
        let file = try AtomicFile(part, in: folder)
        try file.write(bytes)
        // Whatever the umask of this process is.
        try file.file.setMode(0o644, path: file.path)
        try file.publish(in: folder, as: name)
    }

    /// The prefix of temporary files; node_exporter reads `*.prom` only.
    private var part: String { ".\(name).part" }

    /// Opens the directory, and reads the start of the existing file.
    ///
    /// - Throws: ``Refusal`` if what is in the place of the file may not be replaced.
    package func open() throws -> (folder: Directory, start: [UInt8]) {
        let folder: Directory
        do {
            folder = try Directory(opening: folderPath)
        } catch {
            guard [ENOENT, ENOTDIR].contains(error.code) else { throw error }
            throw Refusal("\(folderPath) is not a directory")
        }
        guard let kind = try folder.status(name)?.kind else { return (folder, []) }
        guard kind == .file else { throw Refusal("\(path) is a directory, a link or a device") }
        let found = try folder.openFile(name, O_RDONLY).readStart(
            limit: Self.startLength, path: path)
        guard found.isEmpty || found.starts(with: beginning.utf8) else {
            throw Refusal("\(path) exists and contains something else")
        }
        return (folder, found)
    }
}
