/// Watches a directory and all directories beneath it, so that its owner knows when to scan it.
///
///     while let reason = await watcher.nextReason() {
///         let listing = try await watcher.scan()
///     }
///
/// The first reason comes at once, and later ones after changes. Changes that come in quick succession, or while nobody waits,
/// are one reason. Without changes, a watcher with the mode `events` never wakes up.
///
/// Each scan sets the watches of inotify(7) for exactly the directories that it lists. So the caller must scan after each
/// reason. The directory may vanish, be replaced and return, because each scan finds it by its name.
///
/// Only one task may wait and scan. Its cancellation ends the reasons, and closes all descriptors. A process has one watcher.
package actor DirectoryWatcher {
    package enum Mode: Hashable, Sendable {
        case events
        /// The obstacle prevents some watches. A scan at each interval, or less often if scans take long, finds the changes,
        /// and tries to set the watches again.
        case polling(WatchObstacle, every: Duration)
    }

    /// How long a change waits for its scan; after much scanning, ``ScanPaces`` delay the scan more.
    package struct Timing: Sendable {
        /// A scan waits until nothing has changed for this time, so that many changes cause one scan.
        ///
        /// `ln -sfn` takes less than the default between creating a temporary name and renaming it.
        let quietPeriod: Duration
        /// While changes go on, a scan waits no longer than this; if it is zero, ``ScanPaces`` delay no scan.
        let maximumDelay: Duration
        /// The least time between two scans in the mode `polling`.
        let pollInterval: Duration

        package init(
            quietPeriod: Duration = .milliseconds(2), maximumDelay: Duration = .milliseconds(100),
            pollInterval: Duration = RetryDelay.unwatchedDirectory
        ) {
            self.quietPeriod = quietPeriod
            self.maximumDelay = maximumDelay
            self.pollInterval = pollInterval
        }
    }

    package private(set) var mode = Mode.events
    /// When the next scan is due even without a change; `nil` unless the mode is `polling`.
    private var nextPoll: ContinuousClock.Instant?

    private let name: String
    private let parent: Directory
    /// The path in ``parent`` of a directory whose new files are requests; `nil` if there is none.
    private let requests: String?
    private let rules: ScanRules
    private let timing: Timing
    private let report: @Sendable (Mode) -> Void

    /// The reasons that ``nextReason(by:)`` has not returned yet.
    private let pending: CoalescingSignal<RescanReason>
    /// The registration that sends a reason after each mount; `nil` when the watcher has ended.
    private var mounts: EventLoop.Registration?
    /// The watches; `nil` before the first scan, when the watcher has ended, and if inotify cannot be used.
    private var tree: WatchedTree?
    /// How early the next scan may begin: programs that cause scans without end must not keep the disk busy.
    private var paces = ScanPaces()
    private var hasEnded = false

    /// Watches the directory `name` in `parent`, which need not exist yet.
    ///
    /// `requests` is the path of another directory in `parent`. A file that arrives there is a
    /// ``RescanReason/requestedByCommand``. `report` is called after each change of the mode.
    package init(
        of name: String, in parent: Directory, beside requests: String? = nil,
        by rules: ScanRules = ScanRules(), timing: Timing = Timing(),
        report: @escaping @Sendable (Mode) -> Void = { _ in }
    ) {
        self.name = name
        self.parent = parent
        self.requests = requests
        self.rules = rules
        self.timing = timing
        self.report = report
        let pending = CoalescingSignal(RescanReason.started)
        self.pending = pending
        // A mount over a watched directory is no event of inotify(7).
        mounts = Mount.onChange(atOrBelow: "\(parent.path)/\(name)") { pending.send(.mounted) }
    }

    /// Requests a scan: ``nextReason(by:)`` returns `reason`.
    package nonisolated func requestScan(for reason: RescanReason = .requestedByProgram) {
        pending.send(reason)
    }

    /// Waits for the next reason to scan.
    ///
    /// - Parameter deadline: When ``RescanReason/due`` is returned at the latest.
    /// - Returns: `nil` when the task is cancelled, and in all later calls.
    package func nextReason(by deadline: ContinuousClock.Instant? = nil) async -> RescanReason? {
        // The scan for the last reason, and the caller's work after it, are over.
        paces.endScan()
        if let poll = nextPoll { nextPoll = max(poll, paces.earliest) }
        let latest = [deadline, nextPoll].compactMap(\.self).min()
        while !Task.isCancelled, !hasEnded {
            await collectChanges()
            if isTooEarly { await waitForPace(until: latest) }
            let overdue = overdueReason(deadline)
            // A person may have requested a scan meanwhile, which is never too early.
            if isTooEarly, overdue == nil { continue }
            if let reason = pending.receive() ?? overdue {
                if timing.maximumDelay > .zero { paces.beginScan(for: reason) }
                return reason
            }
            await wait(until: latest)
        }
        end()
        return nil
    }

    private func end() {
        hasEnded = true
        tree = nil
        mounts = nil
    }

    /// Scans the directory and watches all of it; returns `nil` if it does not exist.
    package func scan() throws(SystemError) -> DirectoryListing? {
        let obstacle = prepareTree()
        tree?.beginScan(in: parent)
        do {
            let tree = tree
            let listing = try parent.listing(of: name, by: rules) { tree?.watch($0, $1) }
            endScan(obstacle, errors: listing?.failures.map(\.error) ?? [])
            return listing
        } catch {
            endScan(obstacle, errors: [error])
            throw error
        }
    }

    /// Creates ``tree`` unless there is one; returns what prevented that, or `nil`.
    private func prepareTree() -> WatchObstacle? {
        // No change is lost with the old watches: the scan that follows sets new ones before it lists a directory.
        if tree?.isWornOut == true { tree = nil }
        guard tree == nil, !hasEnded else { return nil }
        do {
            tree = try WatchedTree(of: name, beside: requests, ignoring: rules.isIgnored)
            return nil
        } catch {
            return error
        }
    }

    /// Ends a scan, and chooses the mode: `polling` if an obstacle prevented a watch or the reading of a directory.
    private func endScan(_ treeObstacle: WatchObstacle?, errors: [SystemError]) {
        tree?.endScan()
        let watchObstacles = [treeObstacle, tree?.obstacle].compactMap(\.self)
        let scanObstacles = errors.lazy.compactMap(WatchObstacle.init(scanError:))
        if let obstacle = watchObstacles.first ?? scanObstacles.first {
            nextPoll = ContinuousClock.now + timing.pollInterval
            change(to: .polling(obstacle, every: timing.pollInterval))
        } else {
            nextPoll = nil
            change(to: .events)
        }
    }

    private func change(to newMode: Mode) {
        guard newMode != mode else { return }
        mode = newMode
        report(newMode)
    }

    /// The interval between two reads of the kernel's events while changes wait for a pace.
    private static let readInterval = Duration.milliseconds(100)

    /// Whether the scan for the pending reasons has to wait for its pace.
    private var isTooEarly: Bool {
        guard let start = paces.earliestStart(for: pending.pending) else { return false }
        return start > .now
    }

    /// Reads the kernel's events, and adds the changes to the pending reasons.
    ///
    /// If a scan could begin, it waits until the changes are over. It always reads the events, of which the kernel keeps few.
    private func collectChanges() async {
        let hasChanges = readEvents()
        if hasChanges, paces.earliestForChange <= .now { await waitUntilQuiet() }
    }

    private func readEvents() -> Bool {
        guard let reasons = tree?.readEvents(), !reasons.isEmpty else { return false }
        pending.send(reasons)
        return true
    }

    /// Waits until nothing has changed for the quiet period, but at most for the maximum delay.
    private func waitUntilQuiet() async {
        let latestEnd = ContinuousClock.now + timing.maximumDelay
        var end = min(ContinuousClock.now + timing.quietPeriod, latestEnd)
        while ContinuousClock.now < end, !Task.isCancelled {
            await wait(until: end)
            if readEvents() { end = min(ContinuousClock.now + timing.quietPeriod, latestEnd) }
        }
    }

    /// Waits for the pace, but at most for ``readInterval``, so that the caller can read events in between.
    private func waitForPace(until deadline: ContinuousClock.Instant?) async {
        let start = paces.earliestStart(for: pending.pending)
        let end = [start, .now + Self.readInterval, deadline].compactMap(\.self).min()
        // The caller checks whether the task is cancelled.
        try? await CancellableContinuation().wait(by: end)
    }

    /// The reason for a scan if the time of the next poll or `deadline` has come; else `nil`.
    private func overdueReason(_ deadline: ContinuousClock.Instant?) -> RescanReason? {
        if let nextPoll, nextPoll <= .now { return .unwatched }
        guard let deadline, deadline <= .now else { return nil }
        return .due
    }

    private func wait(until deadline: ContinuousClock.Instant?) async {
        // The caller checks whether the task is cancelled.
        try? await pending.wait(onReadable: tree?.descriptor, by: deadline)
    }
}

extension DirectoryWatcher.Mode: CustomStringConvertible {
    package var description: String {
        switch self {
        case .events: "changes are detected at once"
        case .polling(let obstacle, let interval):
            "changes are detected by scanning every \(interval.components.seconds) seconds at most: \(obstacle)"
        }
    }
}
