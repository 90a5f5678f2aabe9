import Platform
import TestSupport

/// The cost of a scan at the start, with 10,000 favorites and with 12,000 links to them.
struct ScanCost {
    private let bench: Workbench

    private static let days = 10_000
    private static let links = 12_000
    private static let rounds = 5

    init(_ bench: Workbench) { self.bench = bench }

    func measure() throws -> [Goal] {
        let tree = try SampleTree(Self.days, in: bench.directory("copies"))
        let few = try scans(at: tree, links: Self.days)
        let many = try scans(at: tree, links: Self.links)
        return [
            Goal("10,000 favorites: start", unit: "ms", few.median(\.all), .atMost(150)),
            Goal("12,000 links: first scan", unit: "ms", many.median(\.listing), .atMost(50)),
        ]
    }

    /// The milliseconds in which find(1) prints the targets of all links.
    private func find(in path: String) throws -> Double {
        let command = Command(
            ["find", "\(path)/favorites", "-printf", "%p %l\\n"], log: "/dev/null")
        return try (0..<Self.rounds).map { _ in try command.measure().seconds * 1000 }
            .percentile(50)
    }

    private func scans(at tree: SampleTree, links: Int) throws -> [FirstScan] {
        removeTree("\(tree.path)/favorites")
        try LinkMaker(tree: tree).make(links)
        let first = try FirstScan(at: tree.path)
        bench.say("  \(links) new links recorded in \((first.all / 1000).short) s")
        let scans = try (0..<Self.rounds).map { _ in try FirstScan(at: tree.path) }
        bench.say(
            "  \(links) links listed in \(scans.median(\.listing).short) ms, compared with the"
                + " records in \(scans.median(\.all).short) ms,"
                + " \((scans.median(\.memory) / 1e6).short) MB more;"
                + " by find(1) in \(try find(in: tree.path).short) ms")
        return scans
    }
}

extension [FirstScan] {
    /// The median of a figure.
    fileprivate func median(_ figure: (FirstScan) -> Double) -> Double {
        map(figure).percentile(50)
    }
}
