import Glibc
import ProgramTesting
import Simulator

/// Starts the daemon fifty times at once: one runs, and the others report why they do not.
enum ConcurrentPart: Part {
    static let name = "concurrent"

    private static let starts = 50

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        try await withRig { rig in
            let options = ["--since", "4d", "--thumbnails", "no"]
            try await rig.sync("\(rig.site.folder)/whole", options)
            let oracle = Oracle(
                whole: try rig.site.tree("\(rig.site.folder)/whole"), canary: rig.canary)
            repeat {
                let root = "\(rig.site.folder)/trial"
                try await rig.copy("\(rig.site.folder)/nothing", to: root)
                rig.site.simulator.resetLog()
                let programs = try (1...starts).map { _ in try rig.start(["run"], root, options) }
                var violations: [String] = []
                var isWinner: [Bool] = []
                for program in programs {
                    let line = (try? await program.errors.wait(for: "\n")) ?? ""
                    isWinner.append(line.contains("mirroring "))
                }
                let winners = isWinner.count { $0 }
                if winners != 1 { violations.append("\(winners) run at once") }
                for (program, runs) in zip(programs, isWinner) {
                    if runs { program.signal(SIGTERM) }
                    let ending = try await program.end()
                    if ending.code != (runs ? 0 : 5) { violations.append("\(ending)") }
                }
                let half = try rig.site.tree(root)
                violations += oracle.violations(
                    in: half, after: .init(days: [], favorites: [], possibleFavorites: []))
                let clean = try await rig.run(["run", "--once", "-q"], root, options)
                violations += oracle.violations(
                    in: try rig.site.tree(root), afterCleanStart: clean, from: half, [])
                trials.record(violations, in: "\(starts) starts")
            } while trials.hasTime
        }
    }
}
