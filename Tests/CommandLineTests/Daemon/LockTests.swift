import ProgramTesting
import Simulator
import Testing

extension WholeProgram {
    /// One mirror, one writer.
    @Suite(.timeLimit(.minutes(10))) struct LockTests {
        @Test func oneOfTwentyConcurrentRunsWrites() async throws {
            try await withSite { site in
                site.simulator.inject(.hang, on: .media, times: nil)
                let programs = try (0..<20).map { _ in
                    try site.start(["run", "--once"] + site.settings())
                }
                let endings = await withTaskGroup(of: Ending?.self) { group in
                    for program in programs { group.addTask { try? await program.end() } }
                    var endings: [Ending?] = []
                    for await ending in group {
                        endings.append(ending)
                        // The writer holds the lock until all others have failed.
                        if endings.count == 19 { await site.simulator.releaseRequests() }
                    }
                    return endings
                }

                let codes = endings.map { $0?.code }
                #expect(codes.count { $0 == 5 } == 19 && codes.last == 0, "\(codes)")
                #expect(site.simulator.requests.count { $0.kind == .media } == 10)
                #expect(try site.tree().complete.count == 10)
            }
        }
    }
}
