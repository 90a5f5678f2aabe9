internal import Glibc
internal import Mirror
internal import Platform

/// The metrics file, for node_exporter to read.
///
/// It is replaced atomically, and readable by all users. A file with other contents, or of another mirror, is
/// never replaced.
package struct MetricsFile: Sendable {
    /// Why metrics are not written to a path.
    package struct Refusal: Error, CustomStringConvertible {
        package let description: String
    }

    /// Absolute; only the last component may be a symbolic link.
    package let path: String
    private let directory: String
    private let name: String
    private let root: String

    /// `directory` is absolute and without symbolic links, and not in the mirror at `root`.
    ///
    /// - Throws: ``Refusal`` or `SystemError`, also if it cannot be written now.
    package init(_ name: String, in directory: String, root: String) throws {
        self.directory = directory
        self.name = name
        self.root = root
        path = directory == "/" ? "/\(name)" : "\(directory)/\(name)"
        guard !directory.isPath(in: root) else {
            throw Refusal(description: "\(path) is inside the mirror")
        }
        // Removes temporary files of killed processes, and tries to make one.
        let folder = try open()
        for name in try folder.textNames() where name.hasPrefix(part) {
            try? folder.remove(name)
        }
        _ = try AtomicFile(part, in: folder)
    }

    func write(_ text: String) throws {
        let folder = try open()
        let draft = try AtomicFile(part, in: folder)
        try draft.write(Array(text.utf8))
        try draft.file.setMode(0o644, path: draft.path)
        try draft.publish(in: folder, as: name)
    }

    /// The prefix of temporary files; node_exporter reads `*.prom` only.
    private var part: String { ".\(name).part" }

    /// The maximum size of the part of the file that has the first sample.
    private static let startLength = 32 << 10

    /// Whether there is a mirror at `path`, or may be one that this user cannot read.
    private static func mayBeMirror(_ path: String) -> Bool {
        do throws(SystemError) {
            return try Directory(opening: path).status(Layout.marker) != nil
        } catch {
            return ![ENOENT, ENOTDIR].contains(error.code)
        }
    }

    /// Opens the directory, unless what is in the place of the file may not be replaced.
    private func open() throws -> Directory {
        let folder: Directory
        do {
            folder = try Directory(opening: directory)
        } catch {
            guard [ENOENT, ENOTDIR].contains(error.code) else { throw error }
            throw Refusal(description: "\(directory) is not a directory")
        }
        guard let kind = try folder.status(name)?.kind else { return folder }
        guard kind == .file else {
            throw Refusal(description: "\(path) is a directory, a link or a device")
        }
        let start = try folder.openFile(name, O_RDONLY).readStart(
            limit: Self.startLength, path: path)
        guard start.isEmpty || start.starts(with: Array("# HELP apod_mirror_".utf8)) else {
            throw Refusal(
                description: "\(path) contains something other than metrics of apod-mirror")
        }
        // A mirror that was moved replaces its earlier file.
        if let other = Prometheus.origin("root", in: start),
            !resolvedPath(other).utf8.elementsEqual(resolvedPath(root).utf8),
            Self.mayBeMirror(other)
        {
            throw Refusal(description: "\(path) has the metrics of the mirror \(other.excerpt)")
        }
        return folder
    }
}
