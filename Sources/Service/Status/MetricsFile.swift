internal import Glibc
package import Platform

/// The file that figures are written to, for node_exporter to read.
///
/// It is replaced in one step, and readable by all. What is no file of ours is never replaced.
package struct MetricsFile: Sendable {
    /// Why a path is no place for figures.
    package enum Refusal: Error, Hashable, Sendable {
        case inTree(String)
        case noDirectory(String)
        case noFile(String)
        case foreign(String)
        case system(SystemError)
    }

    /// Absolute, without links but for its last name.
    package let path: String
    private let directory: String
    private let name: String

    /// - Parameters:
    ///   - name: What it is called.
    ///   - directory: Where it is, absolute and without links.
    ///   - root: That of the mirror, in which nothing but the mirror's own is written.
    /// - Throws: ``Refusal``, also where it cannot be written now.
    package init(_ name: String, in directory: String, root: String) throws(Refusal) {
        self.directory = directory
        self.name = name
        path = directory == "/" ? "/\(name)" : "\(directory)/\(name)"
        guard directory != root, !directory.hasPrefix(root == "/" ? "/" : "\(root)/") else {
            throw .inTree(path)
        }
        try prepare()
    }

    /// Replaces what it says by `text`.
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

    /// Sees whether it may be written, and removes what a process left behind that was killed meanwhile.
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

    /// What the names of drafts begin with; node_exporter reads `*.prom` only.
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
        var kind: FileStatus.Kind?
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
        case .foreign(let path): "\(path) holds something else than figures of apod-mirror"
        case .system(let error): "\(error)"
        }
    }
}
