/// Watches a directory and all directories beneath it: delivers reasons to scan, and scans.
///
/// The first reason is delivered at once. Then a reason follows every change, as soon as nothing more changes. Reasons are
/// joined until the caller waits for them. ``ScanPaces`` delay the scans that other programs or this one could cause without
/// end; a scan that a person asks for is not delayed.
///
/// After each reason the caller calls ``scan()``, which also sets the watches, exactly of the directories that it lists. The
/// directory may vanish, be replaced and return; it is found again by its name.
///
/// While a limit of the kernel prevents a watch, reasons also come at an interval, and each scan tries to set the watch.
/// Otherwise an idle watcher never wakes up. A process can watch one directory at a time. Only one task may wait and scan;
/// when it is cancelled, reasons end and all descriptors are closed.
package actor DirectoryWatcher {
    /// How changes are detected.
    package enum Mode: Hashable, Sendable {
        case events
        case polling(WatchObstacle)
    }

    package private(set) var mode = Mode.events
    /// When the next scan without an event is due; `nil` unless the mode is polling.
    private var nextPoll: ContinuousClock.Instant?

    private let name: String
    private let parent: Directory
    /// The path in ``parent`` of a directory whose new files are requests; `nil` if there is none.
    private let requests: String?
    private let rules: ScanRules
    private let quietPeriod: Duration
    private let maximumDelay: Duration
    private let interval: Duration
    private let report: @Sendable (Mode) -> Void

    /// The reasons that are not delivered yet.
    private let pending: CoalescingSignal<RescanReason>
    /// Sends a reason after a mount; `nil` at the end.
    private var mounts: EventLoop.Registration?
    /// `nil` before the first scan, at the end, and if inotify cannot be used.
    private var tree: WatchedTree?
    private var paces = ScanPaces()
    private var hasEnded = false

    /// Watches the directory `name`, which need not exist yet.
    ///
    /// `requests` is the path of another directory in `parent`; a file that arrives there is
    /// ``RescanReason/requestFile``. `report` is called after each change of the mode.
    ///
    /// A reason waits until nothing has changed for the `quietPeriod`, so that many changes cause one scan. `ln -sfn` takes
    /// less than this time between creating a temporary name and renaming it. While changes go on, the reason waits for the
    /// `maximumDelay`; if that is zero, no pace delays a scan, either. `interval` is the least time between two scans while
    /// the mode is polling.
    package init(
        of name: String, in parent: Directory, beside requests: String? = nil,
        by rules: ScanRules = ScanRules(), quietPeriod: Duration = .milliseconds(2),
        maximumDelay: Duration = .milliseconds(100),
        pollingEvery interval: Duration = RetryDelay.unwatchedDirectory,
        report: @escaping @Sendable (Mode) -> Void = { _ in }
    ) {
        self.name = name
        self.parent = parent
        self.requests = requests
        self.rules = rules
        self.quietPeriod = quietPeriod
        self.maximumDelay = maximumDelay
        self.interval = interval
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
        paces.end()
        nextPoll = nextPoll.map { max($0, paces.next) }
        let latest = [deadline, nextPoll].compactMap(\.self).min()
        while !Task.isCancelled, !hasEnded {
            // Events are read even if it is too early for a scan, because the kernel drops events when its queue is full.
            let hasEvents = readEvents()
            if hasEvents, paces.nextForChange <= .now { await waitUntilQuiet() }
            if isTooEarly {
                await waitForPace(until: latest)
                // Only a person or a deadline causes a scan before that time.
                if isTooEarly, overdue(deadline) == nil { continue }
            }
            if let reason = pending.receive() ?? overdue(deadline) {
                if maximumDelay > .zero { paces.begin(for: reason) }
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

    /// Ends a scan, and begins to poll if an obstacle prevented a watch or the reading of a directory; else ends to poll.
    private func endScan(_ treeObstacle: WatchObstacle?, errors: [SystemError]) {
        tree?.endScan()
        let watchObstacles = [treeObstacle, tree?.obstacle].compactMap(\.self)
        let scanObstacles = errors.lazy.compactMap(WatchObstacle.init(scanError:))
        let obstacle = watchObstacles.first ?? scanObstacles.first
        nextPoll = obstacle.map { _ in .now + interval }
        let newMode = obstacle.map(Mode.polling) ?? .events
        guard newMode != mode else { return }
        mode = newMode
        report(newMode)
    }

    // MARK: Waiting

    /// The interval between two reads of the kernel's events while changes wait for the pace.
    private static let readInterval = Duration.milliseconds(100)

    /// Whether the pace delays all pending reasons.
    private var isTooEarly: Bool { paces.start(for: pending.pending).map { $0 > .now } ?? false }

    /// Reads the kernel's events; returns whether there was a reason among them.
    private func readEvents() -> Bool {
        guard let reasons = tree?.readEvents(), !reasons.isEmpty else { return false }
        pending.send(reasons)
        return true
    }

    /// Waits until nothing has changed for the quiet period, at most for the maximum delay.
    private func waitUntilQuiet() async {
        let latest = ContinuousClock.now + maximumDelay
        var quiet = ContinuousClock.now + quietPeriod
        while case let end = min(quiet, latest), .now < end, !Task.isCancelled {
            await wait(until: end)
            if readEvents() { quiet = .now + quietPeriod }
        }
    }

    /// Waits for the pace, but at most for ``readInterval``, so that the caller reads events and reasons meanwhile.
    private func waitForPace(until deadline: ContinuousClock.Instant?) async {
        let start = paces.start(for: pending.pending)
        let end = [start, .now + Self.readInterval, deadline].compactMap(\.self).min()
        // The caller checks whether the task is cancelled.
        try? await CancellableContinuation().wait(by: end)
    }

    /// The reason if the time of the next poll or `deadline` has come; else `nil`.
    private func overdue(_ deadline: ContinuousClock.Instant?) -> RescanReason? {
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
        case .polling(let obstacle):
            "changes are detected by scanning every ten seconds at most: \(obstacle)"
        }
    }
}
