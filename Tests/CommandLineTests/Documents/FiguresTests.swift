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
        private static func value(_ name: String, in text: String) -> Int? {
            text.replacing(/root="[^"]*",?/, with: "").replacing("{}", with: "")
                .split(separator: "\n").first { $0.hasPrefix("apod_mirror_\(name) ") }
                .flatMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        }

        private static let hasPromtool = unsafe system("command -v promtool >/dev/null 2>&1") == 0

        @Test func failuresAreCountedFromRunToRun() async throws {
            try await withSite { site in
                let (gone, nonsense) = (Site.day(2), Site.day(3))
                site.simulator.inject(.notFound, on: .mediaOf(gone), times: nil)
                site.simulator.inject(.html, on: .mediaOf(nonsense), times: nil)
                _ = try await site.mirror()
                let first = try await site.read("status", "--metrics")
                site.simulator.inject(.refuse, on: .lists, times: nil)
                _ = try await site.mirror()
                let second = try await site.read("status", "--metrics")

                #expect(first.code == 3 && first.errors == "", "\(first)")
                let failures = try #require(Self.value("failures_total", in: first.output))
                #expect(failures >= 2)
                #expect(try #require(Self.value("failures_total", in: second.output)) > failures)
                #expect(Self.value("missing", in: first.output) == 2)
                #expect(Self.value("complete", in: first.output) == 8)
                let requests = try #require(Self.value("requests_total", in: first.output))
                #expect(requests >= 11)
                #expect(try #require(Self.value("requests_total", in: second.output)) > requests)
                let bytes = try site.tree().pictures.count
                #expect(try #require(Self.value("received_bytes_total", in: first.output)) > bytes)
            }
        }

        @Test(.enabled(if: hasPromtool)) func promtoolReportsNoErrorInTheMetrics() async throws {
            try await withMirroredSite { site in
                let ending = try await site.shell(
                    "\(Program.path) status --metrics | promtool check metrics")

                #expect(ending.code == 0 && ending.output + ending.errors == "", "\(ending)")
            }
        }

        @Test func theMetricsOfTheRunningDaemonAreRead() async throws {
            try await withSite { site in
                let program = try site.start(["run", "--limit-rate", "64m"] + site.settings())
                let metrics = try await site.metrics {
                    $0.contains("complete{root=\"\(site.root)\"} 10\n")
                        && $0.contains("next_sync_timestamp_seconds{")
                }
                let status = try await site.read("status", "--json")
                let text = try await site.read("status")
                try Directory(opening: "\(site.root)/favorites").symlink(
                    "x.jpg", to: "../latest.jpg")
                _ = try await site.metrics { $0.contains("state=\"kept\"} 1\n") }
                let ending = try await program.stop()

                #expect(ending.code == 0, "\(ending)")
                #expect(metrics.contains("mode=\"events\"} 1\n"))
                let json = try status.json
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
