import Glibc
import Platform

/// First syncs of 1,000 and of 11,000 days, and syncs of 11,000 complete days without changes.
struct SyncFigures {
    private let bench: Workbench

    private static let few = 1000
    private static let many = 11_000
    private static let rounds = 5

    init(_ bench: Workbench) { self.bench = bench }

    func measure() throws -> [Goal] {
        let few = try firstSyncs(Self.few).usages
        let (many, root, server) = try firstSyncs(Self.many)

        try bench.announce("\(Self.rounds) times nothing new")
        // Completes the cache of the gallery, which does not rely on files of the last two seconds.
        sleep(3)
        try bench.sync(root, from: server, feed: "auto").measure()
        let quiet = try (0..<Self.rounds).map { _ in
            try bench.sync(root, from: server, feed: "auto").measure()
        }
        bench.say(quiet.row("apod-mirror"))
        let growth = Double(Self.many) / Double(Self.few)
        return [
            Goal("nothing new: time", unit: "ms", quiet.median(\.seconds) * 1000, .atMost(120)),
            .peak("11,000 small pictures", many),
            Goal(
                "11,000 days to 1,000: time a day", unit: "x",
                many.median(\.seconds) / few.median(\.seconds) / growth, .atMost(1.1)),
        ]
    }

    /// Syncs an empty mirror several times.
    ///
    /// - Returns: The usages, the mirror of the last sync, and its server.
    private func firstSyncs(
        _ days: Int
    ) throws -> (usages: [Usage], root: String, server: Server) {
        let sizes = [Int](repeating: 500, count: days)
        let album = try Album(sizes, in: try bench.directory("pictures"))
        let server = try Server(album.path)
        try bench.announce("\(days) days with a small picture each")
        var root = ""
        let usages = try (0..<Self.rounds).map { _ in
            root = try bench.directory("copies").path
            // So that no fsync of the mirror writes the files of the album or empties an earlier mirror.
            sync()
            return try bench.sync(root, from: server).measure()
        }
        bench.say(
            usages.row("apod-mirror", bytes: album.bytes)
                + (usages.median(\.seconds) * 1000 / Double(days)).short.padded(-8) + " ms a day")
        return (usages, root, server)
    }
}
