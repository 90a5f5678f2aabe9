import APOD
import Simulator
import Testing

extension WholeProgram {
    /// A simulator that lists one day twice and omits another, and has a picture in the post of an entry alone.
    @Suite(.timeLimit(.minutes(10))) struct DoubledDayTests {
        @Test func everyDayIsDownloadedOnceUnderItsOwnDate() async throws {
            // The old pages end in August 2026.
            let newest = try #require(Day(iso: "2026-08-20"))
            let archive = Archive.generated(newest: newest, days: 130, size: (48, 32), extras: [])
            try await withSite(of: archive) { site in
                let missing = newest.advanced(by: -40)
                let doubled = newest.advanced(by: -37)
                var entry = try #require(site.simulator.entry(of: missing))
                entry.title = "Manhattanhenge"
                site.simulator.withdraw(missing)
                site.simulator.misfile(entry, under: doubled)
                var lost = try #require(site.simulator.entry(of: newest.advanced(by: -60)))
                lost.media = .articleOnly(try #require(lost.media.files.first))
                site.simulator.publish(lost)
                let words = ["--since", "\(newest.advanced(by: -129))"]

                let ending = try await site.mirror(words[0], words[1])

                let tree = try site.tree()
                let all = Set((0..<130).map { newest.advanced(by: -$0) })
                #expect(tree.complete == all, "\(ending)")
                #expect(tree.pictures.filter { $0.contains("Manhattanhenge") }.count == 1)
                #expect(tree.pictures.contains { $0.contains("\(missing) Manhattanhenge") })
                let requests = site.simulator.requests
                #expect(requests.count { $0.kind == .list } <= 6)
                #expect(requests.count { $0.kind == .day } == 0)
                #expect(requests.count { $0.path.contains("/image-article/") } == 3)
                // The identifiers in the posts are others now.
                let again = try await site.mirror(words[0], words[1])
                #expect(again.code == 0 && again.errors.contains("edited: 0"), "\(again)")
                #expect(try site.tree().published == tree.published)
            }
        }
    }
}
