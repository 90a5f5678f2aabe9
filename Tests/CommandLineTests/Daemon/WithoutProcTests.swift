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

        /// As in the unit of the package: `ProcSubset=pid` hides /proc/locks.
        @Test func theRunningDaemonIsKnownWithoutProcLocks() async throws {
            try await withSite(days: 1) { site in
                let daemon = try program(
                    ["run"] + site.settings(), site,
                    mount: "mount --bind /dev/null /proc/locks")
                let text = try await site.metrics {
                    $0.contains("complete{root=\"\(site.root)\"} 1\n") && $0.contains("next_")
                }
                let status = try await site.read("status", "--json")
                _ = try await daemon.stop()

                #expect(text.contains("watcher_mode"))
                #expect(
                    try status.json["running"]?.integer
                        == Int(daemon.pid), "\(status)")
            }
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
    }
}

/// Whether the tests run as root, and may mount in their own namespace.
private let canHideProc: Bool = {
    let line =
        "unshare -m bash -c 'mount --bind /dev/null /proc/locks && mount -t tmpfs none /proc'"
    return unsafe system(line) == 0 && geteuid() == 0
}()
