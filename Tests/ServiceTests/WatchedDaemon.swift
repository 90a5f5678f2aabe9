import APOD
import FoundationEssentials
import Glibc
import Mirror
import TestSupport
import Transfer

@testable import Platform
@testable import Service

/// A daemon with a watchdog, each of whose loops can be held up.
///
/// To be used in a process of its own, all of which hangs with its event loop or its workers.
final class WatchedDaemon: Sendable {
    /// One of its loops, or what one of them does.
    enum Loop: CaseIterable {
        case events, workers, days, look, favorites
    }

    let gate = Gate()
    private let held: Loop
    private let beats = Monitor(0)
    private let lines = Monitor<[String]>([])
    private let calls = Mailbox<MirrorCall>()
    private let favorites: FavoriteKeeper
    private let daemon: Daemon
    private let interests = Monitor<[EventLoop.Interest]>([])

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
        self.held = held
        let tree = try Tree.writing(root, known: KnownMirrors(environment: [:]))
        let (gate, beats, lines) = (gate, beats, lines)
        let log = Log(environment: [:], output: { line in lines.withLock { $0.append(line) } })
        let favorites = FavoriteKeeper(
            tree: tree, spellings: [], wanted: WantedDays(), log: log,
            didLook: { _, _ in
                guard held == .favorites else { return }
                gate.pass(busily: busily ? { _ = try? tree.root.open(".", O_RDONLY) } : nil)
            })
        let hosts = HostCalendar()
        let synchronizer = Synchronizer(
            feed: BasicFeed(address: "http://127.0.0.1:9", request: request),
            client: Client(
                agent: "test", policy: AddressPolicy(upstream: "http://127.0.0.1:9"), width: 1,
                hosts: hosts),
            hosts: hosts, store: try Store(tree: tree, minimumFree: 0), options: .init(),
            now: {
                if held == .look { gate.pass() }
                return Date()
            })
        let mirror = MirrorKeeper(
            synchronizer, Schedule(mirror: tree.id), log: log, calls: calls, changes: TreeChanges(),
            didPass: { _ in if held == .days { gate.pass() } })
        let watchdog = Watchdog(
            every: Self.interval,
            of: [
                .init("the keeper of the days") { try await mirror.answer() },
                .init("the keeper of the favorites") { try await favorites.answer() },
            ], log: log, beat: { beats.withLock { $0 += 1 } })
        self.favorites = favorites
        daemon = Daemon([favorites, mirror, watchdog])
    }

    /// What the log says.
    var text: String { lines.withLock { $0.joined() } }

    /// Starts it and waits until it goes well.
    func start() async throws {
        Task(executorPreference: Workers.shared) { [daemon] in try await daemon.run() }
        try await waitForBeats(3)
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
            for _ in 0..<16 { Task(executorPreference: Workers.shared) { [gate] in gate.pass() } }
        case .days, .look: calls.put(.look)
        case .favorites: favorites.ask()
        }
        while !gate.holdsSomebody { usleep(1000) }
        // The answers to the last question may be here already.
        usleep(100_000)
    }
}
