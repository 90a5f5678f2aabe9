import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// `status --metrics`, and what it reads of a running daemon.
    @Suite(.timeLimit(.minutes(10))) struct FiguresTests {
        private static let hasPromtool = unsafe system("command -v promtool >/dev/null 2>&1") == 0

        @Test(.enabled(if: hasPromtool)) func promtoolReportsNoErrorInTheMetrics() async throws {
            try await withMirroredSite { site in
                let ending = try await site.shell(
                    "\(Program.path) status --metrics | promtool check metrics")

                #expect(ending.code == 0 && ending.output + ending.errors == "", "\(ending)")
            }
        }

        /// Root hides /proc/locks from the daemon, as `ProcSubset=pid` in the unit of the package does.
        private static let hiding =
            unsafe system("unshare -m mount --bind /dev/null /proc/locks 2>/dev/null") == 0
            ? [
                "unshare", "-m", "sh", "-c", "mount --bind /dev/null /proc/locks && exec \"$@\"",
                "sh",
            ]
            : []

        @Test func theMetricsOfTheRunningDaemonAreRead() async throws {
            try await withSite { site in
                let program = try Program(
                    Self.hiding + [Program.path, "run", "--limit-rate", "64m"] + site.settings(),
                    environment: ["HOME": site.home])
                _ = try await site.metrics {
                    $0.contains("complete{root=\"\(site.root)\"} 10\n")
                        && $0.contains("next_sync_timestamp_seconds{")
                }
                let status = try await site.read("status", "--json")
                let text = try await site.read("status")
                try Directory(opening: "\(site.root)/favorites").symlink(
                    "x.jpg", to: "../latest.jpg")
                _ = try await site.metrics {
                    $0.contains("favorites_kept{root=\"\(site.root)\"} 1\n")
                }
                let ending = try await program.stop()

                #expect(ending.code == 0, "\(ending)")
                let json = try status.json
                #expect(json["running"]?.integer == Int(program.pid), "\(status)")
                #expect(json["watcher"]?["mode"] == "events")
                #expect(json["limit_rate"]?.integer == 64 << 20)
                #expect(text.output.contains("\nlimit rate  64m\n"), "\(text)")
                #expect(json["next_sync"]?.string?.hasSuffix("Z") == true)
                #expect(json["health"] == "ok")
                let after = try await site.read("status", "--json")
                let ended = try after.json
                #expect(ended["watcher"] == .null && ended["limit_rate"] == .null)
            }
        }
    }
}

extension Site {
    /// Waits until `status --metrics` fulfils `condition`; returns its text.
    func metrics(until condition: (String) -> Bool) async throws -> String {
        while true {
            let text = try await read("status", "--metrics").output
            if condition(text) { return text }
        }
    }
}
