import Glibc
import Platform

/// Downloads 30 and 2,000 pictures, 1.6 GB, from nginx on this machine with the mirror and with curl, over TLS and HTTP/2.
///
/// The mirror checks, hashes and syncs each picture; curl is followed by a sync(2), and openssl(1) hashes its files.
struct ManyPictures {
    private let bench: Workbench

    /// The first days of a new mirror, and a fifth of the archive.
    private static let counts = [30, 2000]
    private static let rounds = 5

    init(_ bench: Workbench) { self.bench = bench }

    func measure() throws -> [Goal] {
        // The originals, the copies of one program at a time, and some reserve.
        let room = try Directory(opening: bench.path).freeBytes()
        return try Self.counts.flatMap { try measure(min($0, room / 2_000_000)) }
    }

    private func measure(_ count: Int) throws -> [Goal] {
        try bench.announce("making \(count) pictures")
        let album = try Album(Album.sizes(count), in: try bench.directory("pictures"))
        let nginx = try Nginx(bench, pictures: album.path, server: try Server(album.path))
        var (mirror, curl, openssl): ([Usage], [Usage], [Usage]) = ([], [], [])
        for round in 1...Self.rounds {
            try bench.announce("\(count) pictures by HTTP, round \(round) of \(Self.rounds)")
            mirror.append(try byMirror(nginx, jobs: 16))
            let copies = try bench.directory("copies").path
            curl.append(try byCurl(nginx, into: copies))
            openssl.append(try hashing(nginx.pictures.map { "\(copies)/\($0.name)" }))
        }
        for (program, usages) in [("apod-mirror", mirror), ("curl -Z", curl), ("openssl", openssl)]
        {
            bench.say(usages.row(program, bytes: album.bytes))
        }
        try bench.announce("\(count) pictures with the default number of jobs")
        let withFewJobs = try byMirror(nginx, jobs: 4)
        let name = "\(count) pictures"
        return [
            Goal(
                "\(name): time", unit: "s", mirror.median(\.seconds), .atMost(Double(count) / 250)),
            Goal(
                "\(name): our time to that of curl and sync", unit: "x",
                mirror.median(\.seconds) / curl.median(\.seconds), .atMost(1.3)),
            Goal(
                "\(name): our processor time to curl's and openssl's", unit: "x",
                mirror.median(\.processor)
                    / (curl.median(\.processor) + openssl.median(\.processor)), .atMost(2.5)),
            Goal(
                "\(name): processor time a picture", unit: "ms",
                mirror.median(\.processor) * 1000 / Double(count), .atMost(2.5)),
            .peak("\(name), 16 jobs", mirror, atMost: 60),
            .peak("\(name), 4 jobs", [withFewJobs], atMost: 45),
        ]
    }

    private func byMirror(_ nginx: Nginx, jobs: Int) throws -> Usage {
        let root = try bench.directory("copies").path
        sync()
        return try bench.command(
            ["env", "SSL_CERT_FILE=\(nginx.authorities)"]
                + bench.words(root, from: nginx.feed, jobs: jobs)
        ).measure()
    }

    private func byCurl(_ nginx: Nginx, into folder: String) throws -> Usage {
        let lines = nginx.pictures.map { picture in
            "url = \"\(picture.address)\"\noutput = \"\(folder)/\(picture.name)\"\n"
        }
        let config = try bench.write(lines.joined(), to: "curl.config")
        sync()
        return try bench.peer(
            "curl", "-q", "--cacert", nginx.authorities, "-Z", "--parallel-max", "16", "--silent",
            "--show-error", "--fail",
            "-K", config
        ).measure()
    }

    private func hashing(_ files: [String]) throws -> Usage {
        try Command(["openssl", "dgst", "-sha256", "-r"] + files, log: "/dev/null").measure()
    }
}
