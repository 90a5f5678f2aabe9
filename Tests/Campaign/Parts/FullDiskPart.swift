import Glibc
import ProgramTesting
import Simulator

/// Runs on a file system in memory that is too small, then on the same with enough space.
enum FullDiskPart: Part {
    static let name = "full"
    static let variants = ["bytes", "inodes"]
    static var obstacle: String? {
        unsafe system("unshare -Urm true 2>/dev/null") == 0 ? nil : "this user may not mount"
    }

    /// From too small for anything to large enough for all.
    private static let sizes = 1...40

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        try await withRig { rig in
            let options = ["--since", "4d", "--jobs", "1", "--thumbnails", "yes"]
            try rig.site.addVideo()
            try await rig.sync("\(rig.site.folder)/whole", options)
            let whole = try rig.site.tree("\(rig.site.folder)/whole")
            let oracle = Oracle(whole: whole, canary: rig.canary)
            let bytes = whole.files.values.reduce(0) { $0 + ($1.count / 4096 + 1) * 4096 }
            let most = variant == "bytes" ? bytes / 1024 : whole.files.count + 40
            for size in sizes.shuffled(using: &trials.random) where trials.hasTime {
                let limit = max(1, most * size / sizes.count)
                let option = variant == "bytes" ? "size=\(limit)k" : "nr_inodes=\(limit)"
                trials.record(
                    try await violations(option, options, rig, oracle), in: option)
            }
            if trials.count >= sizes.count { trials.add(1, to: "passes over all sizes") }
        }
    }

    private static func violations(
        _ option: String, _ options: [String], _ rig: Rig, _ oracle: Oracle
    ) async throws -> [String] {
        let (folder, root) = (rig.site.folder, "\(rig.site.folder)/apod")
        let words = ["run", "--once", "-q"] + rig.site.settings(root: root) + options
        let run = ([Program.path] + words).joined(separator: " ")
        try await rig.shell(
            "rm -rf '\(root)' '\(root).home' '\(folder)/full' '\(folder)/later'; mkdir '\(root)'")
        rig.site.simulator.resetLog()
        // The source is "none", else mount(8) repeats the owner, who has another ID in the namespace.
        let ending = try await Program(
            [
                "unshare", "-Urm", "sh", "-c",
                """
                mount -t tmpfs -o \(option) none \(root) || exit 99
                \(run); echo $?
                cp -a \(root) \(folder)/full
                mount -o remount,size=64m,nr_inodes=9999 none \(root) || exit 98
                \(run); echo $?
                cp -a \(root) \(folder)/later
                """,
            ], environment: ["HOME": "\(root).home"]
        ).end()
        let codes = ending.output.split(separator: "\n").compactMap { Int32($0) }
        guard codes.count == 2 else { return ["\(ending)"] }
        let (full, later) = (
            try rig.site.tree("\(folder)/full"), try rig.site.tree("\(folder)/later")
        )
        var violations = oracle.violations(
            in: full, after: .init(days: [], favorites: [], possibleFavorites: []))
        if codes[0] == 0, full.revisions != oracle.whole.revisions {
            violations.append("exit code 0 for work that is not done")
        }
        if codes[0] != 0, ending.sentences.isEmpty { violations.append("no reason: \(ending)") }
        if codes[1] != 0 { violations.append("exit code \(codes[1]) with space: \(ending)") }
        violations += oracle.violations(in: later, afterCleanStart: nil, from: full, [])
        return violations
    }
}
