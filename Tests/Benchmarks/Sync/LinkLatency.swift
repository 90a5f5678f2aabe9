import APOD
import Glibc
import Platform

/// The time from symlink(2) to the log line of the daemon about the favorite: its record
/// and its pinned picture are on the disk by then.
struct LinkLatency {
    private let bench: Workbench

    private static let links = 101

    init(_ bench: Workbench) { self.bench = bench }

    func measure() throws -> [Goal] {
        try bench.announce("\(Self.links) links to synced records")
        let tree = try SampleTree(Self.links, in: bench.directory("copies"))
        let daemon = try bench.daemon(tree.path)
        let favorites = try Directory(opening: tree.path).makeDirectory("favorites")
        // The first line reports that it is ready.
        var times: [Double] = []
        for day in tree.days {
            // A person takes longer. Changes that come faster for seconds are scanned at a lower rate.
            usleep(200_000)
            let start = ContinuousClock.now
            try favorites.symlink(SampleTree.name(of: day), to: tree.target(day))
            try daemon.wait(for: "\(day) added to favorites")
            times.append(start.duration(to: .now).milliseconds)
        }
        times.removeFirst()
        bench.say(
            "  apod-mirror "
                + [50, 90, 99].map { "p\($0) \(times.percentile($0).short) ms" }
                .joined(separator: ", "))
        return [
            Goal("a link to its synced record: p50", unit: "ms", times.percentile(50), .atMost(8)),
            Goal("a link to its synced record: p99", unit: "ms", times.percentile(99), .atMost(20)),
        ]
    }
}
