package import Favorites
package import FoundationEssentials
package import Mirror
package import Platform

/// Keeps the favorites true to what lies in `favorites/`.
///
/// Events say when to look, the folder says what is there: at the start, after every change, when a
/// missed link is to be believed gone, when the mirror got a picture, and once an hour all do the same.
package struct FavoritesService: DaemonService {
    private let favorites: Favorites
    private let root: Directory
    private let watch: DirectoryWatcher
    private let wanted: WantedDays
    private let log: Log
    private let changes: ChangeBroadcaster
    private let fetch: @Sendable () -> Void
    /// Beats while the loop goes round and gets on.
    private let pulse = Heartbeat()
    /// Beats when a look that was asked for is over.
    private let answered = Heartbeat()
    private let didLook: @Sendable (RescanReason, ReconcileOutcome) -> Void
    private let didTry: @Sendable () -> Void

    /// - Parameters:
    ///   - tree: Open for writing.
    ///   - spellings: Other absolute paths that lead to its root.
    ///   - wanted: Told which days are to be fetched first.
    ///   - log: Where it tells what happens.
    ///   - now: The time.
    ///   - uptime: The time by a clock that nobody sets.
    ///   - changes: Told when there are other favorites than before.
    ///   - fetch: Called when there are new ones among these.
    ///   - didChangeMode: Called when changes are noticed in another way than before.
    ///   - didLook: Called after each look, with why it was and what it brought.
    ///   - didTry: Called after each look, whether or not anything could be read and written.
    package init(
        tree: Tree, spellings: [String], wanted: WantedDays, log: Log,
        now: @escaping @Sendable () -> Date = { Date() },
        uptime: @escaping @Sendable () -> Uptime = { .now },
        changes: ChangeBroadcaster = ChangeBroadcaster(),
        fetch: @escaping @Sendable () -> Void = {},
        didChangeMode: @escaping @Sendable (DirectoryWatcher.Mode) -> Void = { _ in },
        didLook: @escaping @Sendable (RescanReason, ReconcileOutcome) -> Void = { _, _ in },
        didTry: @escaping @Sendable () -> Void = {}
    ) {
        favorites = Favorites(tree: tree, spellings: spellings, now: now, uptime: uptime)
        root = tree.root
        self.wanted = wanted
        self.log = log
        self.didTry = didTry
        self.changes = changes
        self.fetch = fetch
        self.didLook = didLook
        watch = DirectoryWatcher(
            of: Scan.folder, in: tree.root, beside: FavoriteStore.requests, by: Scan.rules
        ) { mode in
            log.notice("favorites: \(mode)")
            didChangeMode(mode)
        }
    }

    /// The longest time between two looks, in seconds.
    private static let hour = 3600.0
    /// The time until the next look after one that read nothing, in seconds.
    private static let minute = 60.0

    /// So many changes are told of one by one.
    private static let few = 10
    /// So many things that a look at them takes megabytes.
    private static let many = 10_000

    /// Looks at the folder once, without watching it.
    package func look() async {
        _ = await reconcile(Scan(of: root), after: .asked)
    }

    /// Asks for a look now.
    package func ask() { watch.ask() }

    /// Asks for a look now, and waits until it is over.
    package func lookNow() async throws {
        try await answered.next { watch.ask() }
    }

    /// Returns once the loop has gone round and the news of a file in the folder has arrived there, or
    /// a look under way got on; see ``Watchdog``.
    package func answer() async throws {
        try await pulse.next {
            Task(executorPreference: ThreadPoolExecutor.shared) { await watch.prove() }
        }
    }

    /// Returns when a look under way has got on, or the loop has gone round.
    package func headway() async throws { try await pulse.next {} }

    /// Looks whenever there is reason to, until the task is cancelled.
    package func run() async {
        var deadline: ContinuousClock.Instant?
        await Heartbeat.$current.withValue(pulse) {
            // What stands in the way is said by the first look.
            try? await favorites.prepare()
            while let hint = await watch.nextHint(by: deadline) {
                if hint != .proven {
                    let pause = await look(after: hint.subtracting(.proven))
                    deadline = .now + .seconds(pause)
                }
                if hint.contains(.asked) { answered.beat() }
                pulse.beat()
            }
        }
    }

    private func look(after hint: RescanReason) async -> Double {
        let scan = await seen()
        let isLarge = scan.items.count > Self.many
        let pause = await reconcile(scan, after: hint)
        if isLarge { returnFreeMemory() }
        return pause
    }

    private func seen() async -> Scan {
        do throws(SystemError) {
            return Scan(try await watch.list(), in: root)
        } catch {
            return Scan(failing: error)
        }
    }

    /// - Returns: The seconds until the next look at the latest.
    private func reconcile(_ scan: Scan, after hint: RescanReason) async -> Double {
        defer { didTry() }
        do {
            let isFullScan = !hint.isSubset(of: [.changed, .requested])
            let outcome = try await favorites.reconcile(scan, isFullScan: isFullScan)
            tell(outcome)
            if wanted.replace(with: outcome.wanted) { fetch() }
            if outcome.hasChanges { changes.tell(.favorites) }
            log.debug("favorites: looked, \(outcome.favorites.count) there")
            didLook(hint, outcome)
            return min(outcome.nextScan ?? Self.hour, Self.hour)
        } catch {
            log.error("favorites: \(error); they are looked at again in a minute")
            return Self.minute
        }
    }

    /// A line a condition, few whatever happens; what became of a favorite is said each time.
    private func tell(_ outcome: ReconcileOutcome) {
        for line in Self.few(outcome.events.filter(\.isChange).map(\.description)) {
            log.event("favorites: \(line)")
        }
        for line in Self.few(outcome.events.filter { !$0.isChange }.map(\.description)) {
            log.info("favorites: \(line)")
        }
        for failure in outcome.failures {
            log.error("favorites: \(failure); they are looked at again in a minute")
        }
    }

    private static func few(_ lines: [String]) -> [String] {
        lines.count <= few
            ? lines : lines.prefix(few) + ["and \(lines.count - few) more changes"]
    }
}
