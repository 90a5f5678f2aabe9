import APOD
import Glibc
import Platform
import Testing

@testable import Mirror

/// A run of the verification: its scope, its threads and its end.
@Suite(.timeLimit(.minutes(10))) struct VerifyRunTests {
    @Test func onlyTheNamedDaysAreVerified() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            for age in [1, 5, 9] { try mirror.flipBit(mirror.picture(age)) }
            try mirror.write("mine", to: "notes.txt")
            let newest = MirrorUnderTest.newest

            let some = try mirror.findings(.days([newest.advanced(by: -5), newest]))
            #expect(some.map(\.day) == [newest.advanced(by: -5)])
            let range = try mirror.findings(.range(newest.advanced(by: -6)...newest))
            #expect(range.map(\.day) == [newest.advanced(by: -5), newest.advanced(by: -1)])
        }
    }

    @Test func aVerificationStopsOnRequest() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            var days = 0
            let verifier = TreeVerifier(mirror.tree) { event in
                if case .day = event { days += 1 }
                return days < 3
            }

            #expect(throws: VerifyStopped.self) { try verifier.run() }
            #expect(days == 3)
        }
    }

    @Test func verifyingChangesNothing() async throws {
        try await withMirror { mirror in
            await mirror.sync()
            try mirror.flipBit(mirror.picture())
            try mirror.write("mine", to: "notes.txt")
            let before = try mirror.traces()

            _ = try mirror.findings()

            #expect(try mirror.traces() == before)
        }
    }

    // MARK: Threads

    @Test func severalThreadsReportTheSameInTheSameOrder() async throws {
        try await withMirror(days: 100) { mirror in
            await mirror.sync(since: .days(100))
            for age in [3, 40, 41, 80] { try mirror.flipBit(mirror.picture(age)) }
            try mirror.write("mine", to: "metadata/2026/2026-10/mine.txt")

            let alone = try mirror.events(threads: 1)
            let together = try mirror.events(threads: 4)

            #expect(together.events == alone.events)
            #expect(together.bytes == alone.bytes && alone.bytes > 0)
            #expect(alone.events.count { $0.hasPrefix("reached") } >= 4)
        }
    }

    /// The report reads what belongs to the task that verifies: whether it is cancelled.
    @Test func eventsOfAllThreadsAreReportedOnTheCallingThread() async throws {
        try await withMirror(days: 100) { mirror in
            await mirror.sync(since: .days(100))
            let thread = pthread_self()
            var others = 0
            try TreeVerifier(mirror.tree, threads: 4) { _ in
                if pthread_equal(thread, pthread_self()) == 0 { others += 1 }
                return true
            }.run()
            #expect(others == 0)
        }
    }

    @Test func allThreadsStopOnRequest() async throws {
        try await withMirror(days: 100) { mirror in
            await mirror.sync(since: .days(100))
            var days = 0
            let verifier = TreeVerifier(mirror.tree, threads: 4) { event in
                if case .day = event { days += 1 }
                return days < 3
            }

            #expect(throws: VerifyStopped.self) { try verifier.run() }
            #expect(days == 3)
        }
    }
}

extension MirrorUnderTest {
    /// All events of a verification of the tree but those of reading, and the number of bytes read.
    fileprivate func events(threads: Int) throws -> (events: [String], bytes: Int) {
        var events: [String] = []
        var bytes = 0
        try TreeVerifier(tree, threads: threads) { event in
            switch event {
            case .read(let count): bytes += count
            case .finding(let finding): events.append("finding \(finding)")
            case .day(let day): events.append("day \(day)")
            case .reached(let day): events.append("reached \(day)")
            }
            return true
        }.run()
        return (events, bytes)
    }
}
