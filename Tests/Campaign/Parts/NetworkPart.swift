import APOD
import ProgramTesting
import Simulator

/// Lets NASA answer wrongly, as long as the command runs, then rightly.
enum NetworkPart: Part {
    static let name = "network"

    private static let faults = wrong + unrequested + lists + redirects + pauses + statuses + cuts
    private static let wrong: [Fault] = [
        .refuse, .hang, .slow(bytesPerSecond: 2000), .wrongLength, .hugeHeaders, .html, .notFound,
        .redirectLoop, .empty, .wrongDay, .placeholder, .hugeBody(bytes: 9 << 20, of: [0x20]),
        .hugeBody(bytes: 1 << 20, of: [0xFF, 0xD8]),
    ]
    /// Statuses and headers that nobody asked for.
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
    private static let redirects: [Fault] = [
        "file:///etc/passwd", "http://127.0.0.1:9/", "http://10.0.0.1/", "gopher://x/", "//", "",
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
            ("lists", .lists), ("files", .media), ("one day", .day(Site.today.advanced(by: -1))),
        ]
    }

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        try await withRig { rig in
            let folder = rig.site.folder
            let options = ["--since", "4d", "--thumbnails", "no"]
            try rig.site.addVideo()
            try await rig.sync("\(folder)/before", ["--since", "2d", "--thumbnails", "no"])
            try await rig.copy("\(folder)/before", to: "\(folder)/whole")
            try await rig.sync("\(folder)/whole", options)
            let before = try rig.site.tree("\(folder)/before")
            let oracle = Oracle(
                whole: try rig.site.tree("\(folder)/whole"), earlier: [before],
                allowsPartialRecords: true, canary: rig.canary)
            let cases = faults.flatMap { fault in targets.map { (fault, $0) } }
            for (fault, target) in cases.shuffled(using: &trials.random) where trials.hasTime {
                try await rig.copy("\(folder)/before", to: "\(folder)/trial")
                let violations = try await violations(
                    of: fault, on: target.target, options, rig, oracle, before)
                trials.record(violations, in: "\(fault) for \(target.name)")
            }
            if trials.count >= cases.count { trials.add(1, to: "passes over all cases") }
        }
    }

    private static func violations(
        of fault: Fault, on target: Target, _ options: [String], _ rig: Rig, _ oracle: Oracle,
        _ before: TreeImage
    ) async throws -> [String] {
        let root = "\(rig.site.folder)/trial"
        let simulator = rig.site.simulator
        simulator.inject(fault, on: target, times: nil)
        let program = try rig.start(["run", "--once", "-q"], root, options)
        let release = Task {
            // What hangs or stalls goes on by itself after a while.
            try? await Task.sleep(for: .seconds(2))
            while !Task.isCancelled {
                simulator.release()
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
        let faulty = try await program.end()
        release.cancel()
        await rig.site.letGo()

        let half = try rig.site.tree(root)
        var violations = oracle.violations(
            in: half,
            after: .init(days: before.complete, favorites: [], possibleFavorites: []))
        violations += oracle.violations(of: faulty, in: half)
        // A server that asked for a pause gets it; a command that is typed again does not wait for others.
        if case .throttled = fault { return violations }
        simulator.resetLog()
        let clean = try await rig.run(["run", "--once", "-q"], root, options)
        violations += oracle.violations(
            in: try rig.site.tree(root), afterCleanStart: clean, from: half, simulator.requests)
        if !violations.isEmpty { violations.append("the faulty run: \(faulty)") }
        return violations
    }
}
