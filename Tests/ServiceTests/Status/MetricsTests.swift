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
            #expect(value(#"failures_total{kind="no_space"}"#) == 0)
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

    // MARK: The file

    @Test func theMetricsFileIsReplacedAndWorldReadable() async throws {
        try await withTemporaryFolder { path in
            let before = umask(0o077)
            defer { umask(before) }
            let file = try MetricsFile("\(path)/apod.prom", root: "/nowhere")
            let folder = try Directory(opening: path)

            try file.write("# HELP apod_mirror_x 1\n")
            try file.write("# HELP apod_mirror_x 2\n")

            #expect(try folder.read("apod.prom") == Array("# HELP apod_mirror_x 2\n".utf8))
            #expect(try folder.textNames() == ["apod.prom"])
            var status = stat()
            #expect(unsafe stat("\(path)/apod.prom", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o644)
        }
    }

    enum Trap: String, CaseIterable {
        case directory, link, device, fifo, foreign, inTree, noDirectory
    }

    @Test(arguments: Trap.allCases)
    func aForeignMetricsFileIsNeverReplaced(trap: Trap) async throws {
        try await withTemporaryFolder { path in
            let folder = try Directory(opening: path)
            try Self.lay(trap, in: folder)
            let before = try folder.status("x")
            let place = trap == .noDirectory ? "\(path)/none" : trap == .device ? "/dev" : path
            let name = trap == .device ? "null" : "x"
            let root = trap == .inTree ? path : "/nowhere"

            #expect(throws: OutputFile.Refusal.self) {
                _ = try MetricsFile("\(place)/\(name)", root: root)
            }
            #expect(try folder.status("x") == before)
            #expect(try folder.textNames().filter { $0 != "x" } == [])
        }
    }

    private static func lay(_ trap: Trap, in folder: Directory) throws {
        switch trap {
        case .directory: _ = try folder.makeDirectory("x")
        case .link: try folder.symlink("x", to: "/etc/passwd")
        case .fifo: unsafe mkfifo("\(folder.path)/x", 0o600)
        case .foreign:
            try folder.open("x", O_WRONLY | O_CREAT).write(Array("mine".utf8), path: "x")
        case .device, .inTree, .noDirectory: break
        }
    }

    /// A process was killed between the two steps.
    @Test func leftoversOfAKilledProcessAreRemoved() async throws {
        try await withTemporaryFolder { path in
            let folder = try Directory(opening: path)
            for name in [".apod.prom.part 1f", ".apod.prom.partial"] {
                try folder.open(name, O_WRONLY | O_CREAT).write(Array("half".utf8), path: path)
            }

            _ = try MetricsFile("\(path)/apod.prom", root: "/nowhere")

            // Another name is a file of the user.
            #expect(try folder.textNames() == [".apod.prom.partial"])
        }
    }

    @Test func theMetricsFileOfAnotherMirrorIsNotReplaced() async throws {
        try await withTemporaryFolder { path in
            let folder = try Directory(opening: path)
            let first = try EmptyFileMirror("\(path)/a \"\\")
            let root = first.tree.root.path
            try MetricsFile("\(path)/x.prom", root: root).write(first.report().metrics)
            let before = try folder.read("x.prom")

            #expect(throws: OutputFile.Refusal.self) {
                _ = try MetricsFile("\(path)/x.prom", root: "\(path)/b")
            }
            #expect(try folder.read("x.prom") == before)
            // The mirror itself, and the mirror after it was moved.
            _ = try MetricsFile("\(path)/x.prom", root: root)
            #expect(unsafe rename(root, "\(path)/b") == 0)
            _ = try MetricsFile("\(path)/x.prom", root: "\(path)/b")
        }
    }
}
