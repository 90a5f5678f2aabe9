import Glibc
import Platform

/// The latency and the cost of favorites.
struct FavoriteFigures {
    private let bench: Workbench

    init(_ bench: Workbench) { self.bench = bench }

    func measure() throws -> [Goal] {
        try bench.announce("a link to a synced record, 300 times")
        let goals = try LinkLatency(bench).measure()
        try bench.announce("10,000 favorites")
        return try goals + ScanCost(bench).measure()
    }
}

extension [Double] {
    /// The percentile of the figures.
    func percentile(_ percent: Int) -> Double {
        let sorted = sorted()
        return sorted[Swift.min(count * percent / 100, count - 1)]
    }
}

extension Duration {
    var milliseconds: Double { self / .milliseconds(1) }
}
