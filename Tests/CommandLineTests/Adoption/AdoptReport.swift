import APOD
import Glibc
import JSON
import Mirror
import Platform
import Simulator
import Testing

/// The output of `adopt --json`.
struct AdoptReport {
    let adopted: Set<Day>
    let present: Set<Day>
    let differing: Int
    let unrecognized: [String]
    let failed: Int

    init(_ ending: Ending) throws {
        let json = try ending.json
        func items(_ kind: String) -> [JSON] {
            json[kind]?.elements ?? []
        }
        func days(_ kind: String) -> Set<Day> {
            Set(items(kind).compactMap { $0["date"]?.string.flatMap { Day(iso: $0) } })
        }
        adopted = days("adopted")
        present = days("present")
        differing = items("present").count { $0["differs"]?.bool == true }
        unrecognized = items("unrecognized").map {
            "\($0["file"]?.string ?? ""): \($0["reason"]?.string ?? "")"
        }
        failed = items("failed").count
    }
}

extension Site {
    /// Imports the directory `source`.
    func adopt(_ options: String...) async throws -> Ending {
        try await start(
            ["adopt", "\(folder)/source", "--root", root, "--json"] + upstream + options
        ).end()
    }

    /// The pictures that were requested.
    var media: Int { simulator.requests.count { $0.kind == .media } }

    /// Writes the pictures of `tree` into `source`, each under one of the `names`.
    func export(
        _ tree: TreeImage, as names: [(Day) -> String],
        where isIncluded: (Day) -> Bool = { _ in true }
    ) throws {
        for (number, path) in tree.pictures.enumerated() {
            let name = Layout.split(path).name
            guard let day = Day(iso: name.prefix(10)), isIncluded(day), let bytes = tree.files[path]
            else { continue }
            try write(bytes, to: "source/\(names[number % names.count](day))")
        }
    }

    /// The modification times of the pictures.
    func times() throws -> [String: Int] {
        let root = try Directory(opening: root)
        return try tree().pictures.reduce(into: [:]) { times, path in
            times[path] = try root.status(path)?.modified
        }
    }
}

extension TreeImage {
    /// The pictures and records, without what only a download knows.
    var mirrored: [String: [UInt8]] { mirrored(without: ["etag", "last_modified"]) }

    /// ``mirrored`` without the addresses of pictures.
    var withoutOrigins: [String: [UInt8]] {
        mirrored(without: ["etag", "last_modified", "origin"])
    }

    /// The pictures, and the records without the lines of `keys`.
    private func mirrored(without keys: [String]) -> [String: [UInt8]] {
        let pictures = published.files.filter { $0.key.hasPrefix(Layout.pictures) }
        let records = published.files.filter { $0.key.hasPrefix(Layout.metadata) }
        return records.mapValues { record in
            let lines = String(decoding: record, as: UTF8.self).split(separator: "\n")
            let others = lines.filter { line in !keys.contains { line.contains("\"\($0)\": ") } }
            return Array(others.joined(separator: "\n").utf8)
        }.merging(pictures) { $1 }
    }

    var adopted: [String] { files.keys.filter { $0.hasPrefix(Layout.adopted + "/") } }
}

/// Runs `body` with a simulator and the image of a complete mirror of it.
nonisolated(nonsending) func withSource(
    days: Int, extras: Archive.Extras = [],
    _ body: nonisolated(nonsending) (Site, TreeImage) async throws -> Void
) async throws {
    try await withSite(days: days, extras: extras) { site in
        let root = "\(site.folder)/whole"
        let ending = try await site.mirror("--since", "\(days)d", root: root)
        #expect(ending.code == 0, "\(ending)")
        let whole = try site.tree(root)
        _ = unsafe mkdir("\(site.folder)/source", 0o755)
        site.simulator.resetLog()
        try await body(site, whole)
    }
}
