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
}
