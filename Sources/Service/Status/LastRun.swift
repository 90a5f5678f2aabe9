package import FoundationEssentials
package import Mirror
package import Platform

/// What the last process of `apod-mirror run` wrote for `status`: the contents of `service.json` in the mirror.
///
/// ``LastRunWriter`` writes the file, and ``StatusReport`` reads it. A person may delete the file.
package struct LastRun: Hashable, Codable, Sendable {
    /// How the daemon detects changes of `favorites/`.
    package enum Watcher: String, Hashable, Codable, Sendable, CaseIterable {
        case events, polling
    }

    /// The services that write other files than those of days; `status` is for `service.json` itself.
    package enum ServiceName: String, Hashable, Codable, Sendable, CaseIterable,
        CodingKeyRepresentable
    {
        case favorites, thumbnails, views, status
    }

    /// The ID of the process that wrote the file; ``watcher`` and ``nextSync`` are valid while it runs.
    package var process: Int32
    /// The settings that the user typed for that process, by the names of their options.
    package var settings: [String: String] = [:]
    /// How that process detects changes of `favorites/`; `nil` if it is no daemon.
    package var watcher: Watcher?
    /// Why ``watcher`` is polling, and how to change that; `nil` if it is not polling.
    package var reason: String?
    /// When NASA was last reached.
    package var lastSuccess: Date?
    /// When that process syncs next; `nil` for a single sync, before the first result, and while days wait for a download to end.
    package var nextSync: Date?
    /// How far the running sync is, or between two syncs, the downloads that go on; `nil` if there is neither.
    package var sync: Progress?
    /// The paths of the first items that are in the places of generated files; `nil` before all are known.
    package var inTheWay: [String]?
    /// The services that could not read or write some of their files in their last attempt: why, what to do, and since when.
    ///
    /// `nil` if there are none.
    package var failures: [ServiceName: SyncState.Failure]?
    /// When the file was written.
    package var written: Date?

    /// Records how changes of `favorites/` are detected.
    package mutating func record(_ mode: DirectoryWatcher.Mode) {
        switch mode {
        case .events:
            watcher = .events
            reason = nil
        case .polling(let obstacle, _):
            watcher = .polling
            reason = "\(obstacle)"
        }
    }

    /// Reads the file in `tree`; `nil` if there is none or it is damaged.
    package static func read(from tree: Tree) throws(SystemError) -> LastRun? {
        try tree.state(at: Layout.service)
    }
}
