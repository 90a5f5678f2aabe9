import Glibc
import TestSupport
import Testing

@testable import Platform

@Suite struct DirectorySynchronizerTests {
    @Test func requestsBeforeASyncShareIt() throws {
        let closed = try Self.unsyncable()
        let synchronizer = DirectorySynchronizer()
        let requests = (0..<3).map { _ in synchronizer.request(closed) }

        // Each sync of that directory fails: so all have the result of the same one.
        for number in requests {
            let error = #expect(throws: SystemError.self) {
                try synchronizer.wait(for: number, of: closed)
            }
            #expect(error?.call == "fsync")
        }

        #expect(requests == [1, 1, 1])
        #expect(synchronizer.request(closed) == 1, "no thread waits: it counts from the start")
    }

    @Test func aRequestAfterASyncHasBegunWaitsForTheNextOne() async throws {
        try await withTemporaryFolder { path in
            let directory = try Directory(opening: path)
            let synchronizer = DirectorySynchronizer()
            let first = synchronizer.request(directory)
            let second = synchronizer.request(directory)
            try synchronizer.wait(for: first, of: directory)
            let later = synchronizer.request(directory)

            #expect(second == first)
            #expect(later == first + 1)
            try synchronizer.wait(for: second, of: directory)
            try synchronizer.wait(for: later, of: directory)
        }
    }

    @Test func eachOfManyThreadsReturns() async throws {
        try await withTemporaryFolder { path in
            let synchronizer = DirectorySynchronizer()
            let ended = Monitor(0)
            for number in 0..<16 {
                startThread("sync") {
                    for _ in 0..<50 {
                        let folder = try? Directory(opening: path).makeDirectory("\(number % 2)")
                        _ = folder.map { try? synchronizer.synchronize($0) }
                    }
                    ended.withLock { $0 += 1 }
                    ended.broadcast()
                }
            }
            ended.wait { $0 == 16 ? () : nil }
        }
    }

    /// A directory of proc(5), which fsync(2) rejects.
    private static func unsyncable() throws -> Directory { try Directory(opening: "/proc/self") }
}
