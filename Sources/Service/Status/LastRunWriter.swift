package import FoundationEssentials
internal import Glibc
package import Mirror
package import Platform

/// Keeps the ``LastRun`` of this process, and writes it to `service.json` when `status` would report something wrong without that.
///
/// The modes of the watcher and the events of a sync wait for the next ``write()``, such as that of an update of the views. The
/// other `record` methods write the file themselves if that is necessary. An error of the disk is logged, and does not end
/// the process.
package struct LastRunWriter: Sendable {
    private enum SavedFile {
        /// The file may be that of the process before.
        case unread
        /// `nil` if the file is missing or damaged.
        case known(LastRun?)

        var contents: LastRun? { if case .known(let lastRun) = self { lastRun } else { nil } }
    }

    private struct State {
        /// What this process knows, whether it is written or not.
        var current: LastRun
        var file = SavedFile.unread
    }

    /// The file is written after this time even if no sync had news, because it says when NASA was last reached.
    ///
    /// ``StatusReport/isStale`` needs such a time within a day, and two polls of a daemon are up to five hours apart.
    private static let maximumAge = 12.0 * 3600
    /// The maximum number of items in the way that are written, so that the file stays small.
    private static let maximumInTheWay = 1000

    private let store: Store
    private let changes: ChangeListener
    private let log: Log
    /// Locked while the file is written, so that an older state never replaces a newer one.
    private let state: SharedValue<State>

    /// The tree of `store` must be open for writing; `settings` are what the user typed, by the names of options.
    ///
    /// `changes` makes the view service call ``write()``.
    package init(
        _ store: Store, settings: [String: String] = [:], changes: ChangeListener, log: Log
    ) {
        self.store = store
        self.changes = changes
        self.log = log
        state = SharedValue(State(current: LastRun(process: getpid(), settings: settings)))
    }

    /// Records how changes of `favorites/` are detected, and requests an update of the views.
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
        let (saved, current) = change { current in
            if let lastSuccess = summary.lastSuccess { current.lastSuccess = lastSuccess }
            current.nextSync = nextSync
            current.sync.record(summary)
        }
        if hasNews || Self.isOutdated(saved, current: current) { write() }
    }

    /// Records the `paths` of all items that are in the places of generated files, and writes the file if they have changed.
    package func record(inTheWay paths: [String]) {
        let paths = Array(paths.prefix(Self.maximumInTheWay))
        let (saved, _) = change { $0.inTheWay = paths }
        if (saved?.inTheWay ?? []) != paths { write() }
    }

    /// Records why `service` could not read or write its files, or with `nil` that it could; writes the file if that has changed.
    func record(_ failure: WriteFailure?, of service: LastRun.ServiceName) {
        let message = failure?.advice(in: store.tree)
        let (saved, current) = change { current in
            var failures = current.failures ?? [:]
            // The same failure keeps the time at which it began.
            guard failures[service]?.message != message else { return }
            failures[service] = message.map { SyncState.Failure(at: Date(), message: $0) }
            current.failures = failures.isEmpty ? nil : failures
        }
        if saved?.failures != current.failures { write() }
    }

    /// Changes what this process knows; returns what the file contains, and what it should contain now.
    private func change(
        _ body: (inout LastRun) -> Void
    ) -> (saved: LastRun?, current: LastRun) {
        state.withLock { state in
            // If the file cannot be read, it counts as missing, and `write` reports the error.
            try? readFile(into: &state)
            body(&state.current)
            return (state.file.contents, state.current)
        }
    }

    /// Whether the file must be written even if the sync had no news: it is old, or says something that is no longer true.
    private static func isOutdated(_ saved: LastRun?, current: LastRun) -> Bool {
        guard let saved, let written = saved.written else { return true }
        // `abs`, because the clock may have been set back.
        let isOld = abs(Date().timeIntervalSince(written)) > maximumAge
        // An update of the views during the sync has written that the sync runs.
        let saysThatSyncRuns = saved.sync != nil
        // The process before had other settings, or it was a daemon, and this process is a single sync.
        let isOfOtherRun = saved.settings != current.settings || saved.watcher != current.watcher
        return isOld || saysThatSyncRuns || isOfOtherRun
    }

    /// Reads the file of the process before, which says when that process reached NASA, before the first write replaces it.
    private func readFile(into state: inout State) throws(SystemError) {
        guard case .unread = state.file else { return }
        let saved = try LastRun.read(from: store.tree)
        state.file = .known(saved)
        state.current.lastSuccess = state.current.lastSuccess ?? saved?.lastSuccess
        state.current.inTheWay = state.current.inTheWay ?? saved?.inTheWay
    }

    /// Writes `service.json` if it has changed.
    package func write() {
        do {
            try state.withLock { state in
                try readFile(into: &state)
                let saved = state.file.contents
                var new = state.current
                // Another time of writing is no change.
                new.written = saved?.written
                guard new != saved else { return }
                new.written = Date()
                try store.write(new, to: Layout.service)
                state.file = .known(new)
            }
        } catch {
            log.warning("\(Layout.service) is not updated: \(error)", about: Layout.service)
        }
    }
}
