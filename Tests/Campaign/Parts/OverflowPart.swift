import APOD
import Glibc
import Platform
import ProgramTesting
import TestSupport

/// Lets the queue of inotify(7) overflow while the daemon is stopped: it must find the changes.
enum OverflowPart: Part {
    static let name = "overflow"

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        try await withRig { rig in
            let root = "\(rig.site.folder)/trial"
            let options = ["--since", "4d", "--thumbnails", "no"]
            try await rig.sync(root, options)
            let favorites = try Directory(opening: root).makeDirectory("favorites")
            try favorites.symlink("a", to: "nowhere")
            let daemon = try rig.start(["run"], root, options)
            defer { daemon.signal(SIGKILL) }
            try await daemon.errors.wait(for: "mirroring ")
            let limit = try Directory(opening: "/proc/sys/fs/inotify").read("max_queued_events")
            let events = Int(String(decoding: limit ?? [], as: UTF8.self).dropLast()) ?? 16_384
            repeat {
                let day = Day.first.advanced(by: 1 + trials.count)
                daemon.signal(SIGSTOP)
                // Each rename is two events.
                for _ in 0..<(events / 4 + 100) {
                    try favorites.rename("a", to: favorites, as: "b")
                    try favorites.rename("b", to: favorites, as: "a")
                }
                // Further events are lost.
                try favorites.symlink("\(day)", to: "../pictures/\(day)")
                if trials.count > 0 { try favorites.remove("\(day.advanced(by: -1))") }
                daemon.signal(SIGCONT)
                let isFound = await daemon.errors.includes("\(day) added to favorites")
                trials.record(
                    isFound ? [] : ["the link of \(day) was not found"], in: "storm with \(day)"
                )
            } while trials.hasTime
            let ending = try await daemon.stop()
            trials.record(ending.code == 0 ? [] : ["\(ending)"], in: "the end", count: 0)
        }
    }
}
