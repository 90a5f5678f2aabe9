internal import Platform

/// The directories that held a mirror before, so that an unmounted disk is not taken for a new one.
///
/// This is the one thing kept outside the tree, `$XDG_STATE_HOME/apod-mirror/mirrors` (else
/// `~/.local/state/…`): a line a mirror, with the number of its file system. Where it cannot be
/// written, that one guard is missing.
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

    func contains(_ path: String) -> Bool { device(of: path) != nil }

    /// The file system that the mirror at `path` was on, `nil` where none is known there.
    func device(of path: String) -> UInt? {
        lines.first { $0.path == path }?.device
    }

    func add(_ path: String, on device: UInt) {
        // Without a line feed in it: a line is a path.
        guard let directory, self.device(of: path) != device, !path.contains("\n") else { return }
        let lines = lines.filter { $0.path != path } + [(device: device, path: path)]
        let document = Array(lines.map { "\($0.device) \($0.path)\n" }.joined().utf8)
        guard let root = try? Folder(opening: "/"),
            let folder = try? root.makeFolder(String(directory.dropFirst()), mode: 0o700)
        else { return }
        try? Draft.publish(document, in: folder, as: Self.name, through: folder)
    }

    private var lines: [(device: UInt, path: String)] {
        guard let directory, let folder = try? Folder(opening: directory),
            let bytes = try? folder.read(Self.name, limit: 1 << 20)
        else { return [] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let device = UInt(parts[0]) else { return nil }
            return (device, String(parts[1]))
        }
    }
}
