import Glibc
import Platform

/// Downloads 2,000 pictures, 1.6 GB, from nginx on this machine with the mirror, curl and aria2c.
///
/// The mirror checks, hashes and syncs each picture; the others are followed by a sync(2).
struct ManyPictures {
    private let bench: Workbench
    private let count: Int

    private static let rounds = 3

    /// The limits of one kind of transfer: time and CPU time relative to curl, memory in MB.
    private struct Limits {
        let name: String
        let time: Double
        let peak: Double
    }

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
        return try measure(
            .http, Limits(name: "HTTP", time: 1.3, peak: 28), from: nginx, album)
            + measure(.https, Limits(name: "HTTP/2, TLS", time: 1.2, peak: 32), from: nginx, album)
    }

    private func measure(
        _ scheme: Nginx.Scheme, _ limits: Limits, from nginx: Nginx, _ album: Album
    ) throws -> [Goal] {
        var (mirror, few, curl, aria): ([Usage], [Usage], [Usage], [Usage]) = ([], [], [], [])
        for round in 1...Self.rounds {
            try bench.announce(
                "\(count) pictures by \(limits.name), round \(round) of \(Self.rounds)")
            mirror.append(try byMirror(nginx, scheme, jobs: 16))
            curl.append(try byCurl(nginx, scheme))
            if scheme == .http { aria.append(try byAria(nginx, scheme)) }
        }
        var rows = [("apod-mirror", mirror), ("curl -Z", curl)]
        let name = "\(count) pictures, \(limits.name)"
        var goals = [
            Goal(
                "\(name): our time to that of curl and sync", unit: "x",
                mirror.median(\.seconds) / curl.median(\.seconds), .atMost(limits.time)),
            Goal(
                "\(name): our processor time to that of curl", unit: "x",
                mirror.median(\.processor) / curl.median(\.processor), .atMost(2.5)),
            .peak("\(name)", mirror, atMost: limits.peak),
        ]
        if scheme == .http {
            rows.append(("aria2c -j16", aria))
            goals.append(
                Goal(
                    "\(name): the time of aria2c and sync to ours", unit: "x",
                    aria.median(\.seconds) / mirror.median(\.seconds), .atLeast(2)))
        } else {
            few.append(try byMirror(nginx, scheme, jobs: 4))
            rows.append(("4 at once", few))
            goals.append(.peak("\(name), 4 at once", few, atMost: limits.peak))
        }
        for (name, usages) in rows { bench.say(usages.row(name, bytes: album.bytes)) }
        return goals
    }

    private func byMirror(_ nginx: Nginx, _ scheme: Nginx.Scheme, jobs: Int) throws -> Usage {
        let root = try bench.directory("copies").path
        sync()
        let words = bench.words(root, from: nginx.feed(scheme), jobs: jobs)
        return try bench.command(scheme == .https ? nginx.trusting(words) : words).measure()
    }

    private func byCurl(_ nginx: Nginx, _ scheme: Nginx.Scheme) throws -> Usage {
        let folder = try bench.directory("copies").path
        let lines = nginx.pictures(scheme).map { picture in
            "url = \"\(picture.address)\"\noutput = \"\(folder)/\(picture.name)\"\n"
        }
        let config = try bench.write(lines.joined(), to: "curl.config")
        sync()
        return try bench.peer(
            "curl", "-q", "-Z", "--parallel-max", "16", "--silent", "--show-error", "--fail",
            "--cacert", nginx.authorities, "-K", config
        ).measure()
    }

    private func byAria(_ nginx: Nginx, _ scheme: Nginx.Scheme) throws -> Usage {
        let folder = try bench.directory("copies").path
        let lines = nginx.pictures(scheme).map { "\($0.address)\n out=\($0.name)\n" }
        let list = try bench.write(lines.joined(), to: "aria2c.list")
        sync()
        return try bench.peer(
            "aria2c", "--no-conf", "--quiet", "-i", list, "-j16", "-x1", "--file-allocation=none",
            "-d", folder
        ).measure()
    }
}
