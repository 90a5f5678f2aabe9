import Glibc
import Mirror
import Platform
import ProgramTesting
import Simulator
import TestSupport

/// Lets the calls that examine and read files fail: once, for a while, and for ever.
///
/// An error says nothing of a file: what was whole is neither moved nor lost, and is not downloaded again. After commands, a
/// clean start shows that; the daemon goes on by itself once the disk is back.
enum DoubtPart: Part {
    static let name = "doubt"
    static var variants: [String] { scenarios.map(\.rawValue) + [beside] }
    static var obstacle: String? { FaultShim.isPossible ? nil : "no C compiler" }

    /// The variant of a daemon that stays.
    private static let beside = "beside-daemon"
    private static let scenarios: [Scenario] = [
        .firstSync, .edits, .videos, .thumbnails, .favoriteAdded, .favoriteRemoved, .repair,
        .adoption, .retention,
    ]
    private static let codes = [EIO, ESTALE, EACCES, ENOMEM, EMFILE, ETIMEDOUT]
    /// About as many as a command makes in the tenth of a second in which it reads a small mirror.
    private static let while10s = 50

    private enum Length: String, CaseIterable {
        case once, aWhile, forEver

        var count: Int? {
            switch self {
            case .once: 1
            case .aWhile: DoubtPart.while10s
            case .forEver: nil
            }
        }
    }

    private struct Point: CustomStringConvertible {
        let code: Int32
        let number: Int
        let length: Length

        var description: String { "error \(code) from \(number), \(length.rawValue)" }
    }

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        if variant == beside { return try await runBesideDaemon(&trials) }
        try await trials.play(variant) { trial, trials in
            let points = points(of: trial.reads).shuffled(using: &trials.random)
            for point in points where trials.hasTime {
                let found = try await trial.violations(mayKill: false) { root in
                    try await trial.scenario.play(
                        trial.rig, at: root, reads(at: point, of: root, trial.rig))
                }
                trials.record(found, in: "\(point)")
            }
            if trials.count >= points.count { trials.add(1, to: "passes over all calls") }
        }
    }

    private static func points(of calls: Int) -> [Point] {
        (1...max(1, calls)).flatMap { number in
            codes.flatMap { code in
                Length.allCases.map { Point(code: code, number: number, length: $0) }
            }
        }
    }

    private static func reads(at point: Point, of root: String, _ rig: Rig) -> [String: String] {
        rig.shim.reads(
            of: "\(root)/", code: point.code, from: point.number, count: point.length.count)
    }

    // MARK: A daemon that stays

    /// The daemon verifies, syncs an edit and records a link while the disk fails, and ends that once it is back.
    private static func runBesideDaemon(_ trials: inout Trials) async throws {
        try await withRig { rig in
            let (start, root) = ("\(rig.site.folder)/before", "\(rig.site.folder)/trial")
            let gate = "\(rig.site.folder)/gate"
            let options = ["--since", "4d", "--jobs", "1", "--thumbnails", "yes"]
            _ = try await rig.prepareFavorites(start, options)
            try await rig.shell("rm -f '\(start)/\(Layout.verify)'")
            let before = try rig.site.tree(start)
            try rig.site.simulator.edit(Site.day(1)) { $0.title = "Quite Another Title" }
            try await rig.copy(start, to: root)
            try await rig.makeLink(root, to: Site.day(2))
            try await rig.sync(root, options)
            let oracle = Oracle(
                whole: try rig.site.tree(root), earlier: [before], canary: rig.canary)
            let acknowledged = Oracle.Acknowledged(
                days: before.complete, favorites: before.favorites,
                possibleFavorites: oracle.whole.favorites, tree: before)
            repeat {
                let code = codes[Int(trials.random.next() % UInt64(codes.count))]
                let first = 1 + Int(trials.random.next() % 2_000)
                let length = Length.allCases[Int(trials.random.next() % 3)]
                try await rig.copy(start, to: root)
                try await rig.shell("touch '\(gate)'")
                let daemon = try rig.start(
                    ["run"], root, options,
                    rig.shim.reads(
                        of: "\(root)/", code: code, from: first, count: length.count, while: gate))
                _ = await daemon.errors.includes("mirroring ", within: .seconds(2))
                try await rig.makeLink(root, to: Site.day(2))
                daemon.signal(SIGHUP)
                _ = await daemon.errors.includes(
                    "added to favorites", within: .seconds(length == .forEver ? 2 : 1))
                let half = try rig.site.tree(root)
                try await rig.shell("rm '\(gate)'")
                var violations = oracle.violations(in: half, after: acknowledged)
                daemon.signal(SIGHUP)
                // A daemon that ended is started again, as systemd does.
                let isWhole = try await comes(root, to: oracle.whole, rig, within: 12) {
                    daemon.signal(SIGHUP)
                }
                let ending = try await daemon.stop()
                if ending.code == 0, !isWhole {
                    violations.append("the disk is back, and the daemon did not go on: \(ending)")
                }
                if ending.signal != nil { violations.append("crashed: \(ending)") }
                try await rig.sync(root, options)
                violations += oracle.violations(
                    in: try rig.site.tree(root), afterCleanStart: nil, from: half, [])
                violations += oracle.losses(in: try rig.site.tree(root), of: before)
                trials.record(violations, in: "error \(code) from \(first), \(length.rawValue)")
            } while trials.hasTime
        }
    }

    /// Whether the mirror at `root` becomes `whole` within so many seconds; `remind` is called each second.
    private static func comes(
        _ root: String, to whole: TreeImage, _ rig: Rig, within seconds: Int,
        remind: () -> Void
    ) async throws -> Bool {
        for _ in 0..<seconds {
            for _ in 0..<10 {
                let tree = try rig.site.tree(root)
                if tree.revisions == whole.revisions, tree.favorites == whole.favorites,
                    tree.damage.isEmpty
                {
                    return true
                }
                try await Task.sleep(for: .milliseconds(100))
            }
            remind()
        }
        return false
    }
}
