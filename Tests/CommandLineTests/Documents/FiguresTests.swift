import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import TestSupport
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

        /// The first alert fires for a mirror that is away, and where no number was ever written.
        @Test(.enabled(if: hasPromtool)) func prometheusKnowsTheDocumentedAlerts() async throws {
            let lines = try Document("docs/integrations.md").block(with: "apod_mirror_up")
                .split(separator: "\n")
            #expect(lines.count == 4)
            let rules = lines.enumerated().map { "  - { alert: A\($0), expr: '\($1)' }" }
            func test(_ series: String, _ labels: String) -> String {
                """
                - interval: 1m
                  input_series: [\(series)]
                  alert_rule_test: [{ eval_time: 1m, alertname: A0, exp_alerts: [\(labels)] }]

                """
            }
            try await withTemporaryFolder { folder in
                let directory = try Directory(opening: folder)
                let files = [
                    "rules": "groups:\n- name: apod\n  rules:\n"
                        + rules.joined(separator: "\n"),
                    "tests": "rule_files: [rules]\ntests:\n" + test("", "{}")
                        + test("{ series: 'apod_mirror_up{root=\"/a\"}', values: '1 1' }", "")
                        + test(
                            "{ series: 'apod_mirror_up{root=\"/a\"}', values: '1 0' }",
                            "{ exp_labels: { root: /a } }"),
                ]
                for (name, text) in files {
                    try AtomicFile.publish(
                        Array(text.utf8), in: directory, as: name, through: directory)
                }

                let ending = try await Program.run(["promtool", "test", "rules", "\(folder)/tests"])

                #expect(ending.code == 0, "\(ending)")
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
