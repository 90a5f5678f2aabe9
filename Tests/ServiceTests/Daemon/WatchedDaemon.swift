import APOD
import FoundationEssentials
import Gallery
import Glibc
import Mirror
import TestSupport
import Thumbnails
import Transfer

@testable import Platform
@testable import Service

/// A daemon with a watchdog, each of whose loops can be held up.
///
/// To be used in a process of its own, all of which hangs with its event loop or its workers.
final class WatchedDaemon: Sendable {
    /// One of its loops, or what one of them does.
    enum Loop: CaseIterable {
        case events, workers, days, look, favorites, gallery, figures, thumbnails
    }

    let gate = Gate()
    private let held: Loop
    private let beats = Monitor(0)
    private let lines = Monitor<[String]>([])
    private let wakeReasons = CoalescingSignal<WakeReason>()
    private let changes = ChangeBroadcaster()
    private let root: Directory
    /// Where figures for Prometheus are written.
    private let figures: String
    private let favorites: FavoritesService
    private let daemon: Daemon
    private let running = Monitor(Task<Void, any Error>?.none)
    private let interests = Monitor<[EventLoop.Registration]>([])

    /// How often the watchdog is expected to be fed.
    private static let interval = Duration.milliseconds(100)

    /// A daemon in the directory `root`, of which ``hang()`` holds up the loop `held`, which gets on
    /// `busily` or not; `request` plays NASA.
    init(
        root: String, holding held: Loop, busily: Bool = false,
        request: @escaping FeedRequest = { address throws(TransferError) in
            throw .unreachable(address: address, reason: "it is a test")
        }
    ) throws {
        // What hangs for longer than any test is ended: see alarm(2).
        alarm(60)
        self.held = held
        let tree = try Tree.writing(root, known: KnownMirrors(environment: [:]))
        let (gate, beats, lines) = (gate, beats, lines)
        let log = Log(environment: [:], output: { line in lines.withLock { $0.append(line) } })
        /// Holds up one loop, where it is that which is to be held.
        let pass = { @Sendable (loop: Loop) in
            guard loop == held else { return }
            gate.pass(busily: busily ? { _ = try? tree.root.open(".", O_RDONLY) } : nil)
        }
        let favorites = FavoritesService(
            tree: tree, spellings: [], wanted: WantedDays(), log: log,
            didReconcile: { _, _ in pass(.favorites) })
        let store = try Store(tree: tree, minimumFree: 0)
        let gallery = GalleryService(
            gallery: Gallery(store: store),
            favorites: {
                pass(.gallery)
                return []
            }, collections: { [:] }, changes: changes.listener(), log: log)
        figures = "\(root)-figures"
        _ = try Directory(opening: "/").makeDirectory(String(figures.dropFirst()))
        let snapshot = MetricsService(
            store, transferMetrics: TransferMetrics(), changes: changes.listener(),
            metrics: try MetricsFile("apod.prom", in: figures, root: root),
            log: Log(environment: [:], output: { _ in pass(.figures) }))
        let thumbnails = ThumbnailService(
            Thumbnails(store: store),
            log: Log(environment: [:], output: { _ in pass(.thumbnails) }),
            changes: changes)
        let hosts = HostBackoff()
        let synchronizer = Synchronizer(
            feed: BasicFeed(address: "http://127.0.0.1:9", request: request),
            client: Client(
                agent: "test", policy: AddressPolicy(upstream: "http://127.0.0.1:9"), width: 1,
                hosts: hosts),
            hosts: hosts, store: store, options: .init(),
            now: {
                pass(.look)
                return Date()
            })
        let mirror = MirrorService(
            synchronizer, Schedule(mirror: tree.id), log: log, wakeReasons: wakeReasons,
            changes: ChangeBroadcaster(),
            didSync: { _ in pass(.days) })
        let watchdog = Watchdog(
            every: Self.interval,
            of: [
                .init("the mirror service") { try await mirror.ping() },
                .init("the favorites service") { try await favorites.ping() },
                .init("the gallery service") { try await gallery.ping() },
                .init("the metrics service") { try await snapshot.ping() },
                .init("the thumbnail service") { try await thumbnails.ping() },
            ], log: log, notify: { beats.withLock { $0 += 1 } })
        self.favorites = favorites
        self.root = tree.root
        daemon = Daemon([favorites, mirror, gallery, snapshot, thumbnails, watchdog])
    }

    /// What the log says.
    var text: String { lines.withLock { $0.joined() } }

    /// Starts it and waits until it goes well.
    func start() async throws {
        let work = Task(executorPreference: ThreadPoolExecutor.shared) { [daemon] in
            try await daemon.run()
        }
        running.withLock { $0 = work }
        try await waitForBeats(3)
    }

    /// Ends it; nothing is written to its folder afterwards.
    func stop() async {
        let work = running.withLock(\.self)
        work?.cancel()
        _ = await work?.result
    }

    /// Returns once it was fed so many times more.
    func waitForBeats(_ count: Int) async throws {
        let start = beats.withLock(\.self)
        while beats.withLock(\.self) < start + count { usleep(1000) }
    }

    /// How often the watchdog is fed in a time in which it should be fed twenty times.
    func beatsMeanwhile() -> Int {
        let before = beats.withLock(\.self)
        // The time is what is measured.
        usleep(1_000_000)
        return beats.withLock(\.self) - before
    }

    /// Holds up the loop, and waits until it stands still.
    func hang() {
        gate.shut()
        switch held {
        case .events:
            let interest = EventLoop.shared.at(.now) { [gate] in gate.pass() }
            interests.withLock { $0.append(interest) }
        case .workers:
            for _ in 0..<16 {
                Task(executorPreference: ThreadPoolExecutor.shared) { [gate] in gate.pass() }
            }
        case .days, .look: wakeReasons.send(.sync)
        case .favorites: favorites.requestScan()
        case .gallery: changes.broadcast(.all)
        // What they say of a fault is where these two are held up.
        case .figures:
            unsafe rename(figures, figures + "-elsewhere")
            changes.broadcast(.all)
        case .thumbnails:
            try? root.symlink(Layout.previous, to: "/nowhere")
            changes.broadcast(.all)
        }
        while !gate.holdsSomebody { usleep(1000) }
        // The answers to the last question may be here already.
        usleep(100_000)
    }
}
