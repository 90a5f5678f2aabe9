internal import Glibc
internal import Mirror
internal import Platform

/// The metrics file, for node_exporter to read; that of another mirror is never replaced.
package struct MetricsFile: Sendable {
    private let file: OutputFile
    private let root: String

    package var path: String { file.path }

    /// The mirror is at `root`.
    ///
    /// - Throws: `OutputFile.Refusal` or `SystemError`, also if it cannot be written now.
    package init(_ path: String, root: String) throws {
        file = try OutputFile(path, beginningWith: "# HELP apod_mirror_", outside: root)
        self.root = root
        try checkOrigin()
    }

    func write(_ text: String) throws {
        try checkOrigin()
        try file.write(Array(text.utf8))
    }

    private func checkOrigin() throws {
        // A mirror that was moved replaces its earlier file.
        if let other = Prometheus.origin("root", in: try file.start()),
            !resolvedPath(other).utf8.elementsEqual(resolvedPath(root).utf8),
            Self.mayBeMirror(other)
        {
            throw OutputFile.Refusal("\(path) has the metrics of the mirror \(other.excerpt)")
        }
    }

    /// Whether there is a mirror at `path`, or may be one that this user cannot read.
    private static func mayBeMirror(_ path: String) -> Bool {
        do throws(SystemError) {
            return try Directory(opening: path).status(Layout.marker) != nil
        } catch {
            return ![ENOENT, ENOTDIR].contains(error.code)
        }
    }
}
