import APOD
import Glibc
import Mirror
import ProgramTesting
import Simulator
import TestSupport

/// Replaces `favorites/` by another item, then restores it.
enum DirectoryPart: Part {
    static let name = "directory"

    private enum Thing: String, CaseIterable {
        case nothing, empty, moved, link, file, fifo, socket, danglingLink, linkToItself, unreadable

        /// The shell command that replaces it, run in the root of the mirror.
        func command(_ canary: String) -> String {
            switch self {
            case .nothing: "true"
            case .empty: "mkdir favorites"
            case .moved: "mkdir favorites && ln -s ../../canary/secret.jpg favorites/x"
            case .link: "ln -s '\(canary)' favorites"
            case .file: "echo mine >favorites"
            case .fifo: "mkfifo favorites"
            case .socket: "cp ../faults.so favorites"
            case .danglingLink: "ln -s nowhere favorites"
            case .linkToItself: "ln -s favorites favorites"
            case .unreadable: "mkdir -m 000 favorites"
            }
        }
    }

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        try await withRig { rig in
            let (folder, root) = (rig.site.folder, "\(rig.site.folder)/trial")
            let options = ["--since", "4d", "--thumbnails", "no"]
            let (oracle, all) = try await rig.prepareFavorites("\(folder)/before", options)
            repeat {
                let thing = Thing.allCases.randomElement(using: &trials.random) ?? .nothing
                let runs = Int.random(in: 1...3, using: &trials.random)
                try await rig.copy("\(folder)/before", to: root)
                try await rig.shell(
                    "cd '\(root)' && mv favorites ../aside && \(thing.command("\(folder)/canary"))")
                var violations: [String] = []
                for _ in 0..<runs {
                    let ending = try await rig.run(["run", "--once", "-q"], root, options)
                    if ending.code == nil { violations.append("\(ending)") }
                    violations += oracle.violations(in: try rig.site.tree(root), after: all)
                        .filter { !$0.hasPrefix("favorites") }
                }
                try await rig.shell("cd '\(root)' && rm -rf favorites && mv ../aside favorites")
                rig.site.simulator.resetLog()
                let half = try rig.site.tree(root)
                let clean = try await rig.run(["run", "--once", "-q"], root, options)
                violations += oracle.violations(
                    in: try rig.site.tree(root), afterCleanStart: clean, from: half,
                    rig.site.simulator.requests)
                trials.record(violations, in: "\(thing) for \(runs) runs")
            } while trials.hasTime
        }
    }
}
