import Glibc
import Mirror
import Platform
import ProgramTesting
import TestSupport

/// Damages what the mirror makes from other files, which a repair and a sync must make again.
enum OwnFilesPart: Part {
    static let name = "own-files"

    private static let options = ["--since", "4d", "--thumbnails", "yes"]
    private static let tops = [
        "latest.json", "latest.jpg", "feed.xml", "index.html", "gallery/",
    ]

    static func run(_ variant: String, _ trials: inout Trials) async throws {
        try await withRig(days: 4) { rig in
            let root = "\(rig.site.folder)/apod"
            try await rig.sync(root, options)
            let whole = try files(in: root)
            while trials.hasTime {
                var damage: [String] = []
                for (path, bytes) in whole.sorted(by: { $0.key < $1.key })
                where Int.random(in: 0..<4, using: &trials.random) == 0 {
                    damage.append(try self.damage(path, bytes, in: root, &trials))
                }
                _ = try await rig.runOffline(["verify", "--repair", "-q"], root)
                let ending = try await rig.run(["run", "--once", "-q"], root, options)
                let found = try files(in: root)
                var violations = ending.code == 0 ? [] : ["\(ending)"]
                for (path, bytes) in whole where found[path] != bytes {
                    violations.append("\(path) was not made again")
                }
                trials.record(violations, in: damage.joined(separator: ", "))
            }
        }
    }

    private static func damage(
        _ path: String, _ bytes: [UInt8], in root: String, _ trials: inout Trials
    ) throws -> String {
        let folder = try Directory(opening: root)
        let kind = Int.random(in: 0..<3, using: &trials.random)
        guard kind > 0, try folder.status(path)?.kind == .file else {
            try folder.remove(path)
            return "removed \(path)"
        }
        let length = kind == 1 ? 0 : Int.random(in: 0...bytes.count, using: &trials.random)
        let file = try folder.open(path, O_WRONLY | O_TRUNC)
        try file.write(Array(bytes.prefix(length)), path: path)
        return "cut \(path) to \(length)"
    }

    /// The contents of these files, and the targets of links.
    private static func files(in root: String) throws -> [String: [UInt8]] {
        let folder = try Directory(opening: root)
        var files: [String: [UInt8]] = [:]
        var folders = ["."]
        while let path = folders.popLast() {
            // `.nomedia` is made again with the next thumbnail.
            for name in try folder.textNames(in: path) where name != ".nomedia" {
                let inner = path == "." ? name : "\(path)/\(name)"
                switch try folder.status(inner)?.kind {
                case .directory where !inner.hasPrefix("."): folders.append(inner)
                case .file where tops.contains(where: inner.hasPrefix):
                    files[inner] = try folder.read(inner)
                case .symbolicLink where tops.contains(where: inner.hasPrefix):
                    files[inner] = folder.target(of: inner).map { Array($0.utf8) }
                default: break
                }
            }
        }
        return files
    }
}
