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
        try await withTemporaryFolder { path in
            let mirror = try EmptyFileMirror(path)
            try mirror.add(1...2)
            try mirror.saveState { state in
                state.newest = EmptyFileMirror.today
                state.lastSuccess = EmptyFileMirror.now - 60
            }
            let text = try mirror.report().metrics

            let samples = Self.samples(text)
            func value(_ name: String) -> Double? {
                samples.first { $0.name == "apod_mirror_\(name)" }?.value
            }
            #expect(value("newest_day_timestamp_seconds") == Double(20_776 * 86_400))
            #expect(value("newest_age_seconds") == Double(86_400 + 43_200))
            #expect(value("wanted") == 3 && value("complete") == 2 && value("missing") == 1)
            #expect(value("last_success_timestamp_seconds") == Double(20_777 * 86_400 + 43_140))
            #expect(value("stale") == 0 && value(#"favorites{state="held"}"#) == 0)
            #expect(value("failures_total") == 0)
            #expect(try #require(value("free_bytes")) > 0)
            #expect(value(#"build_info{version="\#(Version.current)"}"#) == 1)
            // No daemon runs: there is no watcher and no planned sync.
            #expect(!text.contains("watcher_mode") && !text.contains("next_sync"))
        }
    }

    @Test func eachMetricHasHelpTypeAndUniqueSamples() async throws {
        try await withTemporaryFolder { path in
            let text = try EmptyFileMirror(path).report().metrics

            let names = Self.samples(text).map(\.name)
            #expect(Set(names).count == names.count && !names.isEmpty)
            for name in Set(names.map { $0.prefix { $0 != "{" } }) {
                let kind = name.hasSuffix("_total") ? "counter" : "gauge"
                #expect(text.contains("# HELP \(name) "))
                #expect(text.contains("# TYPE \(name) \(kind)\n\(name)"))
            }
            #expect(text.hasSuffix("\n"))
        }
    }

    /// A combining mark and a line feed join the scalar before them to one character.
    @Test(arguments: [
        ("\"\u{301}", "\\\"\u{301}"), ("\\\u{301}", "\\\\\u{301}"), ("\r\n", "\r\\n"),
    ])
    func labelsAreEscapedScalarByScalar(value: String, escaped: String) {
        var page = Prometheus(origin: ("root", value))
        page.add("x", "X.", 1)

        #expect(
            page.text.utf8.elementsEqual(
                "# HELP apod_mirror_x X.\n# TYPE apod_mirror_x gauge\napod_mirror_x{root=\"\(escaped)\"} 1\n"
                    .utf8))
    }
}
