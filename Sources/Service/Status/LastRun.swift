package import FoundationEssentials
internal import Glibc
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

    /// The services that write other files than those of days.
    package enum ServiceName: String, Hashable, Codable, Sendable, CaseIterable,
        CodingKeyRepresentable
    {
        case favorites, thumbnails, views
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
    package var nextSync: Date?
    /// How far the running sync is; `nil` if none runs.
    package var sync: Progress?
    /// The paths of the first items that are in the places of generated files; `nil` if no view was updated yet.
    package var inTheWay: [String]?
    /// The services that could not read or write some of their files in their last attempt: why, what to do, and since when.
    ///
    /// `nil` if none has failed yet.
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

/// Keeps the ``LastRun`` of this process, and writes the file when ``StatusReport`` would be wrong without that.
///
/// An error of the disk is logged, and does not end the process.
package struct LastRunWriter: Sendable {
    private struct State {
        /// What this process knows, whether it is written or not.
        var current: LastRun
        /// What `service.json` contains; `nil` if it is missing or damaged.
        var saved: LastRun?
        /// Whether the file of the process before was read.
        var isRead = false
    }

    private let store: Store
    private let changes: ChangeListener
    private let log: Log
    /// Locked while the file is written, so that an older state never replaces a newer one.
    private let state: SharedValue<State>

    /// The seconds after which the file is written even if no sync had news, because it says when NASA was last reached.
    ///
    /// ``StatusReport/isStale`` needs such a time within a day, and two polls of a daemon are up to five hours apart.
    private static let longestPause = 12.0 * 3600
    /// So many items in the way are written at most, so that the file stays small.
    private static let maximumInTheWay = 1000

    /// The tree of `store` must be open for writing; `settings` are what the user typed, by the names of options.
    ///
    /// `changes` makes the view service call ``write()``.
    package init(
        _ store: Store, settings: [String: String] = [:], changes: ChangeListener, log: Log
    ) {
        self.store = store
        self.changes = changes
        self.log = log
        state = SharedValue(
            State(current: LastRun(process: getpid(), settings: settings)))
    }

    /// Records how changes of `favorites/` are detected.
    package func record(_ mode: DirectoryWatcher.Mode) {
        state.withLock { $0.current.record(mode) }
        changes.post(.all)
    }

    /// Records an event of the running sync, which the next call of ``write()`` writes.
    package func record(_ event: SyncEvent) {
        state.withLock { $0.current.sync.record(event) }
    }

    /// Records the result of a sync and the time of the next; writes the file if the sync `hasNews`, else twice a day.
    package func record(_ summary: SyncSummary, nextSync: Date?, hasNews: Bool) {
        let isDue = state.withLock { state in
            // If the file cannot be read, `isDue` is true, and `write` reports the error.
            try? read(into: &state)
            state.current.lastSuccess = summary.lastSuccess ?? state.current.lastSuccess
            state.current.nextSync = nextSync
            state.current.sync.record(summary)
            return Self.isDue(state)
        }
        if hasNews || isDue { write() }
    }

    /// Records the `paths` of all items that are in the places of generated files, and writes the file if they have changed.
    package func record(inTheWay paths: [String]) {
        let paths = Array(paths.prefix(Self.maximumInTheWay))
        let isChanged = state.withLock { state in
            // If the file cannot be read, `write` reports the error.
            try? read(into: &state)
            state.current.inTheWay = paths
            return state.saved?.inTheWay ?? [] != paths
        }
        if isChanged { write() }
    }

    /// Records why `service` could not read or write its files, or with `nil` that it could; writes the file if that has changed.
    func record(_ failure: WriteFailure?, of service: LastRun.ServiceName) {
        let message = failure?.advice(in: store.tree)
        let isChanged = state.withLock { state in
            // If the file cannot be read, `write` reports the error.
            try? read(into: &state)
            var failures = state.current.failures ?? [:]
            if failures[service]?.message != message {
                failures[service] = message.map { SyncState.Failure(at: Date(), message: $0) }
                state.current.failures = failures.isEmpty ? nil : failures
            }
            return state.saved?.failures != state.current.failures
        }
        if isChanged { write() }
    }

    /// Whether the file must be written even if the sync had no news: it is old, or says something that is no longer true.
    private static func isDue(_ state: State) -> Bool {
        guard let saved = state.saved, let written = saved.written else { return true }
        // `abs`, because the clock may have been set back.
        let isOld = abs(Date().timeIntervalSince(written)) > longestPause
        // An update of the views during the sync has written that the sync runs.
        let saysThatSyncRuns = saved.sync != nil
        // The process before had other settings, or it was a daemon, and this process is a single sync.
        let isOfOtherRun =
            saved.settings != state.current.settings || saved.watcher != state.current.watcher
        return isOld || saysThatSyncRuns || isOfOtherRun
    }

    /// Reads the file of the process before, which says when that process reached NASA, before the first write replaces it.
    private func read(into state: inout State) throws(SystemError) {
        guard !state.isRead else { return }
        state.saved = try LastRun.read(from: store.tree)
        state.isRead = true
        state.current.lastSuccess = state.current.lastSuccess ?? state.saved?.lastSuccess
        state.current.inTheWay = state.current.inTheWay ?? state.saved?.inTheWay
    }

    /// Writes `service.json` if it has changed.
    package func write() {
        do {
            try state.withLock { state in
                try read(into: &state)
                var new = state.current
                // Another time of writing is no change.
                new.written = state.saved?.written
                guard new != state.saved else { return }
                new.written = Date()
                try store.write(new, to: Layout.service)
                state.saved = new
            }
        } catch {
            log.warning("\(Layout.service) is not updated: \(error)", about: Layout.service)
        }
    }
}
