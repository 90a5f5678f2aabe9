/// Watches a directory and all directories beneath it: delivers reasons to scan, and scans.
///
/// The first reason is delivered at once, then one after every change, as soon as no further change
/// follows. Reasons that nobody waits for are joined. ``ScanPaces`` delay scans that others, or the program itself, could
/// cause without end; those that a person asks for follow at once. After each reason the caller calls ``scan()``, which also
/// sets the watches: exactly the directories that it lists are watched. The directory may vanish, be replaced and return; it
/// is found again by its name.
///
/// While a limit of the kernel prevents a watch, a reason is also delivered at an interval, and each scan tries to
/// set the watch; otherwise an idle watcher never wakes up. A process watches one directory at a time, and one task
/// at a time waits and scans; when that task is cancelled, reasons end and all descriptors are closed.
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
    /// A reason is held back until nothing has changed for the `quietPeriod`, so that many changes cause one scan: it is
    /// longer than `ln -sfn` takes between creating a temporary name and renaming it. While changes go on, it is held back for
    /// the `maximumDelay`; if that is zero, no pace delays a scan, either. `interval` is the least time between two scans
    /// while the mode is polling.
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
    /// - Returns: `nil` once the task is cancelled, and ever after.
    package func nextReason(by deadline: ContinuousClock.Instant? = nil) async -> RescanReason? {
        paces.end()
        nextPoll = nextPoll.map { max($0, paces.next) }
        let latest = [deadline, nextPoll].compactMap(\.self).min()
        while !Task.isCancelled, !hasEnded {
            // Also while it is too early for a scan: the kernel drops events that nobody reads.
            let hasEvents = readEvents()
            if hasEvents, paces.nextForChange <= .now { await waitUntilQuiet() }
            if isTooEarly {
                await waitForPace(until: latest)
                // Only a person, or a deadline, comes before the pace.
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

    /// Ends a scan, and decides how changes are detected from now on: by polling if an obstacle prevented the watches, one
    /// watch, or the reading of a directory.
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

    /// Whether only reasons are pending that follow the pace, and the next scan for them is not due yet.
    private var isTooEarly: Bool { paces.start(for: pending.pending).map { $0 > .now } ?? false }

    /// Reads the kernel's events; returns whether there was a reason among them.
    private func readEvents() -> Bool {
        guard let reasons = tree?.readEvents(), !reasons.isEmpty else { return false }
        pending.send(reasons)
        return true
    }

    /// Waits until no change has followed for the quiet period, at most the maximum delay.
    private func waitUntilQuiet() async {
        let latest = ContinuousClock.now + maximumDelay
        var quiet = ContinuousClock.now + quietPeriod
        while case let end = min(quiet, latest), .now < end, !Task.isCancelled {
            await wait(until: end)
            if readEvents() { quiet = .now + quietPeriod }
        }
    }

    /// Waits for the pace, but only until the kernel's events, and reasons of other tasks, are to be read again.
    private func waitForPace(until deadline: ContinuousClock.Instant?) async {
        let start = paces.start(for: pending.pending)
        let end = [start, .now + Self.readInterval, deadline].compactMap(\.self).min()
        // A cancelled wait has the same result: the caller looks at the task.
        try? await CancellableContinuation().wait(by: end)
    }

    /// The reason that the clock gives: the next poll, or `deadline`; `nil` if neither has come.
    private func overdue(_ deadline: ContinuousClock.Instant?) -> RescanReason? {
        if let nextPoll, nextPoll <= .now { return .unwatched }
        guard let deadline, deadline <= .now else { return nil }
        return .due
    }

    /// Suspends the task until there are events, something was sent, or `deadline` has come.
    private func wait(until deadline: ContinuousClock.Instant?) async {
        // As above.
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
