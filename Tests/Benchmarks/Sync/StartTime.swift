import Glibc
import Platform
import TestSupport

/// The time from the start of the daemon to its READY, with 11,387 days and 1,000 favorites, and that of their list.
struct StartTime {
    private let bench: Workbench

    private static let days = 11_387
    private static let favorites = 1000
    private static let rounds = 5

    init(_ bench: Workbench) { self.bench = bench }

    func measure() async throws -> [Goal] {
        try bench.announce("\(Self.rounds) starts with \(Self.days) days")
        let tree = try SampleTree(Self.days, in: bench.directory("copies"))
        try LinkMaker(tree: tree).make(Self.favorites)
        let first = try await start(tree)
        bench.say("  \(Self.favorites) new favorites: ready after \(first.short) ms")
        var times: [Double] = []
        for _ in 0..<Self.rounds { times.append(try await start(tree)) }
        let lists = try (0..<Self.rounds).map { _ in
            try bench.command([bench.mirror, "favorites", "list", "--root", tree.path]).measure()
        }
        return [
            Goal(
                "\(Self.days) days, 1,000 favorites: start to READY", unit: "ms",
                times.percentile(50), .atMost(100)),
            Goal(
                "favorites list, 1,000 of them", unit: "ms", lists.median(\.seconds) * 1000,
                .atMost(50)),
        ]
    }

    /// - Returns: The milliseconds until it was ready.
    private func start(_ tree: SampleTree) async throws -> Double {
        let socket = try NotifySocket("@apod-mirror-bench-\(UInt64.random(in: .min ... .max))")
        let start = ContinuousClock.now
        let daemon = try bench.daemon(tree.path, notifying: socket.address)
        try await socket.wait(for: "READY=1")
        let time = start.duration(to: .now).milliseconds
        _ = consume daemon
        return time
    }
}
