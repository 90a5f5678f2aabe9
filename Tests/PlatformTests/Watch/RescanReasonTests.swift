import Glibc
import TestSupport
import Testing

@testable import Platform

extension WatchTests {
    /// When hints come, and how many.
    @Suite struct Hints {
        @Test func thatNobodyWaitsForBecomeOne() async throws {
            try await withDisk { disk in
                let watch = try disk.watch()
                try await watch.begin()

                for number in 0..<1000 { disk.link("favorites/\(number)") }
                watch.ask()

                #expect(await watch.nextHint() == [.changed, .asked])
                #expect(await watch.isSilent())
            }
        }

        @Test func areHeldBackUntilItIsQuietButNotForEver() async throws {
            try await withDisk { disk in
                // So long that a busy machine does not make it quiet.
                let watch = try disk.watch(
                    settling: .init(quiet: .milliseconds(300), atMost: .milliseconds(600)))
                try await watch.begin()
                let start = ContinuousClock.now
                let hint = await whileRepeating {
                    disk.link("favorites/\($0)")
                } during: {
                    await watch.nextHint()
                }
                let wait = start.duration(to: .now)

                #expect(hint == .changed)
                #expect(wait >= .milliseconds(590))
                #expect(wait < .milliseconds(6000))
            }
        }

        /// Many in a row, so that all but the first are waited for.
        @Test(arguments: [RescanReason.changed, .asked])
        func wakeWhoWaits(reason: RescanReason) async throws {
            try await withDisk { disk in
                let watch = try disk.watch(settling: .none)
                try await watch.begin()

                let hints = await whileRepeating { number in
                    if reason == .changed { disk.link("favorites/\(number)") } else { watch.ask() }
                } during: {
                    var hints: [RescanReason?] = []
                    while hints.count < 20, hints.last != .due {
                        hints.append(await watch.nextHint(by: .now + .seconds(10)))
                    }
                    return hints
                }

                #expect(hints.allSatisfy { $0 == reason })
            }
        }

        /// Does `action` a thousand times a second until `body` returns.
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

        @Test func comeWhenTheyAreDueOrAskedFor() async throws {
            try await withDisk { disk in
                let watch = try disk.watch()
                try await watch.begin()

                #expect(await watch.nextHint(by: .now + .milliseconds(5)) == .due)
                async let hint = watch.nextHint()
                watch.ask()
                #expect(await hint == .asked)
            }
        }

        /// Between a look for what is pending and the wait for more.
        @Test func whoAsksJustBeforeSomebodyWaitsIsHeard() async throws {
            let pending = PendingRescan([])
            pending.add(.asked)

            try await CancellableContinuation().wait { waiter in
                pending.wake(waiter)
                return nil
            }

            #expect(pending.take() == .asked)
        }

        @Test(.enabled(if: getuid() == 0, "lowers fs.inotify.max_queued_events"))
        func saySoWhenTheKernelForgot() async throws {
            try await withDisk { disk in
                disk.makeDirectory("favorites/a")
                let watch = try disk.watch()
                #expect(await watch.nextHint() == .started)
                // The length of the queue is read when the instance is made.
                let old = text(of: "/proc/sys/fs/inotify/max_queued_events")
                try setKernel("16")
                _ = try await watch.list()
                try setKernel(old)

                for number in 0..<20_000 { disk.link("favorites/a/\(number)") }

                #expect(await watch.nextHint()?.contains(.overflow) == true)
                #expect(try await watch.list()?.entries.count == 20_000)
                disk.link("favorites/a/last")
                #expect(await watch.nextHint() == .changed)
                #expect(try await watch.list()?.entries.count == 20_001)
            }
        }

        private func setKernel(_ value: String) throws {
            let path = "/proc/sys/fs/inotify/max_queued_events"
            try FileDescriptor(opening: path, O_WRONLY).write(Array(value.utf8), path: path)
        }

        @Test func endWithTheTaskAndLeaveNothing() async {
            // A process of its own: other tests have threads, too.
            await #expect(processExitsWith: .success) {
                try await withDisk { disk in
                    let parent = try Directory(opening: disk.path)
                    try await LoopClock().sleep(for: .milliseconds(1))
                    let namesBefore = Set(threads().values)
                    let first = DirectoryWatcher(of: "favorites", in: parent)
                    try await first.begin()
                    let descriptors = openInotifies()
                    let (looks, continuation) = AsyncStream.makeStream(of: Void.self)
                    let task = Task {
                        for await _ in first.hints {
                            _ = try await first.list()
                            continuation.yield()
                        }
                    }
                    disk.link("favorites/link")
                    for await _ in looks { break }

                    task.cancel()
                    try await task.value

                    #expect(descriptors == ["anon_inode:inotify", "mountinfo"])
                    #expect(openInotifies() == [])
                    #expect(Set(threads().values).subtracting(namesBefore) == [])
                    #expect(await first.nextHint() == nil)
                    #expect(try await first.list()?.entries.count == 1)
                    #expect(openInotifies() == [])
                }
            }
        }

        @Test func leaveNothingWhenTheWatchIsLetGoOf() async throws {
            try await withDisk { disk in
                for _ in 0..<50 {
                    let watch = try disk.watch()
                    try await watch.begin()
                }

                #expect(openInotifies() == [])
            }
        }
    }
}

/// The descriptors that a watch has, other than what every test may have open.
func openInotifies() -> Set<String> {
    let folder = try? Directory(opening: "/proc/self/fd")
    let targets = names(in: "/proc/self/fd").compactMap { folder?.target(of: $0) }
    return Set(targets.filter { $0.contains("inotify") })
        .union(targets.contains { $0.hasSuffix("/mountinfo") } ? ["mountinfo"] : [])
}
