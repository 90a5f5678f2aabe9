import Mirror

/// The commands that read a mirror of 11,387 days: `search` beside ripgrep, and others.
struct ReadingFigures {
    private let bench: Workbench

    private static let days = 11_387
    private static let rounds = 5

    init(_ bench: Workbench) { self.bench = bench }

    func measure() throws -> [Goal] {
        try bench.announce("\(Self.days) days are searched")
        let tree = try SampleTree(
            Self.days, in: bench.directory("copies"), details: GalleryFigures.details(of:))
        // A sync that cannot reach NASA records which months are whole, as every sync does; `status` reads that.
        _ = try Command(
            [
                bench.mirror, "run", "--once", "--thumbnails", "no", "--root", tree.path,
                "--upstream",
                "http://127.0.0.1:9",
            ], log: "\(bench.path)/log", mayFail: true
        ).measure()
        let peer = try runs(
            "rg", ["--ignore-case", "--count", "the crab", "\(tree.path)/metadata"])
        let all = try runs(bench.mirror, ["search", "crab", "--root", tree.path])
        let none = try runs(bench.mirror, ["search", "quásar", "--root", tree.path])
        let show = try runs(bench.mirror, ["show", "latest", "--root", tree.path])
        let status = try runs(bench.mirror, ["status", "--root", tree.path])
        bench.say(peer.row("ripgrep"))
        bench.say(all.row("search, all"))
        bench.say(none.row("search, none"))
        let slowest = max(all.median(\.seconds), none.median(\.seconds))
        return [
            Goal("search: every day found", unit: "ms", all.milliseconds, .atMost(100)),
            Goal("search: nothing found", unit: "ms", none.milliseconds, .atMost(100)),
            Goal(
                "search: our time to that of ripgrep", unit: "x",
                slowest / peer.median(\.seconds), .atMost(2)),
            Goal("show latest", unit: "ms", show.milliseconds, .atMost(20)),
            Goal("status", unit: "ms", status.milliseconds, .atMost(60)),
        ]
    }

    private func runs(_ program: String, _ arguments: [String]) throws -> [Usage] {
        try (0..<Self.rounds).map { _ in
            try Command(
                [program] + arguments, log: "\(bench.path)/log", mayFail: true
            ).measure()
        }
    }
}

extension [Usage] {
    fileprivate var milliseconds: Double { median(\.seconds) * 1000 }
}
