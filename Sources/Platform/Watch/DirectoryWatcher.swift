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
    /// The earliest time of the next scan: programs that cause scans without end must not keep the disk busy.
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
        mounts = Mount.onChange(atOrBelow: "\(parent.path)/\(name)") { pending.send(.mounted) }
    }

    // MARK: Reasons

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
            let overdue = overdueReason(deadline)
            if isTooEarly, overdue == nil {
                await waitForPace(until: latest)
            } else if let reason = pending.receive() ?? overdue {
                if timing.maximumDelay > .zero { paces.beginScan(for: reason) }
                return reason
            } else {
                await wait(until: latest)
            }
        }
        hasEnded = true
        tree = nil
        mounts = nil
        return nil
    }

    /// The reason for a scan if the time of the next poll or `deadline` has come; else `nil`.
    private func overdueReason(_ deadline: ContinuousClock.Instant?) -> RescanReason? {
        if let nextPoll, nextPoll <= .now { return .unwatched }
        guard let deadline, deadline <= .now else { return nil }
        return .due
    }

    /// Whether the scan for the pending reasons has to wait for its pace; an urgent one has not.
    private var isTooEarly: Bool {
        guard let start = paces.earliestStart(for: pending.pending) else { return false }
        return start > .now
    }

    // MARK: Changes

    /// Reads the kernel's events, and adds the changes to the pending reasons.
    ///
    /// If a scan could begin, it waits until the changes are over. It reads the events in any case, because the kernel keeps
    /// only a limited number of them.
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

    // In both waits, an error means that the task is cancelled, which the callers check.

    /// Waits for a change or for a reason, but at most until `deadline`.
    private func wait(until deadline: ContinuousClock.Instant?) async {
        try? await pending.wait(onReadable: tree?.descriptor, by: deadline)
    }

    /// Waits for the pace, but at most for a tenth of a second, so that the caller can read the kernel's events in between.
    private func waitForPace(until deadline: ContinuousClock.Instant?) async {
        let start = paces.earliestStart(for: pending.pending)
        let nextRead = ContinuousClock.now + .milliseconds(100)
        let end = [start, nextRead, deadline].compactMap(\.self).min()
        try? await CancellableContinuation().wait(by: end)
    }

    // MARK: Scans

    /// Scans the directory and watches all of it; returns `nil` if it does not exist.
    package func scan() throws(SystemError) -> DirectoryListing? {
        let obstacle = prepareTree()
        tree?.beginScan(in: parent)
        do {
            let tree = tree
            let listing = try parent.listing(of: name, by: rules) { tree?.watch($0, of: $1) }
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
        let obstacles =
            [treeObstacle, tree?.obstacle].compactMap(\.self)
            + errors.compactMap(WatchObstacle.init(scanError:))
        let interval = timing.pollInterval
        let newMode = obstacles.first.map { Mode.polling($0, every: interval) } ?? .events
        nextPoll = newMode == .events ? nil : ContinuousClock.now + interval
        guard !newMode.isSameExceptPath(as: mode) else { return }
        mode = newMode
        report(newMode)
    }
}
