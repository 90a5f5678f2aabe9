import APOD
import FoundationEssentials
import Glibc
import Mirror
import Platform
import TestSupport
import Testing
import Transfer

@testable import Service

@Suite(.timeLimit(.minutes(10))) struct MetricsTests {
    /// The samples of a page: the name with its labels but for the root, and the value.
    private static func samples(_ text: String) -> [(name: String, value: Double?)] {
        text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let parts = line.split(separator: " ")
            let name = parts.dropLast().joined(separator: " ")
                .replacing(/root="[^"]*",?/, with: "").replacing("{}", with: "")
            return (name, parts.last.flatMap { Double($0) })
        }
    }

    @Test func theMetricsMatchTheReport() async throws {
        try await withEmptyMirror { mirror, _ in
            try mirror.add(1...2)
            try mirror.saveState { state in
                state.newest = EmptyFileMirror.today
                state.lastSuccess = EmptyFileMirror.now - 60
            }
            let text = try mirror.report().metrics(endingWith: 3)

            let samples = Self.samples(text)
            func value(_ name: String) -> Double? {
                samples.first { $0.name == "apod_mirror_\(name)" }?.value
            }
            #expect(value("newest_timestamp_seconds") == Double(20_776 * 86_400))
            #expect(value("newest_age_seconds") == Double(86_400 + 43_200))
            #expect(value("wanted") == 3 && value("complete") == 2 && value("missing") == 1)
            #expect(value("last_success_timestamp_seconds") == Double(20_777 * 86_400 + 43_140))
            #expect(value("up") == 1 && value("exit_code") == 3)
            #expect(value("stale") == 0 && value("favorites_held") == 0)
            #expect(try #require(value("free_bytes")) > 0)
            // No daemon runs: there is no watcher and no planned sync.
            #expect(!text.contains("next_sync"))
        }
    }

    /// As while the daemon is stopped, or may not write the records.
    @Test func aFavoriteWithoutARecordIsCounted() async throws {
        try await withEmptyMirror { mirror, _ in
            try mirror.tree.root.makeDirectory("favorites").symlink(
                "x", to: "../pictures/2026/2026-11/2026-11-19 X.jpg")

            let text = try mirror.report().metrics(endingWith: 3)

            let sample = Self.samples(text).first { $0.name == "apod_mirror_favorites_new" }
            #expect(sample?.value == 1)
        }
    }

    @Test func eachMetricHasHelpTypeAndUniqueSamples() async throws {
        try await withEmptyMirror { mirror, _ in
            try mirror.add(1...2)
            try mirror.saveState { state in
                state.newest = EmptyFileMirror.today
                state.lastSuccess = EmptyFileMirror.now - 60
            }
            let text = try mirror.report().metrics(endingWith: 3)

            let names = Self.samples(text).map(\.name)
            #expect(Set(names).count == names.count && !names.isEmpty)
            for name in Set(names.map { $0.prefix { $0 != "{" } }) {
                let help = StatusReport.help["\(name.dropFirst("apod_mirror_".count))"]
                #expect(help != nil && text.contains("# HELP \(name) \(help ?? "")\n"), "\(name)")
                #expect(text.contains("# TYPE \(name) gauge\n\(name)"))
            }
            #expect(text.hasSuffix("\n"))
        }
    }

    /// A combining mark joins the scalar before it to one character.
    @Test func labelsAreEscapedScalarByScalar() async throws {
        try await withTemporaryFolder { path in
            let text = try EmptyFileMirror("\(path)/\"\u{301}\\\u{301}\n").report().metrics(
                endingWith: 3)

            #expect(text.contains("/\\\"\u{301}\\\\\u{301}\\n\"} "), "\(text)")
        }
    }
}
