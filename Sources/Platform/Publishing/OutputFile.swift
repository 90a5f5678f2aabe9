internal import Glibc

/// A file that a user named for what the program writes, such as that of the metrics.
///
/// It is replaced atomically, and readable by all users. What does not begin as such a file does is never
/// replaced: a mistyped name costs no picture.
package struct OutputFile: Sendable {
    /// Why nothing is written to a path.
    package struct Refusal: Error, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    /// Absolute and without symbolic links.
    package let path: String
    private let above: String
    private let name: String
    private let start: String

    /// The maximum size of the part of an existing file that ``open()`` reads.
    private static let startLength = 32 << 10

    /// Takes the file at `path`, which begins with `start`; the mirror is at `root`.
    ///
    /// - Throws: ``Refusal`` or ``SystemError``, also if it cannot be written now.
    package init(_ path: String, beginningWith start: String, outside root: String) throws {
        let (above, name) = path.splitAtLastSlash ?? (".", path[...])
        guard ![".", "..", ""].contains(name) else {
            throw Refusal("“\(path)” names a directory, not a file")
        }
        self.above = resolvedPath(above.isEmpty ? "/" : String(above))
        self.name = String(name)
        self.start = start
        self.path = self.above == "/" ? "/\(name)" : "\(self.above)/\(name)"
        guard !self.above.isPath(in: root) else {
            throw Refusal("\(self.path) is inside the mirror")
        }
        // Removes temporary files of killed processes, and tries to make one.
        let folder = try open().folder
        for name in try folder.textNames() where name.hasPrefix(part) {
            try? folder.remove(name)
        }
        _ = try AtomicFile(part, in: folder)
    }

    package func write(_ bytes: [UInt8]) throws {
        let folder = try open().folder
        let draft = try AtomicFile(part, in: folder)
        try draft.write(bytes)
        try draft.file.setMode(0o644, path: draft.path)
        try draft.publish(in: folder, as: name)
    }

    /// The prefix of temporary files; node_exporter reads `*.prom` only.
    private var part: String { ".\(name).part" }

    /// Opens the directory, and reads the start of the existing file.
    ///
    /// - Throws: ``Refusal`` if what is in the place of the file may not be replaced.
    package func open() throws -> (folder: Directory, start: [UInt8]) {
        let folder: Directory
        do {
            folder = try Directory(opening: above)
        } catch {
            guard [ENOENT, ENOTDIR].contains(error.code) else { throw error }
            throw Refusal("\(above) is not a directory")
        }
        guard let kind = try folder.status(name)?.kind else { return (folder, []) }
        guard kind == .file else { throw Refusal("\(path) is a directory, a link or a device") }
        let found = try folder.openFile(name, O_RDONLY).readStart(
            limit: Self.startLength, path: path)
        guard found.isEmpty || found.starts(with: start.utf8) else {
            throw Refusal("\(path) exists and contains something else")
        }
        return (folder, found)
    }
}
