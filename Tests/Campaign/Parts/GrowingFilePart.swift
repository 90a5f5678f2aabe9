import APOD
import Glibc
import Platform
import ProgramTesting
import Simulator
import TestSupport

/// Lets files in `favorites/` grow while they are read: links are recorded nevertheless, and the daemon ends when it
/// is asked to.
enum GrowingFilePart: Part {
    static let name = "growing-files"

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        try await withRig { rig in
            let root = "\(rig.site.folder)/trial"
            let options = ["--since", "4d", "--thumbnails", "no"]
            try rig.site.enlargeNewest()
            try await rig.sync(root, options)
            let picture = try rig.site.tree(root).pictures.last ?? ""
            let favorites = "\(root)/favorites"
            // Each has the size of a large picture when it is listed, and a terabyte while it is read.
            let growth = try Program(
                [
                    "sh", "-c",
                    """
                    cd '\(favorites)'; number=0; while cp '../\(picture)' copy$number.jpg; do
                    sleep 0.0$((10 + number % 7 * 8)); truncate --size=1T copy$number.jpg
                    rm -f copy$((number - 2)).jpg; number=$((number + 1)); done
                    """,
                ], environment: [:])
            let daemon = try rig.start(["run"], root, options)
            defer {
                daemon.signal(SIGKILL)
                growth.signal(SIGKILL)
            }
            try await daemon.errors.wait(for: "mirroring ")
            let folder = try Directory(opening: favorites)
            repeat {
                let day = Day.first.advanced(by: 1 + trials.count)
                try folder.symlink("\(day)", to: "../pictures/\(day)")
                let isFound = await daemon.errors.includes("\(day) added to favorites")
                trials.record(
                    isFound ? [] : ["the link of \(day) was not found"],
                    in: "\(day) beside growing files")
            } while trials.hasTime
            let ending = try await daemon.stop()
            trials.record(ending.code == 0 ? [] : ["\(ending)"], in: "the end", count: 0)
        }
    }
}

extension Site {
    /// Gives the newest day a picture that takes some time to read: one with 40 MB of comments.
    fileprivate func enlargeNewest() throws {
        guard var entry = simulator.entry(of: Self.today), case .picture(var picture) = entry.media,
            case .drawn(let drawing) = picture.source
        else { throw RigError(text: "the newest day has no picture") }
        let bytes = drawing.encoded()
        let comment = [0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 0x20, count: 0xFFFD)
        let comments = Array(repeatElement(comment, count: 640).joined())
        picture.source = .bytes(bytes[..<2] + comments + bytes[2...])
        entry.media = .picture(picture)
        simulator.publish(entry)
    }
}
