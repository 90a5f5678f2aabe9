internal import Glibc

/// Watches a directory and all directories beneath it: delivers reasons to scan, and scans.
///
/// The first reason is delivered at once, then one after every change, as soon as no further change
/// follows. Reasons that nobody waits for are joined. ``ScanPace`` delays scans that others, or the program itself, could
/// cause without end; those that a person asks for follow at once. After each reason the caller calls ``scan()``, which also sets the watches: exactly the directories that it lists are
/// watched. The directory may vanish, be replaced and return; it is found again by its name.
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
    private let name: String
    private let parent: Directory
    /// The path in ``parent`` of a directory whose new files are requests; `nil` if there is none.
    private let requests: String?
    private let rules: ScanRules
    private let quietPeriod: Duration
    private let maximumDelay: Duration
    /// The least time between two scans while the mode is polling.
    private let interval: Duration
    private let report: @Sendable (Mode) -> Void
    /// The reasons that are not delivered yet.
    private let pending: CoalescingSignal<RescanReason>
    private var mounts: EventLoop.Registration?
    /// `nil` before the first scan, at the end, and if inotify cannot be used.
    private var tree: WatchedTree?
    /// `nil` unless the mode is polling.
    private var nextPoll: ContinuousClock.Instant?
    private var pace = ScanPace()
    /// The pace of the scans that no change in the directory causes: they do not delay one that a change does.
    private var ownPace = ScanPace()
    /// The start of the scan in progress, and whether a change caused it; `nil` if the next one need not wait for its pace.
    private var pacedScan: (start: SuspendingClock.Instant, isOfChange: Bool)?
    private var hasEnded = false

    /// Watches the directory `name`, which need not exist yet.
    ///
    /// `requests` is the path of another directory in `parent`; a file that arrives there is
    /// ``RescanReason/requestFile``. `report` is called after each change of the mode.
    ///
    /// A reason is held back until nothing has changed for the `quietPeriod`, so that many changes cause one scan: it is
    /// longer than `ln -sfn` takes between creating a temporary name and renaming it. While changes go on, it is held back for
    /// the `maximumDelay`; if that is zero, ``ScanPace`` delays no scan, either.
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
        mounts = Self.onMount(below: "\(parent.path)/\(name)") { pending.send(.mounted) }
    }

    /// Calls `body` after each mount and unmount at or below `path`; see proc_pid_mountinfo(5).
    ///
    /// Mounting a file system over a watched directory causes no event of inotify(7). `nil` if proc(5) is missing.
    private static func onMount(
        below path: String, _ body: @escaping @Sendable () -> Void
    ) -> EventLoop.Registration? {
        guard let table = try? FileDescriptor(opening: "/proc/self/mountinfo", O_RDONLY) else {
            return nil
        }
        @Sendable func read() -> [String] {
            let text = FileDescriptor.kernelFile("/proc/self/mountinfo") ?? ""
            return Mount.lines(of: text, atOrBelow: path).map(String.init)
        }
        let known = SharedValue(read())
        // The table is open as long as the closure refers to it.
        return EventLoop.shared.onReadable(table.rawValue, condition: POLLPRI) {
            withExtendedLifetime(table) {
                let current = read()
                let hasChanged = known.withLock { known in
                    defer { known = current }
                    return known != current
                }
                if hasChanged { body() }
            }
        }
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
        recordPace()
        nextPoll = nextPoll.map { max($0, pace.next, ownPace.next) }
        let latest = [deadline, nextPoll].compactMap(\.self).min()
        while !Task.isCancelled, !hasEnded {
            // Also while it is too early for a scan: the kernel drops events that nobody reads.
            let hasEvents = readEvents()
            let mayScanNow = pace.next <= .now
            if hasEvents, mayScanNow { await waitUntilQuiet() }
            if isTooEarly {
                await waitForPace(until: latest)
                // Only a person, or a deadline, comes before the pace.
                let mustWait = isTooEarly && overdue(deadline) == nil
                if mustWait { continue }
            }
            if let reason = pending.receive() ?? overdue(deadline) {
                pacedScan =
                    ScanPace.delays(reason) ? (.now, reason.contains(.changed)) : nil
                return reason
            }
            await wait(until: latest)
        }
        hasEnded = true
        tree = nil
        mounts = nil
        return nil
    }

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

    /// Ends the listing: polls from now on if an obstacle prevented a watch or a scan, and not otherwise.
    private func endScan(_ obstacle: WatchObstacle?, errors: [SystemError]) {
        tree?.endScan()
        let obstacle =
            obstacle ?? tree?.obstacle
            ?? errors.lazy.compactMap(WatchObstacle.init(scanError:)).first
        nextPoll = obstacle.map { _ in .now + interval }
        let newMode = obstacle.map(Mode.polling) ?? .events
        if newMode != mode {
            mode = newMode
            report(newMode)
        }
    }
}

// MARK: Waiting

extension DirectoryWatcher {
    /// The interval between two reads of the kernel's events while changes wait for the pace.
    private static let readInterval = Duration.milliseconds(100)

    /// Whether only reasons are pending that follow the pace, and the next scan for them is not due yet.
    private var isTooEarly: Bool {
        let reasons = pending.pending
        return !reasons.isEmpty && ScanPace.delays(reasons) && earliestScan > .now
    }

    /// When the next scan for the pending reasons may start, if it follows the pace.
    private var earliestScan: ContinuousClock.Instant {
        pending.pending.contains(.changed) ? pace.next : max(pace.next, ownPace.next)
    }

    /// Records how long everything took that the last reason caused, which decides when the next scan may start.
    private func recordPace() {
        guard let (start, isOfChange) = pacedScan else { return }
        pacedScan = nil
        guard maximumDelay > .zero else { return }
        let elapsed = start.duration(to: .now)
        if isOfChange {
            pace.record(elapsed, endingAt: .now)
        } else {
            ownPace.record(elapsed, endingAt: .now)
        }
    }

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
        let end = [earliestScan, .now + Self.readInterval, deadline].compactMap(\.self).min()
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
