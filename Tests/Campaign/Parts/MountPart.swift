import APOD
import Glibc
import ProgramTesting
import Simulator

/// Mounts another file system over `favorites/`, in a namespace of its own: no favorite may be lost.
enum MountPart: Part {
    static let name = "mount"
    static var obstacle: String? {
        unsafe system("unshare -Urm mount -t tmpfs none /mnt 2>/dev/null") == 0
            ? nil : "this user may not mount"
    }

    private enum Mount: String, CaseIterable {
        case empty, readOnly, full, withFiles, folder, afterAChange

        /// The shell command that mounts it, in the root of the mirror.
        var command: String {
            switch self {
            case .empty: "mount -t tmpfs none favorites"
            case .readOnly: "mount -t tmpfs -o ro none favorites"
            case .full: "mount -t tmpfs -o nr_inodes=1 none favorites"
            case .withFiles:
                "mount -t tmpfs none favorites && echo text >favorites/notes.txt"
                    + " && mkdir favorites/folder && ln -s nowhere favorites/folder/link"
            case .folder:
                "mkdir -p ../other && echo text >../other/a.jpg && mount --bind ../other favorites"
            case .afterAChange:
                "mount -t tmpfs none favorites && ln -s x favorites/a && rm favorites/a"
            }
        }
    }

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        try await withRig { rig in
            let (folder, root) = (rig.site.folder, "\(rig.site.folder)/trial")
            let options = ["--since", "4d", "--thumbnails", "no"]
            try await rig.sync("\(folder)/before", options)
            for age in [1, 3] {
                try await rig.makeLink("\(folder)/before", to: Site.today.advanced(by: -age))
            }
            try await rig.sync("\(folder)/before", options)
            let before = try rig.site.tree("\(folder)/before")
            let oracle = Oracle(whole: before, canary: rig.canary)
            let all = Oracle.Acknowledged(
                days: before.complete, favorites: before.favorites,
                possibleFavorites: before.favorites)
            repeat {
                let mount = Mount.allCases.randomElement(using: &trials.random) ?? .empty
                let isDaemon = Bool.random(using: &trials.random)
                let runs = Int.random(in: 1...3, using: &trials.random)
                try await rig.copy("\(folder)/before", to: root)
                var violations: [String] = []
                for _ in 0..<runs {
                    let ending = try await end(mount, isDaemon, root, options, rig)
                    if ending.code == nil { violations.append("\(ending)") }
                    violations += oracle.violations(in: try rig.site.tree(root), after: all)
                }
                rig.site.simulator.resetLog()
                let half = try rig.site.tree(root)
                let clean = try await rig.run(["run", "--once", "-q"], root, options)
                violations += oracle.violations(
                    in: try rig.site.tree(root), afterCleanStart: clean, from: half,
                    rig.site.simulator.requests)
                trials.record(
                    violations,
                    in: "\(mount) for \(runs) runs of the \(isDaemon ? "daemon" : "command")")
            } while trials.hasTime
        }
    }

    /// Runs with the file system mounted, until the favorites were scanned.
    private static func end(
        _ mount: Mount, _ isDaemon: Bool, _ root: String, _ options: [String], _ rig: Rig
    ) async throws -> Ending {
        let words = (isDaemon ? ["run"] : ["run", "--once", "-q"]) + rig.site.settings(root: root)
        let program = try Program(
            [
                "unshare", "-Urm", "sh", "-c", "cd '\(root)' && \(mount.command) && exec \"$@\"",
                "sh", Program.path,
            ] + words + options, environment: ["HOME": "\(root).home"])
        if isDaemon {
            _ = try? await program.errors.wait(for: "mirroring ")
            program.signal(SIGTERM)
        }
        return try await program.end()
    }
}
