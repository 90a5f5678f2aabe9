import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// Without proc(5), or with processes only.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: canHideProc)) struct WithoutProcTests {
        /// Runs apod-mirror in a mount namespace after the commands `mount`.
        private func program(
            _ words: [String], _ site: Site, mount: String = "mount -t tmpfs none /proc"
        ) throws -> Program {
            try Program(
                [
                    "unshare", "-m", "bash", "-c", "\(mount) && exec \"$@\"", "bash", Program.path,
                ] + words, environment: ["HOME": site.home])
        }

        @Test func argumentsAreReadWithoutProc() async throws {
            try await withSite(days: 1) { site in
                let once = try await program(["run", "--once"] + site.settings(), site).end()
                let status = try await program(
                    ["status", "--json", "--root", site.root], site
                ).end()
                let nonsense = try await program(["nonsense"], site).end()

                #expect(try site.tree().complete == [Site.today], "\(once)")
                #expect(
                    try JSON(parsing: Array(status.output.utf8))["newest"]?.string
                        == "\(Site.today)", "\(status)")
                #expect(nonsense.code == 2, "\(nonsense)")
            }
        }

        @Test func thumbnailsAreMade() async throws {
            try await withSite(days: 1) { site in
                let words = ["run", "--once"] + site.settings() + ["--since", "1d"]
                let ending = try await program(words, site).end()

                #expect(ending.code == 0, "\(ending)")
                let thumbnail = Layout.thumbnail(of: Site.today)
                #expect(try site.tree().files[thumbnail] != nil, "\(ending)")
            }
        }

        @Test func favoritesAreRecorded() async throws {
            try await withSite(days: 1) { site in
                _ = try await site.mirror()

                let add = try await program(
                    ["favorites", "add", "latest", "--root", site.root], site
                ).end()
                let list = try await program(
                    ["favorites", "list", "--json", "--root", site.root], site
                ).end()

                #expect(add.code == 0 && list.output.contains("\(Site.today)"), "\(add) \(list)")
            }
        }

        /// As in the unit of the package: `ProcSubset=pid` hides /proc/locks.
        @Test func theRunningDaemonIsKnownWithoutProcLocks() async throws {
            try await withSite(days: 1) { site in
                let daemon = try program(
                    ["run", "--metrics-file", "\(site.folder)/apod.prom"] + site.settings(), site,
                    mount: "mount --bind /dev/null /proc/locks")
                let text = try await site.text(of: "apod.prom") {
                    $0.contains("complete{root=\"\(site.root)\"} 1\n") && $0.contains("next_")
                }
                let status = try await site.read("status", "--json")
                daemon.signal(SIGTERM)
                _ = try await daemon.end()

                #expect(text.contains("watcher_mode"))
                #expect(
                    try JSON(parsing: Array(status.output.utf8))["running"]?.integer
                        == Int(daemon.pid), "\(status)")
            }
        }
    }
}

/// Whether the tests run as root, and may mount in their own namespace.
private let canHideProc: Bool = {
    let line =
        "unshare -m bash -c 'mount --bind /dev/null /proc/locks && mount -t tmpfs none /proc'"
    return unsafe system(line) == 0 && geteuid() == 0
}()
