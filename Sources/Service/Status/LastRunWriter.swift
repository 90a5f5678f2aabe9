package import FoundationEssentials
internal import Glibc
package import Mirror
package import Platform

/// Keeps the ``LastRun`` of this process, which `status` shows, and writes it to the file `service.json` of the mirror.
///
/// The file is written when a failure begins or ends, when other items are in the way of the views, and after a sync that has
/// news, or that finds the file old or no longer true. The progress of a sync waits for the next ``write()``. An error of writing
/// is logged and counts as a failure of `status`, but does not end the process.
package struct LastRunWriter: Sendable {
    private struct State {
        /// The file as this process last read or wrote it; `none` before that.
        private enum File {
            case none
            /// What the file has; `nil` if it is missing or damaged.
            case known(LastRun?)
        }

        /// What this process knows, whether it is written or not.
        var current: LastRun
        var failures = FailureTable()
        /// The days that the last sync left; 0 as soon as the next sync has planned days, which include them.
        var leftToNextSync = 0
        private var file = File.none

        init(current: LastRun) { self.current = current }

        var isFileKnown: Bool { if case .known = file { true } else { false } }

        /// What the file has; `nil` if it is missing or damaged, or could not be read.
        var saved: LastRun? { if case .known(let saved) = file { saved } else { nil } }

        /// What the file is to have: to the progress of downloads that go on, it adds the days that wait for the next sync.
        var contents: LastRun {
            var contents = current
            if leftToNextSync > 0 { contents.sync?.record(.planned(days: leftToNextSync)) }
            return contents
        }

        /// Takes over what only the process before knew, which wrote `earlier`.
        mutating func continueEarlierRun(_ earlier: LastRun?) {
            file = .known(earlier)
            current.lastSuccess = current.lastSuccess ?? earlier?.lastSuccess
            current.inTheWay = current.inTheWay ?? earlier?.inTheWay
        }

        mutating func didWrite(_ written: LastRun) { file = .known(written) }

        /// Whether the file must be written even if a sync had no news: it is old, or says something that is no longer true.
        var isFileOutdated: Bool {
            guard let saved, let written = saved.written else { return true }
            // `abs`, because the clock may have been set back.
            let isOld = abs(Date().timeIntervalSince(written)) > LastRunWriter.maximumAge
            // An update of the views during the sync has written that the sync runs.
            let saysThatSyncRuns = saved.sync != nil
            // The process before had other settings, or it was a daemon, and this process is a single sync.
            let isOfOtherRun =
                saved.settings != current.settings || saved.watcher != current.watcher
            return isOld || saysThatSyncRuns || isOfOtherRun
        }
    }

    /// The file is written after this time even if no sync had news, because it says when NASA was last reached.
    ///
    /// ``StatusReport/isStale`` needs such a time within a day, and two polls of a daemon are up to five hours apart.
    private static let maximumAge = 12 * 3600.0
    /// The maximum number of items in the way that are written, so that the file stays small.
    private static let maximumInTheWay = 1000

    private let store: Store
    private let changes: ChangeListener
    private let log: Log
    private let didChangeFailure: @Sendable (FailureChange) -> Void
    /// Locked while the file is written, so that an older state never replaces a newer one.
    private let state: SharedValue<State>

    /// The tree of `store` must be open for writing; `settings` are what the user typed, by the names of options.
    ///
    /// `changes` wakes the service that updates the views. `didChangeFailure` never receives two changes at the same time.
    package init(
        _ store: Store, settings: [String: String] = [:], changes: ChangeListener, log: Log,
        didChangeFailure: @escaping @Sendable (FailureChange) -> Void = { _ in }
    ) {
        self.store = store
        self.changes = changes
        self.log = log
        self.didChangeFailure = didChangeFailure
        state = SharedValue(State(current: LastRun(process: getpid(), settings: settings)))
    }

    // MARK: Reports of the services

    /// Records how changes of `favorites/` are detected, and requests an update of the views, which writes the file.
    func recordWatching(_ mode: DirectoryWatcher.Mode) {
        state.withLock { $0.current.record(mode) }
        changes.post(.all)
    }

    /// Records an event of the running sync, which the next call of ``write()`` writes.
    package func recordProgress(_ event: SyncEvent) {
        state.withLock {
            if case .planned = event { $0.leftToNextSync = 0 }
            $0.current.sync.record(event)
        }
    }

    /// Records the result of a sync and the time of the next; writes the file if the sync `hasNews`, else twice a day.
    package func recordResult(of summary: SyncSummary, nextSync: Date?, hasNews: Bool) {
        update { state in
            if let lastSuccess = summary.lastSuccess { state.current.lastSuccess = lastSuccess }
            // A sync that leaves days is followed by the next one as soon as a download has ended, at a time that nobody knows.
            state.current.nextSync = summary.leftToNextSync > 0 ? nil : nextSync
            state.current.sync.record(summary)
            state.leftToNextSync = summary.leftToNextSync
        } thenWriteIf: {
            hasNews || $0.isFileOutdated
        }
    }

    /// Records what an update of the views could not write, and writes the file if that has changed.
    func recordUpdate(_ round: ViewRound) {
        if let paths = round.inTheWay.map({ Array($0.prefix(Self.maximumInTheWay)) }) {
            update {
                $0.current.inTheWay = paths
            } thenWriteIf: {
                ($0.saved?.inTheWay ?? []) != paths
            }
        }
        // A view that was not updated before the end of the process has not failed.
        if !Task.isCancelled { recordFailure(round.failures.first, of: .views) }
    }

    /// Records why `service` could not read or write its files, or with `nil` that it could; writes the file if that has changed.
    func recordFailure(_ failure: WriteFailure?, of service: LastRun.ServiceName) {
        update {
            replaceFailure(of: service, by: failure, in: &$0)
        } thenWriteIf: {
            $0.saved?.failures != $0.current.failures
        }
    }

    private func replaceFailure(
        of service: LastRun.ServiceName, by failure: WriteFailure?, in state: inout State
    ) {
        let message = failure?.advice(in: store.tree)
        guard let change = state.failures.replaceFailure(of: service, by: message) else { return }
        state.current.failures = state.failures.failuresForFile
        didChangeFailure(change)
    }

    // MARK: The file

    /// Makes a change of what this process knows, then writes the file if that `isNeeded`.
    private func update(
        _ change: (inout State) -> Void, thenWriteIf isNeeded: (State) -> Bool
    ) {
        state.withLock { state in
            // If the file cannot be read, it counts as missing, and the attempt to write it reports the error.
            try? readEarlierFile(into: &state)
            change(&state)
            if isNeeded(state) { write(&state) }
        }
    }

    /// Writes `service.json` if it has changed.
    package func write() { state.withLock { write(&$0) } }

    private func write(_ state: inout State) {
        do throws(SystemError) {
            try writeIfChanged(&state)
            replaceFailure(of: .status, by: nil, in: &state)
        } catch {
            let text = "\(Layout.service) is not updated: \(error)"
            log.warning(text, about: Layout.service)
            guard !error.isCancelled else { return }
            replaceFailure(of: .status, by: WriteFailure(text: text, error: error), in: &state)
        }
    }

    private func writeIfChanged(_ state: inout State) throws(SystemError) {
        try readEarlierFile(into: &state)
        var new = state.contents
        // Another time of writing is no change.
        new.written = state.saved?.written
        guard new != state.saved else { return }
        new.written = Date()
        try store.write(new, to: Layout.service)
        state.didWrite(new)
    }

    /// Reads the file of the process before, if that was not done yet.
    private func readEarlierFile(into state: inout State) throws(SystemError) {
        guard !state.isFileKnown else { return }
        state.continueEarlierRun(try LastRun.read(from: store.tree))
    }
}
