import Platform
import TestSupport

/// The cost of a scan at the start, with 10,000 favorites and with 12,000 links to them.
struct LookCost {
    private let bench: Workbench

    private static let days = 10_000
    private static let links = 12_000
    private static let rounds = 5

    init(_ bench: Workbench) { self.bench = bench }

    func measure() throws -> [Goal] {
        let tree = try SampleTree(Self.days, in: bench.directory("copies"))
        let few = try looks(at: tree, links: Self.days)
        let many = try looks(at: tree, links: Self.links)
        return [
            Goal("10,000 favorites: start", unit: "ms", few.median(\.all), .atMost(150)),
            Goal("12,000 links: first scan", unit: "ms", many.median(\.listing), .atMost(50)),
        ]
    }

    /// The milliseconds that find(1) takes to say where all the links lead.
    private func find(in path: String) throws -> Double {
        let command = Command(
            ["find", "\(path)/favorites", "-printf", "%p %l\\n"], log: "/dev/null")
        return try (0..<Self.rounds).map { _ in try command.measure().seconds * 1000 }
            .percentile(50)
    }

    private func looks(at tree: SampleTree, links: Int) throws -> [Look] {
        removeTree("\(tree.path)/favorites")
        try LinkMaker(tree: tree).make(links)
        let first = try Look(at: tree.path)
        bench.say("  \(links) new links recorded in \((first.all / 1000).short) s")
        let looks = try (0..<Self.rounds).map { _ in try Look(at: tree.path) }
        bench.say(
            "  \(links) links listed in \(looks.median(\.listing).short) ms, compared with the"
                + " records in \(looks.median(\.all).short) ms,"
                + " \((looks.median(\.memory) / 1e6).short) MB more;"
                + " by find(1) in \(try find(in: tree.path).short) ms")
        return looks
    }
}

extension [Look] {
    /// The middle one of the figures.
    fileprivate func median(_ figure: (Look) -> Double) -> Double { map(figure).percentile(50) }
}
