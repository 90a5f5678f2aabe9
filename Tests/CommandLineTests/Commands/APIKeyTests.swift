import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// The key of the old feed is sent to that feed only.
    @Suite(.timeLimit(.minutes(10))) struct APIKeyTests {
        private static let key = "SECRET-kEy0123456789"

        enum Source: CaseIterable { case credential, variable, both }

        private func environment(_ source: Source, _ site: Site) throws -> [String: String] {
            var variables: [String: String] = [:]
            if source != .variable {
                try site.write(" \(Self.key)\n\n", to: "credentials/nasa-api-key")
                variables["CREDENTIALS_DIRECTORY"] = "\(site.folder)/credentials"
            }
            if source != .credential {
                variables["APOD_MIRROR_API_KEY"] = source == .both ? "another" : Self.key
            }
            return variables
        }

        private func run(_ site: Site, _ environment: [String: String]) async throws -> Ending {
            try await site.start(
                ["run", "--once"] + site.settings() + [
                    "--upstream", site.simulator.v1Address, "--feed", "v1", "--log-level", "debug",
                    "--since", "3d", "--thumbnails", "no",
                ], environment: environment
            ).end()
        }

        @Test(arguments: Source.allCases) func theKeyIsSentAndNeverPrinted(
            source: Source
        ) async throws {
            try await withSite { site in
                let ending = try await run(site, try environment(source, site))

                #expect(ending.code == 0, "\(ending)")
                let requested = site.simulator.requests.filter { $0.kind == .v1 }
                #expect(
                    !requested.isEmpty && requested.allSatisfy { $0.query["api_key"] == Self.key })
                let others = site.simulator.requests.filter { $0.kind != .v1 }
                #expect(!others.isEmpty && others.allSatisfy { $0.query["api_key"] == nil })
                try expectNoKey(in: ending, site)
            }
        }

        @Test(arguments: [
            Fault.status(403, body: "\(key) is no key"), .html, .refuse,
            .redirect(to: "/elsewhere?api_key=\(key)"),
        ])
        func noErrorContainsTheKey(fault: Fault) async throws {
            try await withSite { site in
                _ = try await run(site, try environment(.credential, site))
                site.simulator.inject(fault, on: .any, times: nil)

                let ending = try await run(site, try environment(.credential, site))

                #expect(ending.code != 0 && ending.errors != "", "\(ending)")
                try expectNoKey(in: ending, site)
                try expectNoKey(in: try await site.read("status", "--json"), site)
            }
        }

        /// The key is redacted from responses that repeat the request, in any encoding.
        @Test(arguments: ["\(key)", "sEcReT-KeY0123456789", "%53ECRET%2DkEy0123456789"])
        func aKeyThatAResponseRepeatsIsNotStored(spelling: String) async throws {
            try await withSite { site in
                _ = try await run(site, try environment(.variable, site))
                let entry = """
                    {"date": "\(Site.today)", "title": "Your key \(spelling)", "explanation":
                    "\(spelling)", "copyright": "\(spelling)", "media_type": "image", "url":
                    "http://127.0.0.1:9/\(spelling)/a.jpg", "service_version": "v1"}
                    """
                let rejected = """
                    {"date": "2\(spelling)", "title": "\(spelling)", "media_type": "\(spelling)"}
                    """
                for answer in [
                    "{\"error\": {\"code\": \"\(spelling)\", \"message\": \"no \(spelling)\"}}",
                    "{\"code\": 400, \"msg\": \"no \(spelling)\"}", "[\(entry), \(rejected)]",
                    entry, "\(spelling) is no JSON",
                ] {
                    site.simulator.clearFaults()
                    site.simulator.inject(.json(answer), on: .any, times: nil)

                    let ending = try await run(site, try environment(.variable, site))

                    try expectNoKey(in: ending, site, spelling)
                    try expectNoKey(in: try await site.read("status", "--json"), site, spelling)
                }
            }
        }

        @Test func noChildProcessInheritsTheKey() async throws {
            try await withSite { site in
                let program = try site.start(
                    ["run"] + site.settings() + [
                        "--upstream", site.simulator.v1Address, "--feed", "v1",
                    ], environment: try environment(.variable, site))
                try await program.errors.wait(for: "downloaded 10 days")

                let path = "/proc/\(program.pid)/environ"
                let file = try FileDescriptor(opening: path, O_RDONLY)
                let variables = try file.readToEnd(limit: 1 << 20, path: path)

                #expect(!variables.contains(bytes: Array(Self.key.utf8)))
                #expect(site.simulator.requests.contains { $0.query["api_key"] == Self.key })
                #expect(try await program.stop().code == 0)
            }
        }

        private func expectNoKey(in ending: Ending, _ site: Site, _ key: String = key) throws {
            #expect(!ending.output.contains(key) && !ending.errors.contains(key), "\(ending)")
            for folder in [site.root, site.home] {
                for (path, bytes) in try TreeImage(of: folder).files {
                    #expect(!bytes.contains(bytes: Array(key.utf8)), "\(path)")
                }
            }
        }

        @Test func anEmptyCredentialIsNoKey() async throws {
            try await withSite { site in
                var variables = try environment(.both, site)
                try site.write("\n", to: "credentials/nasa-api-key")
                variables["APOD_MIRROR_API_KEY"] = nil

                let ending = try await run(site, variables)

                #expect(ending.code == 0, "\(ending)")
                #expect(site.simulator.requests.allSatisfy { $0.query["api_key"] == nil })
            }
        }

        enum Damage: CaseIterable { case folder, document, fifo }

        @Test(arguments: Damage.allCases)
        func anInvalidCredentialIsReported(damage: Damage) async throws {
            try await withSite { site in
                let path = "\(site.folder)/credentials/nasa-api-key"
                _ = try Directory(opening: site.folder).makeDirectory("credentials")
                switch damage {
                case .folder: #expect(unsafe mkdir(path, 0o700) == 0)
                case .document: try site.write("<html>\nno key\n", to: "credentials/nasa-api-key")
                case .fifo: #expect(unsafe mkfifo(path, 0o600) == 0)
                }

                let ending = try await run(
                    site, ["CREDENTIALS_DIRECTORY": "\(site.folder)/credentials"])

                if damage == .fifo {
                    #expect(ending.code == 0, "an empty fifo holds nothing: \(ending)")
                } else {
                    #expect(ending.code == 2 && ending.sentences.count == 1, "\(ending)")
                    #expect(ending.errors.contains("the credential nasa-api-key"))
                }
            }
        }

        @Test(arguments: [
            "http://127.0.0.1:9/?api_key=\(key)", "http://u:\(key)@127.0.0.1:9/",
            "http://127.0.0.1:9/\(String(repeating: "a", count: 200))?api_key=\(key)",
        ])
        func aKeyInTheUpstreamIsRejectedAndNotPrinted(address: String) async throws {
            try await withSite { site in
                let ending = try await site.end("run", "--root", site.root, "--upstream", address)

                #expect(ending.code == 2 && ending.errors.contains("APOD_MIRROR_API_KEY"))
                try expectNoKey(in: ending, site)
            }
        }
    }
}
