import Glibc
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// A key of the old feed goes to that feed, and nowhere else.
    @Suite(.timeLimit(.minutes(1))) struct APIKeyTests {
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
                ], environment: environment
            ).end()
        }

        @Test(arguments: Source.allCases) func itIsSentAndNeverShown(source: Source) async throws {
            try await withSite { site in
                let ending = try await run(site, try environment(source, site))

                #expect(ending.code == 0, "\(ending)")
                let asked = site.simulator.requests.filter { $0.kind == .v1 }
                #expect(!asked.isEmpty && asked.allSatisfy { $0.query["api_key"] == Self.key })
                let others = site.simulator.requests.filter { $0.kind != .v1 }
                #expect(!others.isEmpty && others.allSatisfy { $0.query["api_key"] == nil })
                try expectNoKey(in: ending, site)
            }
        }

        @Test(arguments: [
            Fault.status(403, body: "\(key) is no key"), .html, .refuse,
            .redirect(to: "/elsewhere?api_key=\(key)"),
        ])
        func itIsInNoError(fault: Fault) async throws {
            try await withSite { site in
                site.simulator.inject(fault, on: .any, times: nil)

                let ending = try await run(site, try environment(.credential, site))

                #expect(ending.code != 0 && ending.errors != "", "\(ending)")
                try expectNoKey(in: ending, site)
                try expectNoKey(in: try await site.read("status", "--json"), site)
            }
        }

        private func expectNoKey(in ending: Ending, _ site: Site) throws {
            #expect(!ending.output.contains(Self.key) && !ending.errors.contains(Self.key))
            for folder in [site.root, site.home] {
                for (path, bytes) in try TreeImage(of: folder).files {
                    #expect(!String(decoding: bytes, as: UTF8.self).contains(Self.key), "\(path)")
                }
            }
        }

        @Test func anEmptyCredentialIsNone() async throws {
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
        func aCredentialThatIsNoneIsSaidInASentence(damage: Damage) async throws {
            try await withSite { site in
                let path = "\(site.folder)/credentials/nasa-api-key"
                _ = try Folder(opening: site.folder).makeFolder("credentials")
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

        @Test(arguments: ["http://127.0.0.1:9/?api_key=\(key)", "http://u:\(key)@127.0.0.1:9/"])
        func aKeyInTheAddressIsRefusedAndNotRepeated(address: String) async throws {
            try await withSite { site in
                let ending = try await site.end("run", "--root", site.root, "--upstream", address)

                #expect(ending.code == 2 && ending.errors.contains("APOD_MIRROR_API_KEY"))
                try expectNoKey(in: ending, site)
            }
        }
    }
}
