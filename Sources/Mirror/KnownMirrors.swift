internal import Platform

/// The directories that held a mirror before, so that an unmounted disk is not taken for a new one.
///
/// This is the one thing kept outside the tree, `$XDG_STATE_HOME/apod-mirror/mirrors` (else
/// `~/.local/state/…`), a path a line. Where it cannot be written, that one guard is missing.
package struct KnownMirrors: Sendable {
    private static let name = "mirrors"

    private let directory: String?

    /// - Parameter environment: The variables of the process.
    package init(environment: [String: String]) {
        let state =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? environment["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/.local/state" : nil }
        directory = state.map { "\($0)/apod-mirror" }
    }

    func contains(_ path: String) -> Bool { paths.contains(path) }

    func add(_ path: String) {
        let paths = paths
        // Without a line feed in it: a line is a path.
        guard let directory, !paths.contains(path), !path.contains("\n") else { return }
        let document = Array((paths + [path]).map { $0 + "\n" }.joined().utf8)
        guard let root = try? Folder(opening: "/"),
            let folder = try? root.makeFolder(String(directory.dropFirst()), mode: 0o700)
        else { return }
        try? Draft.publish(document, in: folder, as: Self.name, through: folder)
    }

    private var paths: [String] {
        guard let directory, let folder = try? Folder(opening: directory),
            let bytes = try? folder.read(Self.name, limit: 1 << 20)
        else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
