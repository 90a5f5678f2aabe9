import Glibc
import Mirror
import ProgramTesting
import Simulator
import TestSupport
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

        /// The other process creates it after one of the files was opened that decide about it.
        @Test(.enabled(if: FaultShim.isPossible), arguments: [["run", "--once"], ["status"]])
        func aMirrorThatIsCreatedMeanwhileIsNoUnmountedDisk(command: [String]) async throws {
            try await withSite(days: 1) { site in
                let shim = try await FaultShim(for: site)
                let sync = site.settings() + ["--since", "1d", "--thumbnails", "no"]
                let options = command == ["status"] ? ["--root", site.root] : sync
                var number = 0
                repeat {
                    number += 1
                    removeTree(site.root)
                    let home = ["HOME": "\(site.folder)/home \(number)"]
                    _ = unsafe mkdir(site.root, 0o755)
                    let stop = shim.variables(.stop, atOpening: number)
                    let late = try site.start(
                        command + options, environment: home.merging(stop) { $1 })
                    let isStopped = await late.waitForStop()
                    let isOver = try !isStopped || site.tree().files[Layout.marker] != nil
                    if !isOver {
                        let first = try site.start(["run", "--once"] + sync, environment: home)
                        let code = try await first.end().code
                        // 5: the other one holds the lock already.
                        #expect([0, 5].contains(code), "\(number)")
                    }
                    late.signal(SIGCONT)

                    let ending = try await late.end()

                    #expect(!ending.errors.contains("was a mirror"), "\(number): \(ending)")
                    #expect(!ending.errors.contains("does not exist"), "\(number): \(ending)")
                    if isOver { break }
                } while true
                #expect(number > 3)
            }
        }
    }
}
