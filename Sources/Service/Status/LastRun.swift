package import FoundationEssentials
package import Mirror
package import Platform

/// What the last process of “run” knew: the contents of `service.json` in the mirror.
///
/// ``LastRunWriter`` writes the file, and ``StatusReport`` reads it. The file may be deleted.
package struct LastRun: Hashable, Codable, Sendable {
    /// How the daemon detects changes of `favorites/`.
    package enum Watcher: String, Hashable, Codable, Sendable, CaseIterable {
        case events, polling
    }

    /// The ID of the process that wrote the file; ``watcher`` and ``nextSync`` are valid while it runs.
    package var process: Int32
    /// The settings of the process that the user typed, by the names of their options.
    package var settings: [String: String] = [:]
    /// How that process detects changes of `favorites/`; `nil` if it is no daemon.
    package var watcher: Watcher?
    /// Why ``watcher`` is polling, and how to change that; `nil` if it is not.
    package var reason: String?
    /// When NASA was last reached.
    package var lastSuccess: Date?
    package var nextSync: Date?
    /// The running sync; `nil` between two.
    package var sync: Progress?
    /// When the file was written.
    package var written: Date?

    /// Records how changes of `favorites/` are detected.
    package mutating func record(_ mode: DirectoryWatcher.Mode) {
        switch mode {
        case .events: (watcher, reason) = (.events, nil)
        case .polling(let limit): (watcher, reason) = (.polling, "\(limit)")
        }
    }

    /// Reads the snapshot of `tree`; `nil` if there is none or it is damaged.
    package static func read(from tree: Tree) throws(SystemError) -> LastRun? {
        try tree.state(at: Layout.service)
    }
}
