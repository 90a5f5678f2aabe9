import Platform

/// Downloads many pictures with a limit of the rate, with the mirror and with curl.
struct LimitedRate {
    private let bench: Workbench

    private static let limit = "4m"
    private static let bytesPerSecond = Double(4 << 20)

    init(_ bench: Workbench) { self.bench = bench }

    func measure() throws -> [Goal] {
        try bench.announce("64 pictures with --limit-rate \(Self.limit)")
        let album = try Album(Album.sizes(64), in: try bench.directory("pictures"))
        let nginx = try Nginx(bench, pictures: album.path, server: try Server(album.path))
        let alone = try byCurl(nginx)
        let parallel = try byCurl(nginx, "-Z")
        bench.say([alone].row("curl", bytes: album.bytes))
        bench.say([parallel].row("curl -Z", bytes: album.bytes))
        return try Nginx.Scheme.allCases.map { scheme in
            let words =
                bench.words(try bench.directory("copies").path, from: nginx.feed(scheme), jobs: 4)
                + ["--limit-rate", Self.limit]
            let usage = try bench.command(scheme == .https ? nginx.trusting(words) : words)
                .measure()
            bench.say([usage].row(scheme.rawValue, bytes: album.bytes))
            return Goal(
                "--limit-rate \(Self.limit), 4 at once, \(scheme.rawValue): our rate", unit: "x",
                Double(album.bytes) / usage.seconds / Self.bytesPerSecond, .atMost(1.01))
        }
    }

    private func byCurl(_ nginx: Nginx, _ options: String...) throws -> Usage {
        let folder = try bench.directory("copies").path
        let lines = nginx.pictures(.http).map { picture in
            "url = \"\(picture.address)\"\noutput = \"\(folder)/\(picture.name)\"\n"
        }
        let config = try bench.write(lines.joined(), to: "curl.config")
        return try bench.command(
            ["curl", "-q", "--silent", "--fail", "--limit-rate", Self.limit, "-K", config] + options
        ).measure()
    }
}
