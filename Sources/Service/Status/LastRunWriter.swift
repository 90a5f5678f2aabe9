package import FoundationEssentials
internal import Glibc
package import Mirror
package import Platform

/// Keeps the ``LastRun`` of this process, which `status` shows, and writes it to the file `service.json` of the mirror.
///
/// What a sync does at the moment waits for the next ``write()``, such as that of an update of the views. All else is written
/// as soon as the file says something that is no longer true. An error of the disk is logged and counts as a failure of `status`,
/// but does not end the process.
package struct LastRunWriter: Sendable {
    private struct State {
        /// What this process knows, whether it is written or not.
        var current: LastRun
        /// What the file has; `nil` if it is missing or damaged, or was not read yet.
        var saved: LastRun?
        /// Whether the file of the process before was read.
        var hasReadFile = false
        /// The ``LastRun/failures``, and that of the file itself, which the file cannot have.
        var failures: [LastRun.ServiceName: SyncState.Failure] = [:]
        /// When a failure began last that was announced as such.
        var lastBegin: ContinuousClock.Instant?
    }

    /// Called when a failure begins, gets another message or ends; never at the same time for two failures.
    ///
    /// `begins` is `true` at most once in a quarter of an hour, because it requests a sync, and a failure may come and go.
    package typealias FailureListener =
        @Sendable (LastRun.ServiceName, SyncState.Failure?, _ begins: Bool) -> Void

    /// The file is written after this time even if no sync had news, because it says when NASA was last reached.
    ///
    /// ``StatusReport/isStale`` needs such a time within a day, and two polls of a daemon are up to five hours apart.
    private static let maximumAge = 12.0 * 3600
    private static let pauseBetweenBegins = Duration.seconds(15 * 60)
    /// The maximum number of items in the way that are written, so that the file stays small.
    private static let maximumInTheWay = 1000

    private let store: Store
    private let changes: ChangeListener
    private let log: Log
    private let didChange: FailureListener
    /// Locked while the file is written, so that an older state never replaces a newer one.
    private let state: SharedValue<State>

    /// The tree of `store` must be open for writing; `settings` are what the user typed, by the names of options.
    package init(
        _ store: Store, settings: [String: String] = [:], changes: ChangeListener, log: Log,
        didChangeFailure: @escaping FailureListener = { _, _, _ in }
    ) {
        self.store = store
        self.changes = changes
        self.log = log
        didChange = didChangeFailure
        state = SharedValue(State(current: LastRun(process: getpid(), settings: settings)))
    }

    /// Records how changes of `favorites/` are detected, and requests an update of the views.
    func recordWatching(_ mode: DirectoryWatcher.Mode) {
        state.withLock { $0.current.record(mode) }
        changes.post(.all)
    }

    /// Records an event of the running sync, which the next call of ``write()`` writes.
    package func record(_ event: SyncEvent) { state.withLock { $0.current.sync.record(event) } }

    /// Records the result of a sync and the time of the next; writes the file if the sync `hasNews`, else twice a day.
    package func record(_ summary: SyncSummary, nextSync: Date?, hasNews: Bool) {
        change { current in
            if let lastSuccess = summary.lastSuccess { current.lastSuccess = lastSuccess }
            current.nextSync = nextSync
            current.sync.record(summary)
        } writingIf: { saved, current in
            hasNews || Self.isOutdated(saved, current: current)
        }
    }

    /// Records what an update of the views could not write, and writes the file if that has changed.
    func record(_ round: ViewService.Round) {
        if let paths = round.inTheWay?.prefix(Self.maximumInTheWay) {
            change {
                $0.inTheWay = Array(paths)
            } writingIf: { saved, _ in
                (saved?.inTheWay ?? [])[...] != paths
            }
        }
        // A view that was not updated before the end of the process has not failed.
        if !Task.isCancelled { record(round.failures.first, of: .views) }
    }

    /// Records why `service` could not read or write its files, or with `nil` that it could; writes the file if that has changed.
    func record(_ failure: WriteFailure?, of service: LastRun.ServiceName) {
        state.withLock { state in
            replaceFailure(of: service, by: failure, in: &state)
            // If the file cannot be read, it counts as missing, and the attempt to write it reports the error.
            try? continueEarlierFile(&state)
            if state.saved?.failures != state.current.failures { write(&state) }
        }
    }

    private func replaceFailure(
        of service: LastRun.ServiceName, by failure: WriteFailure?, in state: inout State
    ) {
        let earlier = state.failures[service]
        let message = failure?.advice(in: store.tree)
        // The same failure keeps the time at which it began.
        guard earlier?.message != message else { return }
        let later = message.map { SyncState.Failure(at: Date(), message: $0) }
        state.failures[service] = later
        let failuresInFile = state.failures.filter { $0.key != .status }
        state.current.failures = failuresInFile.isEmpty ? nil : failuresInFile
        let pause = state.lastBegin.map { $0.duration(to: .now) } ?? Self.pauseBetweenBegins
        let begins = earlier == nil && pause >= Self.pauseBetweenBegins
        if begins { state.lastBegin = .now }
        didChange(service, later, begins)
    }

    /// Changes what this process knows, and writes it if `isOutdated` says so of what the file has, and should have now.
    private func change(
        _ body: (inout LastRun) -> Void,
        writingIf isOutdated: (_ saved: LastRun?, _ current: LastRun) -> Bool
    ) {
        state.withLock { state in
            // If the file cannot be read, it counts as missing, and the attempt to write it reports the error.
            try? continueEarlierFile(&state)
            body(&state.current)
            if isOutdated(state.saved, state.current) { write(&state) }
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
        try continueEarlierFile(&state)
        var new = state.current
        // Another time of writing is no change.
        new.written = state.saved?.written
        guard new != state.saved else { return }
        new.written = Date()
        try store.write(new, to: Layout.service)
        state.saved = new
    }

    /// Reads the file of the process before, if that was not done yet, and takes over what this process does not know.
    private func continueEarlierFile(_ state: inout State) throws(SystemError) {
        guard !state.hasReadFile else { return }
        state.saved = try LastRun.read(from: store.tree)
        state.hasReadFile = true
        state.current.lastSuccess = state.current.lastSuccess ?? state.saved?.lastSuccess
        state.current.inTheWay = state.current.inTheWay ?? state.saved?.inTheWay
    }
}
