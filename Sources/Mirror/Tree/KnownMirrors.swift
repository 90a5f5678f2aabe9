internal import Glibc
internal import Platform

/// The directories that held a mirror before, so that an unmounted disk is not taken for a new one.
///
/// This is the one thing kept outside the tree, `$XDG_STATE_HOME/apod-mirror/mirrors` (else
/// `~/.local/state/…`): a line a mirror, with the number of its file system. Links on the way there are
/// followed, as a home may be one. Where it cannot be read or written, that one guard is missing, which
/// is reported.
package struct KnownMirrors: Sendable {
    private typealias Line = (device: UInt, path: String)

    private static let name = "mirrors"

    private let directory: String?
    private let report: @Sendable (String) -> Void

    /// - Parameters:
    ///   - environment: The variables of the process.
    ///   - report: Takes a line for people; by default it is logged.
    package init(
        environment: [String: String], report: (@Sendable (String) -> Void)? = nil
    ) {
        let state =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? environment["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/.local/state" : nil }
        directory = state.map { resolvedPath("\($0)/apod-mirror") }
        self.report = report ?? { Log(environment: environment).warning($0) }
    }

    package func contains(_ path: String) -> Bool { device(of: path) != nil }

    /// The file system that the mirror at `path` was on, `nil` where none is known there.
    func device(of path: String) -> UInt? {
        do {
            return try lines().first { $0.path == path }?.device
        } catch {
            complain(error)
            return nil
        }
    }

    func add(_ path: String, on device: UInt) {
        // Without a line feed in it: a line is a path. And not on the very disk that may be away.
        guard let directory, !path.contains("\n"), !"\(directory)/".hasPrefix("\(path)/") else {
            return
        }
        do {
            let lines = try lines()
            guard !lines.contains(where: { $0 == (device, path) }) else { return }
            let all = lines.filter { $0.path != path } + [(device: device, path: path)]
            let text = all.map { "\($0.device) \($0.path)\n" }.joined()
            // The path has no links any more.
            let folder = try Directory(opening: "/")
                .makeDirectory(String(directory.dropFirst()), mode: 0o700)
            try AtomicFile.publish(Array(text.utf8), in: folder, as: Self.name, through: folder)
        } catch {
            complain(error)
        }
    }

    private func complain(_ error: SystemError) {
        report("\(error): if the disk of a mirror is not mounted, that will not be noticed")
    }

    private func lines() throws(SystemError) -> [Line] {
        guard let directory else { return [] }
        let folder: Directory
        do {
            folder = try Directory(opening: directory)
        } catch  where error.code == ENOENT {
            return []
        }
        let text = String(
            decoding: try folder.read(Self.name, limit: 1 << 20) ?? [], as: UTF8.self)
        return text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let device = UInt(parts[0]) else { return nil }
            return (device, String(parts[1]))
        }
    }
}
