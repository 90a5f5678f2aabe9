import Platform
import TestSupport

/// The cost of the idle daemon.
struct IdleDaemon {
    private let bench: Workbench

    private static let seconds = 60

    init(_ bench: Workbench) { self.bench = bench }

    func measure() async throws -> [Goal] {
        let sizes = [Int](repeating: 500_000, count: 30)
        let album = try Album(sizes, in: try bench.directory("pictures"))
        let server = try Server(album.path)
        try bench.announce("a daemon that has nothing to do, for \(Self.seconds) s")
        let daemon = try bench.daemon(try bench.directory("copies").path, from: server.feed)
        try daemon.wait(for: "downloaded ")
        let figures = ProcessFigures(of: daemon.process)
        try await figures.settle(for: ThreadPoolExecutor.idleTimeout + .seconds(1))
        let before = try figures.switches().values.reduce(0, +)
        try await LoopClock().sleep(for: .seconds(Self.seconds))
        let switches = try figures.switches().values.reduce(0, +) - before
        return [
            Goal("idle: context switches in 60 s", unit: "", Double(switches), .exactly(0)),
            Goal(
                "idle: anonymous memory", unit: "MB",
                Double(try figures.anonymousMemory()) / 1e6, .atMost(5)),
        ]
    }
}
