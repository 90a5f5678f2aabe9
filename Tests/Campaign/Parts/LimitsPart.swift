import APOD
import Glibc
import Platform
import ProgramTesting
import TestSupport

/// Exhausts the watches of inotify(7): the daemon must find a link without them.
enum LimitsPart: Part {
    static let name = "limits"
    static var obstacle: String? {
        let probe = "unshare -Ur sh -c 'echo 9 >/proc/sys/user/max_inotify_watches'"
        return unsafe system("(\(probe)) 2>/dev/null") == 0
            ? nil : "this user may not set limits of a namespace"
    }

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        try await withRig { rig in
            let root = "\(rig.site.folder)/trial"
            let options = ["--since", "4d", "--thumbnails", "no"]
            try await rig.sync(root, options)
            let favorites = try Directory(opening: root).makeDirectory("favorites")
            repeat {
                let number = trials.random.next() % 4
                let words = ["run"] + rig.site.settings(root: root) + options
                let daemon = try Program(
                    [
                        "unshare", "-Ur", "sh", "-c",
                        "echo \(number) >/proc/sys/user/max_inotify_watches && exec \"$@\"",
                        "sh", Program.path,
                    ] + words, environment: ["HOME": rig.site.home])
                try await daemon.errors.wait(for: "mirroring ")
                let day = Day.first.advanced(by: 1 + trials.count)
                try favorites.symlink("\(day)", to: "../pictures/\(day)")
                let isFound = await daemon.errors.includes("\(day) added to favorites")
                let ending = try await daemon.stop()
                var violations = isFound ? [] : ["the link of \(day) was not found: \(ending)"]
                if ending.code != 0 { violations.append("\(ending)") }
                let reports = ending.errors.split(separator: "\n").count { $0.contains("inotify") }
                if reports > 1 { violations.append("\(reports) reports: \(ending)") }
                trials.record(violations, in: "\(number) watches")
            } while trials.hasTime
        }
    }
}
