/// Watches a directory and all directories beneath it, so that its owner knows when to scan it.
///
///     while let reason = await watcher.nextReason() {
///         let listing = try await watcher.scan()
///     }
///
/// The first reason is delivered at once, and later ones after changes. Changes that come while nobody waits, or in quick
/// succession, are one reason. Without changes, a watcher with the mode `events` never wakes up.
///
/// Every scan sets the watches of inotify(7) for exactly the directories that it lists, so that the caller must scan after
/// each reason. The directory may vanish, be replaced and return, because each scan finds it by its name.
///
/// Only one task may wait and scan. When it is cancelled, reasons end and all descriptors are closed. A process can watch
/// one directory at a time.
package actor DirectoryWatcher {
    /// How changes are detected.
    package enum Mode: Hashable, Sendable {
        case events
        /// A limit of the kernel prevents some watches. Scans at the interval, or less often if they take long, find the
        /// changes there, and try to set the watches again.
        case polling(WatchObstacle, every: Duration)
    }

    /// How long a change waits for its scan, in the absence of a pace (see ``ScanPaces``).
    package struct Timing: Sendable {
        /// A scan waits until nothing has changed for this time, so that many changes cause one scan.
        ///
        /// `ln -sfn` takes less than the default between creating a temporary name and renaming it.
        let quietPeriod: Duration
        /// A scan waits no longer than this while changes go on; if it is zero, no pace delays a scan, either.
        let maximumDelay: Duration
        /// The least time between two scans while the mode is polling.
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
    /// When the next scan without an event is due; `nil` unless the mode is polling.
    private var nextPoll: ContinuousClock.Instant?

    private let name: String
    private let parent: Directory
    /// The path in ``parent`` of a directory whose new files are requests; `nil` if there is none.
    private let requests: String?
    private let rules: ScanRules
    private let timing: Timing
    private let report: @Sendable (Mode) -> Void

    /// The reasons that are not delivered yet.
    private let pending: CoalescingSignal<RescanReason>
    /// Sends a reason after a mount; `nil` at the end.
    private var mounts: EventLoop.Registration?
    /// `nil` before the first scan, at the end, and if inotify cannot be used.
    private var tree: WatchedTree?
    /// They delay scans that other programs, or this one, could cause without end; a scan that a person wants is not delayed.
    private var paces = ScanPaces()
    private var hasEnded = false

    /// Watches the directory `name`, which need not exist yet.
    ///
    /// `requests` is the path of another directory in `parent`; a file that arrives there is
    /// ``RescanReason/requestFile``. `report` is called after each change of the mode.
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
        // Mounting a file system over a watched directory causes no event of inotify(7).
        mounts = Mount.onChange(atOrBelow: "\(parent.path)/\(name)") { pending.send(.mounted) }
    }

    /// Requests a scan: delivers `reason`.
    package nonisolated func requestScan(for reason: RescanReason = .scanRequested) {
        pending.send(reason)
    }

    /// Waits for the next reason to scan.
    ///
    /// - Parameter deadline: When to return ``RescanReason/due`` at the latest, whatever the pace.
    /// - Returns: `nil` once the task is cancelled, and in all later calls.
    package func nextReason(by deadline: ContinuousClock.Instant? = nil) async -> RescanReason? {
        // The scan for the last reason, and the caller's work after it, have ended.
        paces.end()
        if let poll = nextPoll { nextPoll = max(poll, paces.next) }
        let latest = [deadline, nextPoll].compactMap(\.self).min()
        while !Task.isCancelled, !hasEnded {
            await collectChanges()
            if isTooEarly {
                await waitForPace(until: latest)
                // Meanwhile, a person may have requested a scan, or the time of one has come: both end the wait.
                if isTooEarly, overdueReason(deadline) == nil { continue }
            }
            if let reason = pending.receive() ?? overdueReason(deadline) {
                if timing.maximumDelay > .zero { paces.begin(for: reason) }
                return reason
            }
            await wait(until: latest)
        }
        hasEnded = true
        tree = nil
        mounts = nil
        return nil
    }

    // MARK: Scanning

    /// Scans the directory and watches all of it; returns `nil` if it does not exist.
    ///
    /// - Throws: ``SystemError``; ``SystemError/isNotDirectory`` for a link or another file of that name.
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

    /// Creates ``tree`` unless there is one; returns why that failed.
    private func prepareTree() -> WatchObstacle? {
        // The scan that follows sets all watches before it lists, so that no change is lost.
        if tree?.isWornOut == true { tree = nil }
        guard tree == nil, !hasEnded else { return nil }
        do {
            tree = try WatchedTree(of: name, beside: requests, ignoring: rules.isIgnored)
            return nil
        } catch {
            return error
        }
    }

    /// Ends a scan; polls from now on if an obstacle prevented a watch or the reading of a directory, and only then.
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

    // MARK: Waiting

    /// The interval between two reads of the kernel's events while changes wait for the pace.
    private static let readInterval = Duration.milliseconds(100)

    /// Whether the pace delays all pending reasons.
    private var isTooEarly: Bool {
        guard let start = paces.start(for: pending.pending) else { return false }
        return start > .now
    }

    /// Adds the changes of which the kernel has events to the pending reasons, and waits for more if a scan could begin.
    ///
    /// Events are read even if it is too early for a scan, because the kernel drops events when its queue is full.
    private func collectChanges() async {
        let hasChanges = readEvents()
        if hasChanges, paces.nextForChange <= .now { await waitUntilQuiet() }
    }

    /// Reads the kernel's events; returns whether there was a reason among them.
    private func readEvents() -> Bool {
        guard let reasons = tree?.readEvents(), !reasons.isEmpty else { return false }
        pending.send(reasons)
        return true
    }

    /// Waits until nothing has changed for the quiet period, at most for the maximum delay.
    private func waitUntilQuiet() async {
        let latestEnd = ContinuousClock.now + timing.maximumDelay
        var end = min(ContinuousClock.now + timing.quietPeriod, latestEnd)
        while ContinuousClock.now < end, !Task.isCancelled {
            await wait(until: end)
            if readEvents() { end = min(ContinuousClock.now + timing.quietPeriod, latestEnd) }
        }
    }

    /// Waits for the pace, but at most for ``readInterval``, so that the caller reads events and reasons meanwhile.
    private func waitForPace(until deadline: ContinuousClock.Instant?) async {
        let start = paces.start(for: pending.pending)
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

    /// Suspends the task until there are events, something was sent, or `deadline` has come.
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
