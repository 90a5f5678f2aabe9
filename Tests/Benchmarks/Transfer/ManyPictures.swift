import Glibc
import Platform

/// Downloads 2,000 pictures, 1.6 GB, from nginx on this machine with the mirror and with curl.
///
/// The mirror checks, hashes and syncs each picture; curl is followed by a sync(2).
struct ManyPictures {
    private let bench: Workbench
    private let count: Int

    private static let rounds = 3

    init(_ bench: Workbench) throws {
        self.bench = bench
        // The originals, the copies of one program at a time, and some reserve.
        let room = try Directory(opening: bench.path).freeBytes()
        count = min(2000, room / 2_000_000)
    }

    func measure() throws -> [Goal] {
        try bench.announce("making \(count) pictures")
        let album = try Album(Album.sizes(count), in: try bench.directory("pictures"))
        let nginx = try Nginx(bench, pictures: album.path, server: try Server(album.path))
        var (mirror, curl): ([Usage], [Usage]) = ([], [])
        for round in 1...Self.rounds {
            try bench.announce("\(count) pictures by HTTP, round \(round) of \(Self.rounds)")
            mirror.append(try byMirror(nginx))
            curl.append(try byCurl(nginx))
        }
        for (program, usages) in [("apod-mirror", mirror), ("curl -Z", curl)] {
            bench.say(usages.row(program, bytes: album.bytes))
        }
        let name = "\(count) pictures, HTTP"
        return [
            Goal(
                "\(name): our time to that of curl and sync", unit: "x",
                mirror.median(\.seconds) / curl.median(\.seconds), .atMost(1.3)),
            Goal(
                "\(name): our processor time to that of curl", unit: "x",
                mirror.median(\.processor) / curl.median(\.processor), .atMost(2.5)),
            .peak("\(name)", mirror, atMost: 28),
        ]
    }

    private func byMirror(_ nginx: Nginx) throws -> Usage {
        let root = try bench.directory("copies").path
        sync()
        return try bench.command(bench.words(root, from: nginx.feed)).measure()
    }

    private func byCurl(_ nginx: Nginx) throws -> Usage {
        let folder = try bench.directory("copies").path
        let lines = nginx.pictures.map { picture in
            "url = \"\(picture.address)\"\noutput = \"\(folder)/\(picture.name)\"\n"
        }
        let config = try bench.write(lines.joined(), to: "curl.config")
        sync()
        return try bench.peer(
            "curl", "-q", "-Z", "--parallel-max", "16", "--silent", "--show-error", "--fail",
            "-K", config
        ).measure()
    }
}
