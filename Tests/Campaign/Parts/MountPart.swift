import APOD
import Glibc
import ProgramTesting
import Simulator

/// Mounts another file system over `favorites/`, in its own namespace: no favorite may be lost.
enum MountPart: Part {
    static let name = "mount"
    static var obstacle: String? {
        unsafe system("unshare -Urm mount -t tmpfs none /mnt 2>/dev/null") == 0
            ? nil : "this user may not mount"
    }

    private enum Mount: String, CaseIterable {
        case empty, readOnly, full, withFiles, folder, afterAChange

        /// The shell command that mounts it, run in the root of the mirror.
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

    /// The time of the mount: before the start, or while a daemon runs, which receives no event.
    private enum Moment: String, CaseIterable {
        case beforeTheCommand = "before the command"
        case beforeTheDaemon = "before the daemon"
        case besideTheDaemon = "beside the daemon"
    }

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        try await withRig { rig in
            let (folder, root) = (rig.site.folder, "\(rig.site.folder)/trial")
            let options = ["--since", "4d", "--thumbnails", "no"]
            let (oracle, all) = try await rig.prepareFavorites("\(folder)/before", options)
            repeat {
                let mount = Mount.allCases.randomElement(using: &trials.random) ?? .empty
                let moment =
                    Moment.allCases.randomElement(using: &trials.random) ?? .besideTheDaemon
                let isUnmounted = Bool.random(using: &trials.random)
                // A day that is recorded as missing is not logged again.
                let runs =
                    moment == .besideTheDaemon ? 1 : Int.random(in: 1...3, using: &trials.random)
                try await rig.copy("\(folder)/before", to: root)
                var violations: [String] = []
                for _ in 0..<runs {
                    violations +=
                        moment == .besideTheDaemon
                        ? try await mountBesideDaemon(mount, isUnmounted, root, options, rig)
                        : try await start(
                            mount, isDaemon: moment == .beforeTheDaemon, root, options, rig)
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
                    in: "\(mount) \(moment.rawValue), \(runs) times")
                trials.add(1, to: moment.rawValue)
            } while trials.hasTime
        }
    }

    /// Runs with the file system mounted, until the favorites were scanned.
    private static func start(
        _ mount: Mount, isDaemon: Bool, _ root: String, _ options: [String], _ rig: Rig
    ) async throws -> [String] {
        let program = try isolated(
            isDaemon ? ["run"] : ["run", "--once", "-q"], after: mount.command, root, options, rig)
        if isDaemon {
            _ = try? await program.errors.wait(for: "mirroring ")
            program.signal(SIGTERM)
        }
        return violations(of: try await program.end())
    }

    /// Mounts it while the daemon watches the folder below it, and unmounts it again or not.
    private static func mountBesideDaemon(
        _ mount: Mount, _ isUnmounted: Bool, _ root: String, _ options: [String], _ rig: Rig
    ) async throws -> [String] {
        let daemon = try isolated(["run"], after: "true", root, options, rig)
        _ = try? await daemon.errors.wait(for: "mirroring ")
        // In the user and mount namespaces of the daemon.
        let enter = "nsenter -U -m --preserve-credentials -t \(daemon.pid) sh -c"
        // Outside of them, this is an event in the directory that the daemon watches.
        let change = "touch '\(root)/favorites/change' && rm '\(root)/favorites/change'"
        try await rig.shell("\(enter) \"cd '\(root)' && \(mount.command)\" && \(change)")
        let isNoticed = await daemon.errors.includes("missing in favorites/")
        if isUnmounted {
            // A disk is busy during a scan.
            let unmount = "until umount '\(root)/favorites' 2>/dev/null; do :; done"
            try await rig.shell("timeout 600 \(enter) \"\(unmount)\" && \(change)")
        }
        let ending = try await daemon.stop()
        return violations(of: ending) + (isNoticed ? [] : ["not noticed: \(ending)"])
    }

    private static func violations(of ending: Ending) -> [String] {
        ending.code == nil ? ["\(ending)"] : []
    }

    /// Starts the program in its own user and mount namespaces, after a shell command.
    private static func isolated(
        _ words: [String], after command: String, _ root: String, _ options: [String], _ rig: Rig
    ) throws -> Program {
        try Program(
            [
                "unshare", "-Urm", "sh", "-c", "cd '\(root)' && \(command) && exec \"$@\"",
                "sh", Program.path,
            ] + words + rig.site.settings(root: root) + options,
            environment: ["HOME": "\(root).home"])
    }
}
