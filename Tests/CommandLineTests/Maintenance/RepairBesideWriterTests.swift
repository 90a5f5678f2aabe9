import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// `verify --repair` while another process writes the mirror.
    @Suite(.timeLimit(.minutes(10))) struct RepairBesideWriterTests {
        private func day(_ age: Int) -> Day { Site.today.advanced(by: -age) }

        private func start(_ site: Site, _ words: String...) throws -> Program {
            try site.start(
                [
                    "verify", "--repair", "--root", site.root, "--upstream",
                    site.simulator.basicAddress, "--feed", "basic", "--pace", "0s", "--min-free",
                    "0",
                ] + words)
        }

        private func withDaemon(
            _ site: Site, _ body: (Program) async throws -> Void
        ) async throws {
            let program = try site.start(["run", "--log-level", "debug"] + site.settings())
            // After the first sync the daemon verifies all days: it would see the damage of the test.
            try await program.errors.wait(for: "next sync")
            try await body(program)
            program.signal(SIGCONT)
            program.signal(SIGTERM)
            let end = try await program.end()
            #expect(end.code == 0, "\(end)")
        }

        @Test func aRenamedPictureIsMovedBackAndNotDownloaded() async throws {
            try await withSite { site in
                try await withDaemon(site) { _ in
                    let picture = try site.picture(of: day(2))
                    let other = "\(Layout.split(picture).folder)/other.jpg"
                    try await site.damage("mv", picture, "'\(other)'")
                    let before = site.simulator.requests.count { $0.kind == .media }

                    let ending = try await start(site, "--json").end()

                    #expect(ending.code == 0, "\(ending)")
                    let json = try JSON(parsing: Array(ending.output.utf8))
                    #expect(json["counts"]?["misplaced"] == 1 && json["remaining"] == [])
                    #expect(site.simulator.requests.count { $0.kind == .media } == before)
                    #expect(try site.tree().files[other] == nil)
                    let verified = try await site.read("verify", "--json")
                    #expect(verified.output.contains("\"unknown\": 0"), "\(verified)")
                }
            }
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
        func aSignalEndsTheWaitForTheDaemon(signal: Int32) async throws {
            try await withSite { site in
                try await withDaemon(site) { daemon in
                    try await site.damage("truncate -s 0", try site.picture(of: day(2)))
                    daemon.signal(SIGSTOP)
                    let repair = try start(site)
                    try await repair.errors.wait(for: "uses the mirror")

                    repair.signal(signal)
                    let ending = try await repair.end()

                    #expect(ending.code == 128 + signal, "\(ending)")
                    #expect(!ending.errors.contains("CancellationError"), "\(ending)")
                    #expect(ending.output.contains("damaged"), "\(ending)")
                    daemon.signal(SIGCONT)
                    // The daemon executes the request.
                    #expect(try await start(site).end().code == 0)
                }
            }
        }

        @Test func twoConcurrentRepairsSucceed() async throws {
            try await withSite { site in
                _ = try await site.mirror()
                try await site.damage("truncate -s 0", try site.picture(of: day(2)))
                site.simulator.inject(.hang, on: .media, times: nil)
                var arrivals = site.simulator.arrivals().makeAsyncIterator()
                let first = try start(site)
                while let request = await arrivals.next(), request.kind != .media {}
                let second = try start(site)
                try await second.errors.wait(for: "uses the mirror")

                await site.releaseRequests()

                let endings = [try await first.end(), try await second.end()]
                #expect(endings.map(\.code) == [0, 0], "\(endings)")
                let requests = try Directory(opening: site.root).folder(Layout.requests)
                #expect(try requests?.textNames().contains("repair") != true)
            }
        }

        @Test func withARunningDaemonTheReasonIsPrinted() async throws {
            try await withSite { site in
                try await withDaemon(site) { daemon in
                    let picture = try site.picture(of: day(2))
                    try await site.damage("truncate -s 0", picture)
                    site.simulator.inject(.notFound, on: .media, times: nil)

                    let ending = try await start(site).end()

                    #expect(ending.code == 8, "\(ending)")
                    #expect(ending.output.contains("404"), "\(ending)")
                    site.simulator.clearFaults()
                    let last = try await start(site).end()
                    #expect(last.code == 0, "\(last)")
                    #expect(last.output.contains("1 file repaired"), "\(last)")
                    try await daemon.errors.wait(for: "repaired: \(picture)")
                }
            }
        }
    }
}
