import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    @Suite(.timeLimit(.minutes(10))) struct DoctorCommandTests {
        private static func results(_ ending: Ending) throws -> [String: String] {
            let checks = try ending.json["checks"]?.elements ?? []
            return Dictionary(
                uniqueKeysWithValues: checks.map {
                    #expect($0.members.map(\.key) == ["name", "result", "message", "remedy"])
                    return ($0["name"]?.string ?? "", $0["result"]?.string ?? "")
                })
        }

        /// The options and variables of the service are not those of a shell.
        ///
        /// `service.json` has no key, as everybody may read it; the file of a service has what its user may read.
        @Test func doctorUsesTheFeedAndTheKeyOfTheServiceAndDoesNotPrintIt() async throws {
            try await withSite { site in
                let address = "\(site.simulator.basicAddress)?api_key=secret"
                _ = try await site.mirror("--upstream", address)
                site.simulator.resetLog()
                let before = try await site.read("doctor", "--json")
                #expect(try Self.results(before)["nasa"] == "ok", "\(before)")
                #expect(!site.simulator.requests.isEmpty)
                try site.write(
                    """
                    #APOD_MIRROR_UPSTREAM=https://example.org/
                    APOD_MIRROR_ROOT=\(site.root)
                     APOD_MIRROR_UPSTREAM="\(address)"

                    """, to: "home/.config/apod-mirror/environment")
                site.simulator.resetLog()

                let ending = try await site.read("doctor", "--json")

                let requests = site.simulator.requests
                #expect(try Self.results(ending)["nasa"] == "ok", "\(ending)")
                #expect(!requests.isEmpty)
                #expect(requests.allSatisfy { $0.query["api_key"] == "secret" })
                #expect(!(ending.output + ending.errors).contains("secret"))
            }
        }

        // MARK: As others

        @Test(.enabled(if: mayBecomeOthers)) func doctorNamesTheUserWhoMayWrite() async throws {
            try await withMirroredSite { site in
                unsafe chmod(site.folder, 0o755)
                let ending = try await site.shell(
                    "setpriv --reuid=65534 --clear-groups \(Program.path) doctor --offline --json")

                #expect(ending.code == 0, "\(ending)")
                let results = try Self.results(ending)
                #expect(results["write"] == "note" && results["fsync"] == nil)
                #expect(results["space"] == "ok")
                #expect(
                    ending.output.contains("sudo -u root apod-mirror doctor --root \(site.root)"))
            }
        }

        /// After a restore as root, nobody else may write either, so that a run as the owner, root, would find nothing.
        @Test(.enabled(if: mayBecomeOthers))
        func theUserOfAFailedDaemonIsToldToBecomeTheOwner() async throws {
            try await withMirroredSite { site in
                unsafe chmod(site.folder, 0o755)
                let user =
                    "setpriv --reuid=65534 --clear-groups env XDG_STATE_HOME='\(site.folder)/s'"
                let daemon = try await site.shell(
                    """
                    mkdir -m 777 '\(site.folder)/s'
                    \(user) \(Program.path) run
                    """)
                let ending = try await site.shell("\(user) \(Program.path) doctor --offline --json")

                #expect(daemon.code == 4, "\(daemon)")
                #expect(ending.code == 1, "\(ending)")
                #expect(try Self.results(ending)["write"] == "problem", "\(ending)")
                #expect(ending.output.contains("chown -R "), "\(ending)")
            }
        }

        /// Nothing is refused to root, who would be told that all is well.
        @Test(.enabled(if: mayBecomeOthers)) func rootIsToldToRunTheChecksAsTheOwner() async throws
        {
            try await withMirroredSite { site in
                let owned = try await site.shell("chown -R 65534 '\(site.root)'")
                #expect(owned.code == 0, "\(owned)")

                let ending = try await site.read("doctor", "--offline", "--json")

                #expect(ending.code == 0, "\(ending)")
                #expect(try Self.results(ending)["write"] == "note", "\(ending)")
                #expect(ending.output.contains(" apod-mirror doctor --root \(site.root)"))
            }
        }

        @Test(.enabled(if: mayMountInNamespace)) func aReadOnlyFileSystemIsAProblem() async throws {
            try await withMirroredSite { site in
                let ending = try await site.shell(
                    "unshare -m bash -c 'mount --bind $APOD_MIRROR_ROOT $APOD_MIRROR_ROOT"
                        + " && mount -o remount,ro,bind $APOD_MIRROR_ROOT"
                        + " && \(Program.path) doctor --offline --json'")

                #expect(ending.code == 1, "\(ending)")
                #expect(try Self.results(ending)["write"] == "problem")
                #expect(ending.output.contains("read-only"))
            }
        }
    }
}
