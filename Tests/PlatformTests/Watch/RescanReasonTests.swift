import Glibc
import TestSupport
import Testing

@testable import Platform

extension WatchTests {
    /// The times and the number of reasons.
    @Suite struct RescanReasonTests {
        @Test func reasonsAreJoinedWhileNoTaskWaits() async throws {
            try await withDisk { disk in
                let watch = try disk.watch()
                try await watch.begin()

                for number in 0..<1000 { disk.link("favorites/\(number)") }
                watch.requestScan()

                #expect(await watch.nextReason() == [.changed, .requestedByProgram])
                #expect(await watch.causesNoReason())
            }
        }

        @Test func reasonsAreDelayedUntilChangesPauseUpToAMaximum() async throws {
            try await withDisk { disk in
                // Only the maximum ends the wait, also where a busy machine causes a pause.
                let watch = DirectoryWatcher(
                    of: "favorites", in: try Directory(opening: disk.path),
                    timing: .init(quietPeriod: .hang, maximumDelay: .milliseconds(600)))
                try await watch.begin()
                let start = ContinuousClock.now
                let reason = await whileRepeating {
                    disk.link("favorites/\($0)")
                } during: {
                    await watch.nextReason()
                }
                let wait = start.duration(to: .now)

                #expect(reason == .changed)
                #expect(wait >= .milliseconds(590))
            }
        }

        /// Repeats `action` a thousand times a second until `body` returns.
        private func whileRepeating<Result>(
            _ action: @escaping @Sendable (Int) -> Void, during body: () async -> Result
        ) async -> Result {
            let isEnough = Monitor(false)
            startThread("repeating") {
                var number = 0
                while !isEnough.withLock({ $0 }) {
                    action(number)
                    number += 1
                    usleep(1000)
                }
                isEnough.withLock { $0 = false }
                isEnough.signal()
            }
            let result = await body()
            isEnough.withLock { $0 = true }
            _ = isEnough.wait { $0 ? nil : true }
            return result
        }
    }
}
