import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// `verify --repair` while another process writes the mirror.
    @Suite(.timeLimit(.minutes(2))) struct RepairBesideWriterTests {
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
            let program = try site.start(["run"] + site.settings())
            try await program.errors.wait(for: "downloaded 10 days")
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
    }
}
