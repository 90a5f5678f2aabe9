import APOD
import Mirror
import Platform
import Simulator
import Testing

extension WholeProgram {
    /// What a poll that finds nothing new does, as strace(1) shows it.
    @Suite(.timeLimit(.minutes(10)), .enabled(if: Trace.isPossible && FaultShim.isPossible))
    struct QuietPollTests {
        private static let days = 40

        /// By a clock that is two days behind, the time of the next poll has always come: the daemon polls without a pause.
        @Test func aPollThatFindsNothingNewIsOneRequestAndReadsTheNewestRecords() async throws {
            try await withSite(days: Self.days) { site in
                let options = ["--since", "\(Self.days)d"]
                let first = try await site.mirror("--since", "\(Self.days)d", thumbnails: true)
                #expect(first.code == 0, "\(first)")
                let shim = try await FaultShim(for: site)
                let file = "\(site.folder)/calls"
                let clock = shim.clock(ahead: -2 * 86_400).flatMap { ["-E", "\($0)=\($1)"] }
                let strace = Trace.prefix(to: file, tracing: Self.traced)
                let program = try Program(
                    strace + clock + [Program.path, "run"] + site.settings() + options,
                    environment: ["HOME": site.home])
                // The first sync walks over the tree, and the views and the daily verification follow it.
                let poll: QuietPoll = try await polled {
                    // strace(1) may not have made the file yet.
                    guard let trace = try? Trace(of: file) else { return nil }
                    let poll = QuietPoll(trace.calls(on: ""), root: site.root)
                    return poll.violations == [] ? poll : nil
                }
                let ending = try await program.stop()

                let newest = (0..<25).map { "\(site.root)/\(Layout.recordPath(of: Site.day($0)))" }
                #expect(poll.records.isSubset(of: newest) && !poll.records.isEmpty)
                let others = site.simulator.requests.suffix(10).filter { $0.kind != .newest }
                #expect(others.isEmpty, "\(others)")
                #expect(ending.errors.contains("mirroring "), "\(ending)")
            }
        }

        private static let traced =
            "open,openat,openat2,getdents64,sendto,write,pwrite64,fsync,fdatasync,syncfs,mkdirat,"
            + "symlinkat,linkat,unlinkat,renameat,renameat2,utimensat"
    }
}

/// The calls from the last request of a trace but ten to the last one.
private struct QuietPoll {
    /// The records that were opened.
    private(set) var records: Set<String> = []
    /// The calls that open directories with days, open other files there, or change the mirror; a sentence if there are no
    /// ten polls yet.
    private(set) var violations: [String] = []

    private static let polls = 10
    private static let changes = [
        " mkdirat(", " symlinkat(", " linkat(", " renameat(", " renameat2(", " unlinkat(",
        " utimensat(", " fsync(", " fdatasync(", " syncfs(", " write(", " pwrite64(",
    ]

    init(_ calls: [String], root: String) {
        let requests = calls.indices.filter { calls[$0].contains("\"GET /") }
        guard requests.count > Self.polls, let last = requests.last else {
            violations = ["only \(requests.count) requests were sent"]
            return
        }
        let folders = [Layout.metadata, Layout.pictures, "gallery"].map { "\(root)/\($0)" }
        for call in calls[requests[requests.count - Self.polls]..<last] {
            if let path = Self.openedPath(call) {
                let isOfDays = folders.contains { path == $0 || path.hasPrefix("\($0)/") }
                if isOfDays, path.hasPrefix("\(folders[0])/"), path.hasSuffix(".json") {
                    records.insert(path)
                } else if isOfDays || call.contains("O_CREAT") {
                    violations.append(call)
                }
            } else if call.contains("<\(root)"), Self.isChange(call, folders) {
                violations.append(call)
            }
        }
    }

    /// The path that the call opens: relative to the directory of a descriptor, or absolute.
    private static func openedPath(_ call: String) -> String? {
        guard let found = call.firstMatch(of: /\sopen(?:at2?)?\((?:\w*<([^>]*)>, )?"([^"]*)"/)
        else {
            return nil
        }
        return found.2.hasPrefix("/") ? "\(found.2)" : "\(found.1 ?? "")/\(found.2)"
    }

    /// Whether the call changes a file or a name in the mirror, or lists a directory with days.
    private static func isChange(_ call: String, _ folders: [String]) -> Bool {
        if call.contains(" getdents64(") { return folders.contains { call.contains("<\($0)") } }
        return !call.contains(" = -1 ") && changes.contains { call.contains($0) }
    }
}
