internal import Glibc
package import Platform

/// The metrics file, for node_exporter to read.
///
/// It is replaced atomically, and readable by all users. A file with other contents is never replaced.
package struct MetricsFile: Sendable {
    /// Why metrics cannot be written to a path.
    package enum Refusal: Error, Hashable, Sendable {
        case inTree(String)
        case noDirectory(String)
        case noFile(String)
        case foreign(String)
        case system(SystemError)
    }

    /// Absolute; only the last component may be a symbolic link.
    package let path: String
    private let directory: String
    private let name: String

    /// - Parameters:
    ///   - name: The file name.
    ///   - directory: Its directory, absolute and without symbolic links.
    ///   - root: The root of the mirror, in which the file must not be.
    /// - Throws: ``Refusal``, also if it cannot be written now.
    package init(_ name: String, in directory: String, root: String) throws(Refusal) {
        self.directory = directory
        self.name = name
        path = directory == "/" ? "/\(name)" : "\(directory)/\(name)"
        guard directory != root, !directory.hasPrefix(root == "/" ? "/" : "\(root)/") else {
            throw .inTree(path)
        }
        try prepare()
    }

    /// Replaces the contents by `text`.
    func write(_ text: String) throws(Refusal) {
        let folder = try open()
        try check(in: folder)
        do throws(SystemError) {
            let draft = try AtomicFile(part, in: folder)
            try draft.write(Array(text.utf8))
            try draft.file.setMode(0o644, path: draft.path)
            try draft.publish(in: folder, as: name)
        } catch {
            throw .system(error)
        }
    }

    /// Checks that it can be written, and removes temporary files of killed processes.
    private func prepare() throws(Refusal) {
        let folder = try open()
        try check(in: folder)
        do throws(SystemError) {
            for name in try folder.textNames() where name.hasPrefix(part) {
                try? folder.remove(name)
            }
            _ = try AtomicFile(part, in: folder)
        } catch {
            throw .system(error)
        }
    }

    /// The prefix of temporary files; node_exporter reads `*.prom` only.
    private var part: String { ".\(name).part" }

    private func open() throws(Refusal) -> Directory {
        do throws(SystemError) {
            return try Directory(opening: directory)
        } catch  where [ENOENT, ENOTDIR].contains(error.code) {
            throw .noDirectory(directory)
        } catch {
            throw .system(error)
        }
    }

    private func check(in folder: Directory) throws(Refusal) {
        var kind: FileStatus.FileType?
        var start: [UInt8] = []
        do throws(SystemError) {
            kind = try folder.status(name)?.kind
            if kind == .file {
                start = try folder.openFile(name, O_RDONLY).readStart(limit: 64, path: path)
            }
        } catch {
            throw .system(error)
        }
        guard kind == nil || kind == .file else { throw .noFile(path) }
        guard start.isEmpty || start.starts(with: Array("# HELP apod_mirror_".utf8)) else {
            throw .foreign(path)
        }
    }
}

extension MetricsFile.Refusal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .inTree(let path): "\(path) is inside the mirror"
        case .noDirectory(let path): "\(path) is not a directory"
        case .noFile(let path): "\(path) is a directory, a link or a device"
        case .foreign(let path): "\(path) contains something other than metrics of apod-mirror"
        case .system(let error): "\(error)"
        }
    }
}
