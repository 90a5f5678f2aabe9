import APOD
import Simulator
import Testing

extension WholeProgram {
    /// A simulator that lists one day twice and omits another.
    @Suite(.timeLimit(.minutes(10))) struct DoubledDayTests {
        @Test func theFirstSyncDownloadsEveryListedDay() async throws {
            try await withSite(days: 130) { site in
                let missing = Site.today.advanced(by: -40)
                let doubled = Site.today.advanced(by: -37)
                var entry = try #require(site.simulator.entry(of: missing))
                entry.title = "Manhattanhenge"
                site.simulator.withdraw(missing)
                site.simulator.misfile(entry, under: doubled)

                let ending = try await site.mirror("--since", "\(Site.today.advanced(by: -129))")

                let tree = try site.tree()
                let all = Set((0..<130).map { Site.today.advanced(by: -$0) })
                #expect(tree.complete == all.subtracting([missing]), "\(ending)")
                #expect(!tree.pictures.contains { $0.contains("Manhattanhenge") })
                let kinds = site.simulator.requests.map(\.kind)
                #expect(kinds.count { $0 == .list } <= 6)
                #expect(kinds.count { $0 == .day } <= 1)
            }
        }
    }
}
