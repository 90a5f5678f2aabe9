import APOD
import Glibc
import Mirror
import Platform
import Simulator
import Transfer

/// The processor time of a poll that finds nothing new, with 11,387 days, as the daemon polls ten times a day.
struct PollCost {
    /// The argument that selects this role.
    static let role = "poll"

    private let bench: Workbench

    private static let days = 11_387
    private static let polls = 9

    init(_ bench: Workbench) { self.bench = bench }

    func measure() throws -> [Goal] {
        try bench.announce("\(Self.polls) polls with \(Self.days) days")
        let tree = try SampleTree(Self.days, in: bench.directory("copies"))
        let album = try Album(
            [Int](repeating: 500, count: BasicFeed.pageSize), in: bench.directory("pictures"))
        let simulator = try Simulator(.files(album.path, newest: tree.days.last ?? .first))
        let helper = try ConnectedProcess(
            ["/proc/self/exe", Self.role, tree.path, simulator.basicAddress], readsErrors: false)
        let times = try helper.figures(Self.polls)
        return [
            Goal(
                "a poll without news: processor time", unit: "ms", times.percentile(50),
                .atMost(30))
        ]
    }

    /// Runs the role in the helper process, which alone is measured.
    static func serve(_ path: String, _ address: String) async throws {
        let tree = try Tree.writing(path, known: KnownMirrors(environment: [:]))
        let store = try Store(tree: tree, minimumFree: 0)
        let url = try WebURL(address)
        let client = Client(
            agent: "benchmark", policy: AddressPolicy(upstream: url), pace: .zero,
            width: Synchronizer.transfers(jobs: 4), hosts: HostPauses())
        let synchronizer = Synchronizer(
            routes: FeedRoutes(client.feed(nil, at: url)), client: client, store: store,
            options: .init())
        // Publishes the days of the feed, then walks over the tree.
        for _ in 0..<2 {
            _ = await synchronizer.sync(retry: .anyFailure).summary()
            store.snapshots.release(holdingUntilMidnight: true)
        }
        var times: [Double] = []
        for _ in 0..<polls {
            let before = clock()
            let summary = await synchronizer.sync(reusesWalk: true).summary()
            store.snapshots.release(holdingUntilMidnight: true)
            // In microseconds; see clock(3).
            times.append(Double(clock() - before) / 1000)
            guard !summary.hasNews else { throw Failure("news in a poll", log: "/dev/null") }
        }
        StandardStream.output.write(times.map { "\($0)" }.joined(separator: " ") + "\n")
    }
}
