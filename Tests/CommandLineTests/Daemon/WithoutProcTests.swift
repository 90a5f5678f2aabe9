import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// With the processes of proc(5) only.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: canHideProc)) struct WithoutProcTests {
        /// As in the unit of the package: `ProcSubset=pid` hides /proc/locks.
        @Test func theRunningDaemonIsKnownWithoutProcLocks() async throws {
            try await withSite(days: 1) { site in
                let hide = "mount --bind /dev/null /proc/locks && exec \"$@\""
                let daemon = try Program(
                    ["unshare", "-m", "bash", "-c", hide, "bash", Program.path, "run"]
                        + site.settings(), environment: ["HOME": site.home])
                _ = try await site.metrics {
                    $0.contains("complete{root=\"\(site.root)\"} 1\n") && $0.contains("next_")
                }
                let status = try await site.read("status", "--json")
                _ = try await daemon.stop()

                #expect(
                    try status.json["running"]?.integer
                        == Int(daemon.pid), "\(status)")
            }
        }
    }
}

/// Whether the tests run as root, and may mount in their own namespace.
private let canHideProc: Bool = {
    let line = "unshare -m bash -c 'mount --bind /dev/null /proc/locks'"
    return unsafe system(line) == 0 && geteuid() == 0
}()
