import Mirror
import Platform
import ProgramTesting
import Simulator

/// What the daemon writes in a day without and with a new day of NASA, which wears an SD card.
///
/// A clock that jumps to the time of each poll, see `FAULT_JUMP` in `faults.c`, makes a day last for ten seconds.
struct DailyWrites {
    private let bench: Workbench

    private static let days = 30
    /// The polls of a day whose entry is not there yet: see `Schedule`.
    private static let polls = 10

    init(_ bench: Workbench) { self.bench = bench }

    func measure() async throws -> [Goal] {
        guard Trace.isPossible, FaultShim.isPossible else {
            bench.say("files written in a day: not measured, without strace or a compiler")
            return []
        }
        try bench.announce("what a daemon writes in a day, by strace")
        let (quiet, new) = try await withSite(days: Self.days + 1) { site in
            site.simulator.newest = Site.day(1)
            let since = ["--since", "\(Self.days)d"]
            // The second run completes what the first one made from new files.
            for _ in 0..<2 {
                let run = try await site.mirror("--since", "\(Self.days)d", thumbnails: true)
                guard run.code == 0 else { throw Failure("\(run)", log: "/dev/null") }
            }
            let file = "\(site.folder)/calls"
            let variables = try await FaultShim(for: site).clocksJump(after: 1)
            let program = try Program(
                ["strace", "-f", "-y", "-s", "32", "-o", file, "-e", DiskUse.traced]
                    + variables.flatMap { ["-E", "\($0)=\($1)"] }
                    + [Program.path, "run"] + site.settings() + since,
                environment: ["HOME": site.home])
            // The first sync, its views and its verification.
            _ = try await use(from: 0, to: 5, file, site)
            let quiet = try await use(from: 5, to: 5 + Self.polls, file, site)
            site.simulator.newest = Site.today
            let new = try await use(
                from: 5 + Self.polls, to: 5 + 2 * Self.polls, file, site)
            _ = try await program.stop()
            return (quiet, new)
        }
        bench.say("without a new day: \(quiet)")
        bench.say("with a new day: \(new)")
        return [
            Goal(
                "a day without a new one: files written", unit: "", Double(quiet.files.count),
                .atMost(3)),
            Goal(
                "a day without a new one: bytes written", unit: "kB",
                Double(quiet.bytes) / 1000, .atMost(40)),
            Goal(
                "a day with a new one: files written but the picture", unit: "",
                Double(new.files.count - 1), .atMost(25)),
        ]
    }

    /// Waits until the daemon has slept `end` times; returns what it wrote since its sleep of number `start`.
    private func use(
        from start: Int, to end: Int, _ file: String, _ site: Site
    ) async throws -> DiskUse {
        while true {
            try await LoopClock().sleep(for: .seconds(1))
            let calls = try Trace(of: file).calls(on: "")
            let sleeps = [0] + calls.indices.filter { calls[$0].contains(DiskUse.sleep) }
            if sleeps.count > end {
                return DiskUse(calls[sleeps[start]..<sleeps[end]], of: site.root)
            }
        }
    }
}

/// What the calls of a trace write and open in a mirror.
private struct DiskUse: CustomStringConvertible {
    /// The files that got their names or contents, except for drafts.
    private(set) var files: Set<String> = []
    private(set) var bytes = 0
    private var syncs = 0
    private var opened = 0

    static let traced =
        "trace=write,pwrite64,fsync,fdatasync,syncfs,symlinkat,linkat,renameat,renameat2,openat2,"
        + "timerfd_settime"
    /// Of the call by which the daemon waits for its next sync, with `FAULT_JUMP=1`.
    static let sleep = "it_value={tv_sec=1, tv_nsec=1}"

    init(_ calls: ArraySlice<String>, of root: String) {
        for call in calls where call.contains("<\(root)") && !call.contains(" = -1 ") {
            if let found = call.firstMatch(of: /\sp?write(?:64)?\(\d+<([^>]*)>.* = (\d+)$/) {
                bytes += Int(found.2) ?? 0
                add("\(found.1)", root)
            } else if let found = call.firstMatch(
                of: /\s(?:rename|link)at2?\(\d+<[^>]*>, "[^"]*", \d+<([^>]*)>, "([^"]*)"/)
            {
                add("\(found.1)/\(found.2)", root)
            } else if let found = call.firstMatch(
                of: /\ssymlinkat\("[^"]*", \d+<([^>]*)>, "([^"]*)"/)
            {
                add("\(found.1)/\(found.2)", root)
            } else if call.contains("sync(") || call.contains(" syncfs(") {
                syncs += 1
            } else if call.contains(" openat2("), !call.contains("O_DIRECTORY") {
                opened += 1
            }
        }
    }

    private mutating func add(_ path: String, _ root: String) {
        let name = Layout.split(path).name
        // A draft is in `incoming/`, or beside the file that it replaces.
        let isDraft =
            path.hasPrefix("\(root)/\(Layout.incoming)/") || name.hasPrefix("\(Layout.own) ")
        if !isDraft { files.insert(path) }
    }

    var description: String {
        "\(files.count) files and \(bytes) bytes written, \(syncs) fsyncs, \(opened) files opened"
    }
}
