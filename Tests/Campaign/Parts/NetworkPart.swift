import APOD
import Platform
import ProgramTesting
import Simulator
import TestSupport

/// Lets the simulator send wrong responses during the command, then correct ones.
///
/// Cases mostly wait, so some run at once, each with its own simulator.
enum NetworkPart: Part {
    static let name = "network"

    private static let faults = wrong + unrequested + lists + redirects + pauses + statuses + cuts
    private static let wrong: [Fault] = [
        .refuse, .hang, .slow(bytesPerSecond: 2000), .wrongLength, .hugeHeaders, .html, .notFound,
        .redirectLoop, .empty, .wrongDay, .placeholder, .hugeBody(bytes: 9 << 20, of: [0x20]),
        .hugeBody(bytes: 1 << 20, of: [0xFF, 0xD8]),
    ]
    /// Unexpected statuses and headers.
    private static let unrequested: [Fault] = [
        .verbatim(status: 206, headers: ["Content-Range": "bytes 5-9/100"], body: [1, 2, 3, 4, 5]),
        .verbatim(status: 206, headers: [:], body: [0xFF, 0xD8, 0xFF]),
        .verbatim(status: 200, headers: ["Content-Encoding": "gzip"], body: [0x1F, 0x8B, 8, 0]),
        .verbatim(status: 204, headers: [:], body: []),
        .verbatim(status: 416, headers: ["Content-Range": "bytes */1"], body: []),
        .verbatim(status: 304, headers: [:], body: []),
    ]
    private static let lists: [Fault] = [
        "{}", "[]", "[{}]", "null", "{\"code\":\"rest_no_route\",\"message\":\"no\"}",
    ].map { Fault.json($0) }
    /// The last two, and loops, get the same response as the first request.
    private static let redirects: [Fault] = [
        "file:///etc/passwd", "http://127.0.0.1:9/", "http://10.0.0.1/", "gopher://x/", "//", "/",
        "", "?again",
    ].map { Fault.redirect(to: $0) }
    private static let pauses: [Fault] = [
        "0", "1", "-1", "Fri, 01 Jan 1999 00:00:00 GMT", "soon", "99999999999999999999",
    ].map { Fault.throttled(retryAfter: $0) }
    private static let statuses: [Fault] = [400, 401, 403, 410, 500, 502, 503, 504].map {
        Fault.status($0, body: nil)
    }
    /// Cut at every sixteenth of a picture of about 1 kB.
    private static let cuts: [Fault] = (0..<16).map { Fault.truncated(after: $0 * 64) }

    private static var targets: [(name: String, target: Target)] {
        [
            ("lists", .lists), ("files", .media), ("originals", .originals),
            ("one day", .day(Site.day(1))),
        ]
    }

    private struct Case: Sendable {
        let fault: Fault
        let name: String
        let target: Target

        /// Whether NASA says that it has no original: then the copy of another address is complete.
        ///
        /// The simulator has nothing at “/”.
        var isAbsentOriginal: Bool {
            guard target == .originals else { return false }
            return switch fault {
            case .notFound, .status(404, _), .status(410, _), .redirect(to: "/"): true
            default: false
            }
        }
    }

    private static let workers = 8
    private static let mostMemory = 100 << 20
    private static let options = ["--since", "4d", "--thumbnails", "no", "--videos"]

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        let bomb = try await gzipBomb()
        let cases = (faults + bomb).flatMap { fault in
            targets.map { Case(fault: fault, name: $0.name, target: $0.target) }
        }.filter { !$0.isAbsentOriginal }
        let queue = Monitor(
            Array(cases.shuffled(using: &trials.random).prefix(trials.left)))
        let end = ContinuousClock.now.advanced(by: .seconds(trials.secondsLeft))
        try await withThrowingTaskGroup(of: [(Case, [String])].self) { group in
            for _ in 0..<workers { group.addTask { try await play(queue, until: end) } }
            for try await results in group {
                for (item, violations) in results {
                    trials.record(
                        violations, in: "\("\(item.fault)".prefix(200)) for \(item.name)")
                }
            }
        }
        if trials.count >= cases.count { trials.add(1, to: "passes over all cases") }
    }

    /// Runs cases of the queue, at least one, until it is empty or the time is over; returns the violations of each.
    private static func play(
        _ queue: Monitor<[Case]>, until end: ContinuousClock.Instant
    ) async throws -> [(Case, [String])] {
        try await withRig { rig in
            let folder = rig.site.folder
            try rig.site.addVideo()
            try await rig.sync("\(folder)/before", options + ["--since", "2d"])
            try await rig.copy("\(folder)/before", to: "\(folder)/whole")
            try await rig.sync("\(folder)/whole", options)
            let before = try rig.site.tree("\(folder)/before")
            let oracle = Oracle(
                whole: try rig.site.tree("\(folder)/whole"), earlier: [before],
                allowsPartialRecords: true, canary: rig.canary)
            var results: [(Case, [String])] = []
            while results.isEmpty || ContinuousClock.now < end,
                let item = queue.withLock({ $0.popLast() })
            {
                try await rig.copy("\(folder)/before", to: "\(folder)/trial")
                results.append((item, try await violations(of: item, rig, oracle, before)))
            }
            return results
        }
    }

    /// Half a gigabyte of zeros, compressed to half a megabyte; empty without gzip(1).
    private static func gzipBomb() async throws -> [Fault] {
        try await withTemporaryFolder(inMemory: true) { folder in
            let shell = "head -c 512M /dev/zero | gzip >'\(folder)/bomb'"
            let ending = try await Program(["sh", "-c", shell], environment: [:]).end()
            let bytes = try Directory(opening: folder).read("bomb", limit: 4 << 20)
            guard ending.code == 0, let bytes else { return [] }
            let types = ["application/json", "text/html; charset=UTF-8"]
            return types.map { type in
                .verbatim(
                    status: 200, headers: ["Content-Encoding": "gzip", "Content-Type": type],
                    body: bytes)
            }
        }
    }

    private static func violations(
        of item: Case, _ rig: Rig, _ oracle: Oracle, _ before: TreeImage
    ) async throws -> [String] {
        let root = "\(rig.site.folder)/trial"
        let simulator = rig.site.simulator
        simulator.inject(item.fault, on: item.target, times: nil)
        let program = try rig.start(["run", "--once", "-q"], root, options)
        let release = Task {
            // Hanging and stalling requests continue by themselves after a while.
            try? await Task.sleep(for: .seconds(2))
            while !Task.isCancelled {
                simulator.release()
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
        let faulty = try await program.end()
        release.cancel()
        await rig.site.simulator.releaseRequests()

        let half = try rig.site.tree(root)
        var violations = oracle.violations(
            in: half,
            after: .init(
                days: before.complete, favorites: [], possibleFavorites: [], tree: before))
        violations += oracle.violations(of: faulty, in: half)
        if faulty.peakMemory > mostMemory {
            violations.append("\(faulty.peakMemory >> 20) MB were in memory")
        }
        // A pause that a server requested is respected; a repeated command waits for no other delay.
        if case .throttled = item.fault { return violations }
        simulator.resetLog()
        // A picture from another address is here: its original is due an hour later.
        let isLater = item.target == .originals
        let clean = try await rig.run(
            ["run", "--once", "-q"], root, options,
            isLater ? rig.shim.clock(ahead: 2 * 3600) : [:])
        violations += oracle.violations(
            in: try rig.site.tree(root), afterCleanStart: clean, from: half, simulator.requests)
        if !violations.isEmpty { violations.append("the faulty run: \(faulty)") }
        return violations
    }
}
