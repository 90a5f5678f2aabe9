import APOD
import JSON
import Mirror
import ProgramTesting
import Simulator
import Testing

extension WholeProgram {
    /// A week in which NASA's API cannot be used: each new day is here by another route, and nothing of that is left.
    @Suite(.timeLimit(.minutes(10))) struct RouteTests {
        /// The API sends what `BasicFeedTests` says is unusable, or a list that ends three days ago.
        static let outages: [Fault] = [.html, .ending(at: Site.day(3))]

        /// The contents of the mirror, without the `source` of records.
        private func contents(_ site: Site, _ root: String) throws -> [String: [UInt8]] {
            let tree = try site.tree(root)
            return try tree.published.files.reduce(into: [:]) { contents, file in
                guard file.key.hasPrefix("metadata/") || file.key == "latest.json",
                    let record = try tree.files[file.key].map(JSON.init(parsing:))
                else { return contents[file.key] = file.value }
                contents[file.key] =
                    JSON.object(record.members.filter { $0.key != "source" }).document
            }
        }

        private func route(of day: Day, _ site: Site) throws -> String? {
            try #require(try site.record(of: day)?["source"])["route"]?.string
        }

        @Test(arguments: outages)
        func eachNewDayIsHereByAnotherRouteAndThenAsIfNothingHadBeen(outage: Fault) async throws {
            // The still picture of a video would be requested from YouTube.
            let archive = Archive.generated(
                newest: Site.day(-7), days: 17, size: (48, 32),
                extras: .standard.subtracting(.videos))
            try await withSite(of: archive, settings: .init(classicMirror: archive)) { site in
                site.simulator.newest = Site.today
                let shim = try await FaultShim(for: site)
                let other = "\(site.folder)/undisturbed"
                #expect(try await site.mirror().code == 0)
                #expect(try await site.mirror(root: other).code == 0)

                // The last three days with RSS down, too.
                for later in 1...7 {
                    let name = later < 5 ? "NASA's RSS feed" : "a classic mirror"
                    let today = Site.day(-later)
                    site.simulator.newest = today
                    let clock = shim.clock(ahead: later * 86_400)
                    #expect(try await site.mirror(root: other, environment: clock).code == 0)
                    site.simulator.inject(outage, on: .route(.api), times: nil)
                    if later >= 5 {
                        site.simulator.inject(.html, on: .route(.rss), times: nil)
                    }

                    let ending = try await site.mirror(
                        "--mirrors", site.simulator.classicAddress, environment: clock)

                    #expect(ending.code == 0, "\(ending)")
                    #expect(try route(of: today, site) == (later < 5 ? "rss" : "classic"))
                    let status = try await site.start(
                        ["status", "--root", site.root], environment: clock
                    ).end()
                    #expect(status.output.contains(", by \(name); NASA's API fails, "))
                    let show = try await site.start(
                        ["show", "\(today)", "--root", site.root], environment: clock
                    ).end()
                    #expect(show.output.contains("\nRoute      \(name)\n"), "\(show)")
                    site.simulator.clearFaults()
                }
                let clock = shim.clock(ahead: 7 * 86_400)
                site.simulator.inject(outage, on: .route(.api), times: nil)
                site.simulator.inject(.status(404, body: nil), on: .route(.rss), times: nil)
                site.simulator.inject(.html, on: .route(.classic), times: nil)
                let ending = try await site.mirror(
                    "--mirrors", site.simulator.classicAddress, environment: clock)
                if outage != .ending(at: Site.day(3)) {
                    #expect(ending.code == 7, "\(ending)")
                    let lines = ending.errors.split(separator: "\n").filter { $0.contains("route") }
                    #expect(lines.count == 1, "\(ending)")
                    #expect(lines.first?.contains("NASA's API (") == true)
                    #expect(lines.first?.contains("NASA's RSS feed (") == true)
                    #expect(lines.first?.contains("a classic mirror (") == true)
                }

                site.simulator.clearFaults()
                #expect(
                    try await site.mirror(
                        "--mirrors", site.simulator.classicAddress, environment: clock
                    ).code == 0)

                #expect(try route(of: Site.day(-7), site) == nil)
                let (mine, theirs) = (try contents(site, site.root), try contents(site, other))
                let differences = Set(mine.keys).union(theirs.keys).filter {
                    mine[$0] != theirs[$0]
                }
                #expect(differences == [])
                let status = try await site.read("status", "--json")
                #expect(
                    try status.json["api_failure"] == .null && status.json["newest_route"] == .null)
            }
        }
    }
}
