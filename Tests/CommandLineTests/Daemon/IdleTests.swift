import Glibc
import Platform
import TestSupport
import Testing

/// The idle daemon.
///
/// `APOD_MIRROR_IDLE_SECONDS` sets the observed period.
@Suite(.timeLimit(.minutes(10))) struct IdleTests {
    static let window =
        processEnvironment()["APOD_MIRROR_IDLE_SECONDS"].flatMap { Int($0) } ?? 10

    /// The time after which a daemon is idle.
    private static let quiet = ThreadPoolExecutor.idleTimeout + .seconds(1)

    @Test func theIdleDaemonUsesLittleMemoryAndNoticesChanges() async throws {
        try await withSite { site in
            let program = try await site.daemon()
            let figures = ProcessFigures(of: program.pid)
            guard try !figures.isSanitized() else { return }

            // On a busy machine, a daemon may have work for seconds.
            try await figures.settle(for: Self.quiet + .seconds(Self.window))

            let threads = try figures.switches().count
            #expect(threads == 3, "the main thread, the events, a worker")
            #expect(try figures.anonymousMemory() < 5_000_000)

            let picture = try #require(try site.tree().pictures.first)
            let favorites = try Directory(opening: "\(site.root)/favorites")
            try favorites.symlink("link.jpg", to: "../\(picture)")

            try await program.errors.wait(for: "added to favorites")
        }
    }

    /// With a watchdog, only its notifications cause wakeups.
    @Test func aWatchdogPingUsesLittleCPU() async throws {
        try await withSite { site in
            let socket = try NotifySocket("\(site.folder)/notify")
            let program = try site.start(
                ["run"] + site.settings(),
                environment: ["NOTIFY_SOCKET": socket.address, "WATCHDOG_USEC": "8000000"])
            try await program.errors.wait(for: "downloaded 10 days")
            let figures = ProcessFigures(of: program.pid)
            guard try !figures.isSanitized() else { return }
            try await figures.settle(for: Self.quiet)
            let start = (
                try figures.switches(onlyVoluntary: true).values.reduce(0, +),
                socket.count(of: "WATCHDOG")
            )

            try await socket.wait(for: "WATCHDOG=1", count: start.1 + 2)
            try await figures.settle(for: Self.quiet)

            let beats = socket.count(of: "WATCHDOG") - start.1
            let switches =
                try figures.switches(onlyVoluntary: true).values.reduce(0, +) - start.0
            #expect(beats >= 2 && switches <= beats * 60, "\(switches) for \(beats) beats")
        }
    }
}
