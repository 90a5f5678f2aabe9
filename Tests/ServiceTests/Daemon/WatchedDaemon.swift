import APOD
import FoundationEssentials
import Glibc
import Mirror
import TestSupport
import Thumbnails
import Transfer
import Views

@testable import Platform
@testable import Service

/// A daemon with a watchdog, each of whose loops can be blocked up.
///
/// It needs its own process, because a blocked event loop or thread pool blocks all of it.
final class WatchedDaemon: Sendable {
    /// A loop of the daemon, or a step of one.
    enum Loop: CaseIterable {
        case events, workers, mirror, sync, favorites, views, thumbnails
    }

    let gate = Gate()
    private let blocked: Loop
    private let notifications = Monitor(0)
    private let wakeReasons = CoalescingSignal<WakeReason>()
    private let changes = ChangeBroadcaster()
    private let root: Directory
    private let favorites: FavoritesService
    private let services: [any DaemonService]
    private let watchdog: Watchdog
    private let running = Monitor(Task<Void, any Error>?.none)
    private let interests = Monitor<[EventLoop.Registration]>([])

    /// The interval of the watchdog.
    private static let interval = Duration.milliseconds(100)

    /// Creates a daemon in `root`, whose loop `blocked` is blocked by ``block()``; NASA is unreachable.
    init(root: String, blocking blocked: Loop) throws {
        // Ends a process that hangs; see alarm(2).
        alarm(UInt32(Duration.hang / .seconds(1)))
        self.blocked = blocked
        let tree = try Tree.writing(root, known: KnownMirrors(environment: [:]))
        let (gate, notifications) = (gate, notifications)
        let log = Log(environment: [:], output: { _ in })
        /// Blocks the loop that is to be blocked.
        let pass = { @Sendable (loop: Loop) in
            if loop == blocked { gate.pass() }
        }
        let favorites = FavoritesService(
            tree: tree, log: log,
            didReconcile: { _, _ in pass(.favorites) })
        let store = try Store(tree: tree, minimumFree: 0)
        let views = ViewService(
            allViews.compactMap { $0.init(ViewSettings()) },
            changes: changes.makeListener(), log: log
        ) {
            pass(.views)
            return try ViewInput(
                store: store, snapshot: TreeSnapshot(of: tree.root), thumbnails: nil)
        }
        let thumbnails = ThumbnailService(
            Thumbnails(store: store),
            log: Log(environment: [:], output: { _ in pass(.thumbnails) }),
            changes: changes)
        let synchronizer = Synchronizer(
            feed: BasicFeed(at: "http://127.0.0.1:9") { address throws(TransferError) in
                throw .unreachable(address: address, reason: "it is a test")
            },
            client: Client(
                agent: "test", policy: AddressPolicy(upstream: "http://127.0.0.1:9"), width: 1,
                hosts: HostPauses()),
            store: store, options: .init(),
            now: {
                pass(.sync)
                return Date()
            })
        let mirror = MirrorService(
            synchronizer: synchronizer, schedule: Schedule(mirror: tree.id), log: log,
            wakeReasons: wakeReasons, changes: ChangeBroadcaster(),
            didSync: { _ in pass(.mirror) })
        services = [favorites, mirror, views, thumbnails]
        watchdog = Watchdog(
            interval: Self.interval,
            notify: { notifications.withLock { $0 += 1 } })
        self.favorites = favorites
        self.root = tree.root
    }

    /// Starts the daemon and waits until the watchdog is notified.
    func start() async throws {
        let work = Task(executorPreference: ThreadPoolExecutor.shared) { [services, watchdog] in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for service in services { group.addTask { try await service.run() } }
                group.addTask { try await watchdog.run() }
                try await group.next()
            }
        }
        running.withLock { $0 = work }
        try await waitForNotifications(3)
    }

    /// Stops the daemon; nothing is written to its directory afterwards.
    func stop() async {
        let work = running.withLock(\.self)
        work?.cancel()
        _ = await work?.result
    }

    /// Returns after `count` more notifications.
    func waitForNotifications(_ count: Int) async throws {
        let start = notifications.withLock(\.self)
        while notifications.withLock(\.self) < start + count { usleep(1000) }
    }

    /// Returns when no notification came for ten intervals.
    func waitForSilence() {
        var (before, now) = (-1, notifications.withLock(\.self))
        while now != before {
            // The observed period, not a delay.
            usleep(UInt32(Self.interval * 10 / .microseconds(1)))
            (before, now) = (now, notifications.withLock(\.self))
        }
    }

    /// Blocks the loop and waits until it is blocked.
    func block() {
        gate.shut()
        switch blocked {
        case .events:
            let interest = EventLoop.shared.at(.now) { [gate] in gate.pass() }
            interests.withLock { $0.append(interest) }
        case .workers:
            for _ in 0..<16 {
                Task(executorPreference: ThreadPoolExecutor.shared) { [gate] in gate.pass() }
            }
        case .mirror, .sync: wakeReasons.send(.sync)
        case .favorites: favorites.requestScan()
        case .views: changes.broadcast(.all)
        case .thumbnails:
            // What it says of a fault is where it is blocked.
            try? root.symlink(Layout.previous, to: "/nowhere")
            changes.broadcast(.all)
        }
        while !gate.isBlocking { usleep(1000) }
    }
}
