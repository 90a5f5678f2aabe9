/// A folder that is watched, with all folders beneath it: says when to look, and looks.
///
/// The first hint comes at once, then one after every change, when it has been quiet for a moment;
/// those that nobody waits for become one. After each hint the caller
/// looks by ``list()``, which also sets the watches: what it returns is what is watched. The folder may
/// vanish, be replaced and return; it is found again by its name.
///
/// Where a limit of the kernel keeps a folder from being watched, hints come every ten seconds too,
/// and each look tries again. A process watches one folder at a time. Hints and looks are for one
/// task at a time; when that is cancelled the sequence ends, and nothing is left open. An idle watch
/// costs nothing.
package actor DirectoryWatcher {
    /// How changes are noticed.
    package enum Mode: Hashable, Sendable {
        case events
        case polling(WatchLimit)
    }

    /// How long it must be quiet before a hint is delivered, and how long one is held back at most.
    package struct Settling: Sendable {
        let quiet: Duration
        let atMost: Duration
        /// Whether scans are delayed that would take too much of the time; see ``ScanPace``.
        var isFrugal = true

        /// `ln -sfn` takes far less between the name that it makes up and the rename; and a look that
        /// comes in between does no harm, for what is missing is not believed gone so soon.
        package static let usual = Settling(
            quiet: .milliseconds(5), atMost: .milliseconds(100))
        package static let none = Settling(quiet: .zero, atMost: .zero, isFrugal: false)
    }

    package private(set) var mode = Mode.events
    private let name: String
    private let parent: Directory
    private let requests: String?
    private let rules: ScanRules
    private let settling: Settling
    private let interval: Duration
    private let report: @Sendable (Mode) -> Void
    private let pending: PendingRescan
    private var mounts: MountTable?
    private var tree: WatchedTree?
    private var nextPoll: ContinuousClock.Instant?
    private var pace = ScanPace()
    /// Whether the scan under way is because of a change alone.
    private var isForChange = false
    private var began = ContinuousClock.now
    private var hasEnded = false

    /// - Parameters:
    ///   - name: The folder, which need not be there yet.
    ///   - parent: Where it is.
    ///   - requests: The path of another folder in `parent`: what comes there is ``RescanReason/requested``.
    ///   - rules: What a scan leaves out.
    ///   - settling: When a hint is delivered.
    ///   - interval: The time between two looks where not all can be watched.
    ///   - report: Called whenever ``mode-swift.property`` has changed.
    package init(
        of name: String, in parent: Directory, beside requests: String? = nil,
        by rules: ScanRules = ScanRules(), settling: Settling = .usual,
        pollingEvery interval: Duration = .seconds(10),
        report: @escaping @Sendable (Mode) -> Void = { _ in }
    ) {
        self.name = name
        self.parent = parent
        self.requests = requests
        self.rules = rules
        self.settling = settling
        self.interval = interval
        self.report = report
        let pending = PendingRescan(.started)
        self.pending = pending
        mounts = MountTable { pending.add(.mounted) }
    }

    /// Asks for a hint, for a reason of the caller's.
    package nonisolated func ask() {
        pending.add(.asked)
    }

    /// Asks for ``RescanReason/proven``, which comes by way of the kernel.
    ///
    /// The folder is opened for it, which changes nothing there. Where not all can be watched, or it
    /// cannot be opened, the hint comes at once.
    package func prove() {
        guard mode == .events, let folder = try? parent.folder(name) else {
            return pending.add(.proven)
        }
        tree?.prove(folder)
    }

    /// The reasons to look, until the task is cancelled.
    package nonisolated var hints: RescanReasons { RescanReasons(of: self) }

    /// The next reason to look.
    ///
    /// - Parameter deadline: When to return ``RescanReason/due`` at the latest.
    /// - Returns: `nil` when the task is cancelled, and ever after.
    package func nextHint(by deadline: ContinuousClock.Instant? = nil) async -> RescanReason? {
        finish()
        while !Task.isCancelled, !hasEnded {
            if takeEvents(), pace.next <= .now { await settle() }
            if pending.holdsOnly(.changed), pace.next > .now {
                await rest(until: [deadline, nextPoll].compactMap(\.self).min())
                if pending.holdsOnly(.changed), pace.next > .now, overdue(deadline) == nil {
                    continue
                }
            }
            if let hint = pending.take() ?? overdue(deadline) {
                begin(hint)
                return hint
            }
            await wait(until: [deadline, nextPoll].compactMap(\.self).min())
        }
        end()
        return nil
    }

    /// Events are taken from the kernel so often while they wait.
    private static let breath = Duration.milliseconds(100)

    /// What the last hint was for is done.
    private func finish() {
        guard isForChange else { return }
        isForChange = false
        if settling.isFrugal { pace.note(from: began, to: .now) }
    }

    /// Begins what the hint is for; it lasts until the next one is asked for.
    private func begin(_ hint: RescanReason) {
        isForChange = hint == .changed
        began = .now
    }

    /// Waits for the moment when a change is a reason to look again, or for a better reason.
    private func rest(until deadline: ContinuousClock.Instant?) async {
        let end = [pace.next, .now + Self.breath, deadline].compactMap(\.self).min()
        await wait(until: end, forNews: false)
    }

    /// Looks at the folder, and watches all of it.
    ///
    /// - Returns: What is there, `nil` where the folder is not.
    /// - Throws: ``SystemError``; ``SystemError/isNoFolder`` where a link or something else is in its place.
    package func list() throws(SystemError) -> DirectoryListing? {
        let limit = prepareTree()
        tree?.beginPass(in: parent)
        do {
            let tree = tree
            let listing = try DirectoryScanner.list(name, in: parent, by: rules) {
                tree?.watch($0, $1)
            }
            finishPass(limit, listing?.failures.map(\.error) ?? [])
            return listing
        } catch {
            finishPass(limit, [error])
            throw error
        }
    }

    /// Makes the watches, afresh where too many have ended.
    private func prepareTree() -> WatchLimit? {
        if let tree, tree.ended >= WatchedTree.mostEnded { self.tree = nil }
        guard tree == nil, !hasEnded else { return nil }
        do {
            tree = try WatchedTree(of: name, beside: requests, ignoring: rules.isIgnored)
            return nil
        } catch {
            return error
        }
    }

    private func finishPass(_ limit: WatchLimit?, _ errors: [SystemError]) {
        tree?.endPass()
        let limit =
            limit ?? tree?.limit
            ?? errors.lazy.compactMap(WatchLimit.init(lookingFailedBy:)).first
        nextPoll = limit.map { _ in .now + interval }
        let newMode = limit.map(Mode.polling) ?? .events
        if newMode != mode {
            mode = newMode
            report(newMode)
        }
    }

    /// Whether there were any.
    private func takeEvents() -> Bool {
        guard let hint = tree?.drain(), !hint.isEmpty else { return false }
        pending.add(hint)
        return true
    }

    private func settle() async {
        let latest = ContinuousClock.now + settling.atMost
        var quiet = ContinuousClock.now + settling.quiet
        while case let end = min(quiet, latest), .now < end, !Task.isCancelled {
            await wait(until: end)
            if takeEvents() { quiet = .now + settling.quiet }
        }
    }

    private func overdue(_ deadline: ContinuousClock.Instant?) -> RescanReason? {
        if let nextPoll, nextPoll <= .now { return .unwatched }
        guard let deadline, deadline <= .now else { return nil }
        return .due
    }

    /// Sleeps until there are events, something is pending, or `deadline` has come.
    private func wait(
        until deadline: ContinuousClock.Instant?, forNews: Bool = true
    ) async {
        let descriptor = forNews ? tree?.descriptor : nil
        try? await CancellableContinuation().wait { waiter in
            if forNews { pending.wake(waiter) }
            let wake: @Sendable () -> Void = { waiter.finish(.success(())) }
            return EventLoop.Interest(
                [
                    descriptor.map { EventLoop.shared.onReadable($0, wake) },
                    deadline.map { EventLoop.shared.at($0, wake) },
                ].compactMap(\.self))
        }
    }

    private func end() {
        hasEnded = true
        tree = nil
        mounts = nil
    }
}

extension DirectoryWatcher.Mode: CustomStringConvertible {
    package var description: String {
        switch self {
        case .events: "changes are noticed as they happen"
        case .polling(let limit): "changes are noticed late, by looking now and then: \(limit)"
        }
    }
}

/// The hints of a ``DirectoryWatcher``, each when it is asked for; the sequence ends with the task.
package struct RescanReasons: AsyncSequence, Sendable {
    private let watch: DirectoryWatcher

    init(of watch: DirectoryWatcher) {
        self.watch = watch
    }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let watch: DirectoryWatcher

        package func next() async -> RescanReason? { await watch.nextHint() }

        package func next(isolation: isolated (any Actor)?) async -> RescanReason? {
            await watch.nextHint()
        }
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(watch: watch) }
}
