import APOD
import Glibc
import JSON
import Platform
import ProgramTesting
import Simulator
import Testing

extension WholeProgram {
    /// Ends without a farewell in the middle of a download: a crash, a kill, a power cut.
    @Suite(.timeLimit(.minutes(10))) struct UnfinishedDownloadTests {
        private static let day = Site.day(3)

        /// Starts the daemon, as systemd does after each end, and kills it while it downloads ``day``.
        private func killInDownload(_ site: Site) async throws {
            var arrivals = site.simulator.arrivals().makeAsyncIterator()
            let program = try site.start(["run"] + site.settings())
            while let request = await arrivals.next(),
                request.kind != .media || request.day != Self.day
            {}
            // Another day that is under way at both ends would be put off, too.
            _ = try await polled { try site.tree().complete.count >= 9 ? true : nil }
            program.signal(SIGKILL)
            #expect(try await program.end().signal == SIGKILL)
        }

        private func requests(_ site: Site) -> Int {
            site.simulator.requests.count { $0.kind == .media && $0.day == Self.day }
        }

        @Test(.enabled(if: FaultShim.isPossible, "no C compiler"))
        func aDayThatTwoProcessesDidNotSurviveWaitsForADayAndTheOthersGoOn() async throws {
            try await withSite { site in
                let shim = try await FaultShim(for: site)
                site.simulator.inject(.hang, on: .mediaOf(Self.day), times: nil)
                for _ in 0..<2 { try await killInDownload(site) }
                // A command that writes the mirror beside no daemon destroys no evidence.
                let command = try await site.read("favorites", "add", "\(Site.day(2))")
                #expect(command.code == 0, "\(command)")
                site.simulator.resetLog()

                let program = try site.start(["run"] + site.settings())
                try await program.errors.wait(for: "\(Self.day): the program ended twice")
                _ = try await polled { try site.tree().complete.count == 9 ? true : nil }
                #expect(try await program.stop().code == 0)
                let once = try await site.mirror()
                let status = try await site.read("status", "--json")

                #expect(once.code == 3, "\(once)")
                let missing = try status.json["missing"]?.elements ?? []
                #expect(missing.map { $0["date"]?.string } == ["\(Self.day)"], "\(status)")
                #expect(missing.first?["reason"]?.string?.contains("ended twice") == true)
                #expect(requests(site) == 0)

                site.simulator.clearFaults()
                site.simulator.release()
                let tomorrow = try await site.mirror(environment: shim.clock(ahead: 86_460))

                #expect(tomorrow.code == 0, "\(tomorrow)")
                let tree = try site.tree()
                #expect(tree.complete.count == 10 && tree.damage == [] && tree.incoming == [])
            }
        }

        @Test func aDayThatOneProcessDidNotSurviveIsDownloadedAtTheNextStart() async throws {
            try await withSite { site in
                site.simulator.inject(.hang, on: .mediaOf(Self.day), times: nil)
                try await killInDownload(site)
                site.simulator.clearFaults()
                site.simulator.release()

                let once = try await site.mirror()

                #expect(once.code == 0, "\(once)")
                let tree = try site.tree()
                #expect(tree.complete.count == 10 && tree.incoming == [])
                // A later end is the first one again.
                try site.simulator.edit(Self.day) {
                    $0.media = .drawn("b.jpg", seed: 7, width: 64, height: 40)
                }
                site.simulator.inject(.hang, on: .mediaOf(Self.day), times: nil)
                try await killInDownload(site)
                site.simulator.clearFaults()
                site.simulator.release()
                site.simulator.resetLog()
                #expect(try await site.mirror().code == 0)
                #expect(try site.tree().incoming == [] && requests(site) == 1)
            }
        }
    }
}
