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

                #expect(await watch.nextReason() == [.changed, .scanRequested])
                #expect(await watch.causesNoReason())
            }
        }

        @Test func reasonsAreDelayedUntilChangesPauseUpToAMaximum() async throws {
            try await withDisk { disk in
                // Only the maximum ends the wait, also where a busy machine causes a pause.
                let watch = try disk.watch(
                    debounce: .init(quietPeriod: .hang, maximumDelay: .milliseconds(600)))
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

        /// Many in a row, so that a task waits for all but the first.
        @Test(arguments: [RescanReason.changed, .scanRequested])
        func aReasonResumesTheWaitingTask(reason: RescanReason) async throws {
            try await withDisk { disk in
                let watch = try disk.watch(debounce: .none)
                try await watch.begin()

                let reasons = await whileRepeating { number in
                    if reason == .changed {
                        disk.link("favorites/\(number)")
                    } else {
                        watch.requestScan()
                    }
                } during: {
                    var reasons: [RescanReason?] = []
                    while reasons.count < 20, reasons.last != .due {
                        reasons.append(await watch.nextReason(by: .now + .hang))
                    }
                    return reasons
                }

                #expect(reasons.allSatisfy { $0 == reason })
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

        @Test func cancellationEndsTheReasonsAndClosesAllDescriptors() async {
            // It needs its own process, because other tests have threads.
            await #expect(processExitsWith: .success) {
                try await withDisk { disk in
                    let parent = try Directory(opening: disk.path)
                    // The first wait starts the thread of the event loop.
                    try await LoopClock().sleep(for: .milliseconds(1))
                    let namesBefore = Set(threads().values)
                    let first = DirectoryWatcher(of: "favorites", in: parent)
                    try await first.begin()
                    let descriptors = openInotifies()
                    let (scans, continuation) = AsyncStream.makeStream(of: Void.self)
                    let task = Task {
                        while await first.nextReason() != nil {
                            _ = try await first.scan()
                            continuation.yield()
                        }
                    }
                    disk.link("favorites/link")
                    for await _ in scans { break }

                    task.cancel()
                    try await task.value

                    #expect(descriptors == ["anon_inode:inotify", "mountinfo"])
                    #expect(openInotifies() == [])
                    #expect(Set(threads().values).subtracting(namesBefore) == [])
                    #expect(await first.nextReason() == nil)
                    #expect(try await first.scan()?.items.count == 1)
                    #expect(openInotifies() == [])
                }
            }
        }
    }
}

/// The open descriptors of a watcher.
func openInotifies() -> Set<String> {
    let folder = try? Directory(opening: "/proc/self/fd")
    let targets = names(in: "/proc/self/fd").compactMap { folder?.target(of: $0) }
    return Set(targets.filter { $0.contains("inotify") })
        .union(targets.contains { $0.hasSuffix("/mountinfo") } ? ["mountinfo"] : [])
}
