import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// A feed may require a key, which is part of its address: it is sent, and never printed or stored.
    @Suite(.timeLimit(.minutes(10))) struct AddressTests {
        private static let key = "SECRET-kEy0123456789"

        private func run(_ site: Site) async throws -> Ending {
            try await site.start(
                ["run", "--once"] + site.settings() + [
                    "--upstream", "\(site.simulator.v1Address)?api_key=\(Self.key)", "--feed", "v1",
                    "--log-level", "debug", "--since", "3d", "--thumbnails", "no",
                ]
            ).end()
        }

        @Test func theKeyIsSentToTheFeedOnlyAndNeverPrinted() async throws {
            try await withSite { site in
                let ending = try await run(site)

                #expect(ending.code == 0, "\(ending)")
                let requested = site.simulator.requests.filter { $0.kind == .v1 }
                #expect(
                    !requested.isEmpty && requested.allSatisfy { $0.query["api_key"] == Self.key })
                let others = site.simulator.requests.filter { $0.kind != .v1 }
                #expect(!others.isEmpty && others.allSatisfy { $0.query["api_key"] == nil })
                try expectNoKey(in: ending, site)
                let report = try await site.read("status", "--report")
                #expect(report.output.contains("\n--upstream URL\n"), "\(report)")
            }
        }

        @Test func noErrorContainsTheKey() async throws {
            let faults: [Fault] = [
                .status(403, body: "no"), .html, .refuse,
                .redirect(to: "/elsewhere?api_key=\(Self.key)"),
            ]
            try await withSite { site in
                _ = try await run(site)
                for fault in faults {
                    site.simulator.clearFaults()
                    site.simulator.inject(fault, on: .any, times: nil)

                    let ending = try await run(site)

                    #expect(ending.code != 0 && ending.errors != "", "\(ending)")
                    try expectNoKey(in: ending, site)
                    try expectNoKey(in: try await site.read("status", "--json"), site)
                }
            }
        }

        private func expectNoKey(in ending: Ending, _ site: Site) throws {
            let key = Self.key
            #expect(!ending.output.contains(key) && !ending.errors.contains(key), "\(ending)")
            for folder in [site.root, site.home] {
                for (path, bytes) in try TreeImage(of: folder).files {
                    #expect(!bytes.contains(bytes: Array(key.utf8)), "\(path)")
                }
            }
        }
    }
}
