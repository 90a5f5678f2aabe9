import Glibc
import ProgramTesting
import Simulator
import TestSupport

/// Lets a person make files and links with the names of views, before and beside syncs and the daemon, while NASA edits
/// and options change: none is lost.
enum ForeignFilesPart: Part {
    static let name = "foreign-files"

    private static let days = 5
    private static let range = ["--since", "\(days)d"]
    /// Each is on or off in a run.
    private static let options: [[String]] = [
        ["--sidecars"], ["--base-url", "https://me.org/"], ["--v1", "400"],
        ["--wallpaper-size", "32x20"], ["--videos"], ["--keep", "3d"], ["--thumbnails", "no"],
        ["--wallpapers", "0"],
    ]
    private static let off = ["--thumbnails", "no", "--wallpapers", "0"]

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        try await withRig(days: days) { rig in
            let (folder, root) = (rig.site.folder, "\(rig.site.folder)/trial")
            try rig.site.addVideo(age: 3)
            try await rig.sync("\(folder)/whole", range)
            // The person has a file of NASA's name before that day is published.
            guard let newest = rig.site.simulator.entry(of: Site.today),
                let nameOfNASA = try rig.site.tree("\(folder)/whole").pictures.last
            else { throw RigError(text: "the newest day has no picture") }
            rig.site.simulator.withdraw(Site.today)
            _ = try await rig.run(["run", "--once", "-q"], "\(folder)/before", range)
            let pictures = try rig.site.tree("\(folder)/before").pictures.suffix(2)
            let outside = rig.canary.state
            repeat {
                rig.site.simulator.withdraw(Site.today)
                try await rig.copy("\(folder)/before", to: root)
                var person = try Person(at: root, outside: folder, pictures: Array(pictures))
                try person.put(at: nameOfNASA, &trials.random)
                rig.site.simulator.publish(newest)
                var violations: [String] = []
                var runs: [String] = []
                for isLast in [false, false, false, true] {
                    let options = isLast ? off : randomOptions(&trials.random)
                    for _ in 0..<Int.random(in: 0...6, using: &trials.random) {
                        let place = person.randomPlace(&trials.random)
                        try person.put(at: place, &trials.random)
                    }
                    try edit(rig.site, &trials.random)
                    let ending = try await play(rig, root, options, &person, &trials.random)
                    runs.append(options.joined(separator: " "))
                    // 1 is for a file of the person in the way, 4 for one in that of all days, 3 for a missing thumbnail.
                    if ![0, 1, 3, 4].contains(ending.code ?? -1) { violations.append("\(ending)") }
                    let tree = try rig.site.tree(root)
                    violations += person.losses(in: tree)
                    violations += tree.damageBesideEdits.filter { [person] in !person.explains($0) }
                    guard violations.isEmpty else { break }
                }
                if rig.canary.state != outside {
                    violations.append("something outside the tree changed")
                }
                trials.add(person.count, to: "foreign files")
                trials.record(violations, in: runs.joined(separator: "; then "))
            } while trials.hasTime
        }
    }

    private static func randomOptions(_ random: inout SplitMix) -> [String] {
        options.filter { _ in Bool.random(using: &random) }.flatMap(\.self)
    }

    /// Edits one day as NASA does: its text, or also its picture, perhaps to one of another type.
    private static func edit(_ site: Site, _ random: inout SplitMix) throws {
        let age = Int.random(in: 0..<days, using: &random)
        let seed = random.next() % 1_000_000
        try site.simulator.edit(Site.day(age)) { entry in
            entry.title = "Title \(seed)"
            guard seed % 2 == 0 else { return }
            let (format, type): (Drawing.Format, String) =
                seed % 4 == 0 ? (.png, "png") : (.jpeg, "jpg")
            entry.media = .drawn(
                "edit\(seed).\(type)", seed: seed, width: 64, height: 40, format: format)
        }
    }

    /// Runs the daemon or one sync, while the person makes more files.
    private static func play(
        _ rig: Rig, _ root: String, _ options: [String], _ person: inout Person,
        _ random: inout SplitMix
    ) async throws -> Ending {
        let isDaemon = Bool.random(using: &random)
        let words = isDaemon ? ["run"] : ["run", "--once", "-q"]
        let program = try rig.start(words, root, range + options)
        if isDaemon { _ = await program.errors.includes("mirroring ") }
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let pause = Int.random(in: 0..<100, using: &random)
            try await Task.sleep(for: .milliseconds(pause))
            let place = person.randomPlace(&random)
            try person.add(at: place, &random)
        }
        if isDaemon { program.signal(SIGTERM) }
        return try await program.end()
    }
}
