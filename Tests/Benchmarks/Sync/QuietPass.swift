import Platform

/// A look at a tree of 11,000 complete days when NASA has nothing new.
struct QuietPass {
    private let bench: Workbench

    private static let days = 11_000
    private static let rounds = 5

    init(_ bench: Workbench) { self.bench = bench }

    func measure() throws -> [Goal] {
        let sizes = [Int](repeating: 500, count: Self.days)
        let album = try Album(sizes, in: try bench.directory("pictures"))
        let server = try Server(album.path)
        try bench.announce("\(Self.days) days with a small picture each")
        let root = try bench.directory("copies").path
        let first = try bench.pass(root, from: server).measure()
        bench.say([first].row("apod-mirror", bytes: album.bytes))

        try bench.announce("\(Self.rounds) times nothing new")
        let before = try Traces(of: root)
        _ = try server.requests()
        let quiet = try (0..<Self.rounds).map { _ in
            try bench.pass(root, from: server, feed: "auto").measure()
        }
        let requests = Double(try server.requests()) / Double(Self.rounds)
        bench.say(quiet.row("apod-mirror"))
        let writes = try Traces(of: root).differences(from: before)
        return [
            Goal("nothing new: time", unit: "ms", quiet.median(\.seconds) * 1000, .atMost(300)),
            Goal("nothing new: requests a pass", unit: "", requests, .exactly(1)),
            Goal("nothing new: files changed", unit: "", Double(writes), .exactly(0)),
            .peak("nothing new", quiet),
            .peak("\(Self.days) small pictures", [first]),
        ]
    }
}
