import Glibc
import Platform

/// 2,000 pictures, 1.6 GB, from a server on this machine: by the mirror, by curl, by aria2c.
///
/// The mirror checks, hashes and syncs each picture; the work of the others is done with a sync(2).
struct ManyPictures {
    private let bench: Workbench
    private let count: Int

    private static let rounds = 3

    init(_ bench: Workbench) throws {
        self.bench = bench
        // The originals, the copies of one program at a time, and room to breathe.
        let room = try Directory(opening: bench.path).freeBytes()
        count = min(2000, room / 2_000_000)
    }

    func measure() throws -> [Goal] {
        try bench.announce("making \(count) pictures")
        let album = try Album(Album.sizes(count), in: try bench.directory("pictures"))
        let server = try Server(album.path)
        var mirror: [Usage] = []
        var curl: [Usage] = []
        var aria: [Usage] = []
        for round in 1...Self.rounds {
            try bench.announce("\(count) pictures, round \(round) of \(Self.rounds)")
            mirror.append(try byMirror(server))
            curl.append(try byCurl(server))
            aria.append(try byAria(server))
        }
        for (name, usages) in [("apod-mirror", mirror), ("curl -Z", curl), ("aria2c -j16", aria)] {
            bench.say(usages.row(name, bytes: album.bytes))
        }
        return [
            Goal(
                "\(count) pictures: our time to that of curl and sync", unit: "x",
                mirror.median(\.seconds) / curl.median(\.seconds), .atMost(1.3)),
            Goal(
                "\(count) pictures: the time of aria2c and sync to ours", unit: "x",
                aria.median(\.seconds) / mirror.median(\.seconds), .atLeast(1.5)),
            .peak("\(count) pictures", mirror),
        ]
    }

    private func byMirror(_ server: Server) throws -> Usage {
        let root = try bench.directory("copies").path
        sync()
        return try bench.pass(root, from: server).measure()
    }

    private func byCurl(_ server: Server) throws -> Usage {
        let folder = try bench.directory("copies").path
        let lines = server.pictures.map { picture in
            "url = \"\(picture.address)\"\noutput = \"\(folder)/\(picture.name)\"\n"
        }
        let config = try bench.write(lines.joined(), to: "curl.config")
        sync()
        return try bench.peer(
            "curl", "-q", "-Z", "--parallel-max", "16", "--silent", "--show-error", "--fail", "-K",
            config
        ).measure()
    }

    private func byAria(_ server: Server) throws -> Usage {
        let folder = try bench.directory("copies").path
        let lines = server.pictures.map { "\($0.address)\n out=\($0.name)\n" }
        let list = try bench.write(lines.joined(), to: "aria2c.list")
        sync()
        return try bench.peer(
            "aria2c", "--no-conf", "--quiet", "-i", list, "-j16", "-x1", "--file-allocation=none",
            "-d", folder
        ).measure()
    }
}
